// Programs as people read them: the same tokens as in reports, one element per line.
import {h} from './dom.js';
import {actionNames, colourOf} from './actions.js';

const TOKEN = /(%[^\n]*)|("[^"\n]*"?)|(action\(([a-z_0-9]+)\))|(:-|::|\\\+|\bnot\b)|(\b\d+(?:\.\d+)?)/g;

// One line as coloured pieces. `wrong` are the columns (from 1) where a mistake begins.
export function coloured(line, wrong = []) {
  const pieces = [];
  const add = (text, kind, vars) => text && pieces.push({text, kind, vars});
  let at = 0;
  for (const match of line.matchAll(TOKEN)) {
    add(line.slice(at, match.index), '');
    const [text, comment, quoted, action, name, sign, number] = match;
    if (comment) add(text, 'c');
    else if (action && actionNames().includes(name)) add(text, 'a', {'--a': colourOf(name)});
    else add(text, sign ? 'k' : quoted || number ? 'n' : '');
    at = match.index + text.length;
  }
  add(line.slice(at), '');
  if (wrong.length === 0) return pieces.map(({text, kind, vars}) => (kind ? h('span', {class: kind, vars}, text) : text));
  return underlined(pieces, wrong);
}

// Splits pieces at the words that begin at these columns, and underlines those.
function underlined(pieces, wrong) {
  const out = [];
  let column = 1;
  for (const {text, kind, vars} of pieces) {
    let rest = text;
    let from = column;
    column += text.length;
    for (const start of wrong.filter((c) => c >= from && c < column)) {
      const before = rest.slice(0, start - from);
      const word = rest.slice(start - from).match(/^[\w()]+|^./)?.[0] ?? rest.slice(start - from);
      if (before) out.push(h('span', {class: kind || null, vars}, before));
      out.push(h('span', {class: `${kind} wrong`.trim(), vars}, word));
      rest = rest.slice(start - from + word.length);
      from = start + word.length;
    }
    if (rest) out.push(h('span', {class: kind || null, vars}, rest));
  }
  if (wrong.some((c) => c >= column)) out.push(h('span', {class: 'wrong'}, ' '));
  return out;
}

// The whole text; `lines` gives a class per line number: fired, dead, changed.
export function programView(text, lines = {}) {
  return h('ol', {class: 'program', tabindex: '0', 'aria-label': 'the program, line by line'}, text.replace(/\n$/, '').split('\n').map((line, i) =>
    h('li', {class: lines[i + 1] ?? null, 'data-line': i + 1}, line ? coloured(line) : ' ')));
}

export function markLines(view, lines) {
  for (const item of view.children) item.className = lines[item.dataset.line] ?? '';
  const first = [...view.children].find((item) => item.className);
  const hidden = first && (first.offsetTop < view.scrollTop || first.offsetTop + first.offsetHeight > view.scrollTop + view.clientHeight);
  if (hidden) view.scrollTop = first.offsetTop - view.clientHeight / 3;
}

// "line 3: action(hit) :- …" as the engine writes rules.
export function lineOf(rule) {
  const found = /^line (\d+): /.exec(rule);
  return found ? Number(found[1]) : 0;
}
