// A text field with colours beneath its letters: mistakes underlined, dead rules grey, changed rules marked, and
// completion of atoms and actions. The text field itself stays a plain one, so that keyboards, undo and screen readers
// work as everywhere.
import {h} from './dom.js';
import {coloured} from './program.js';

const WORD = /[a-z_][\w]*(\([\w,]*\)?)?$/i;

export function editor(text, {onInput, words}) {
  const lines = h('ol', {class: 'program under', 'aria-hidden': 'true'});
  const choices = h('ul', {class: 'choices', role: 'listbox', id: 'choices', 'aria-label': 'completions', hidden: true});
  const area = h('textarea', {class: 'over', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', wrap: 'off',
    'aria-label': 'the program', 'aria-autocomplete': 'list', 'aria-controls': 'choices', id: 'editor'});
  const element = h('div', {class: 'editor'}, lines, area, choices);
  let marks = {};       // line → class
  let wrong = {};       // line → columns
  let candidates = [];
  let chosen = 0;

  function paint() {
    const rows = area.value.split('\n');
    lines.replaceChildren(...rows.map((row, i) => h('li', {class: marks[i + 1] ?? null, 'data-line': i + 1},
      row ? coloured(row, wrong[i + 1]) : wrong[i + 1] ? coloured(' ', wrong[i + 1]) : ' ')));
    area.style.height = `${rows.length * 1.55 + 1.6}em`;
    const widest = Math.max(...rows.map((row) => row.length));
    area.style.width = `max(100%, ${widest + 8}ch)`;
  }
  function prefix() {
    if (area.selectionStart !== area.selectionEnd) return '';
    const before = area.value.slice(0, area.selectionStart);
    return before.slice(before.lastIndexOf('\n') + 1).includes('%') ? '' : WORD.exec(before)?.[0] ?? '';
  }
  function hide() {
    choices.hidden = true;
    area.removeAttribute('aria-activedescendant');
  }
  function offer(force) {
    const begun = prefix();
    candidates = begun.length >= 2 || force ? words().filter((word) => word.startsWith(begun) && word !== begun).slice(0, 8) : [];
    chosen = 0;
    if (candidates.length === 0) return hide();
    choices.replaceChildren(...candidates.map((word, i) => h('li', {role: 'option', id: `choice-${i}`, 'aria-selected': i === 0,
      onpointerdown: (event) => { event.preventDefault(); chosen = i; accept(); }}, word)));
    const before = area.value.slice(0, area.selectionStart).split('\n');
    choices.style.top = `${before.length * 1.55 + 1}em`;
    choices.style.left = `calc(${Math.max(0, before.at(-1).length - begun.length)}ch + 3.2em)`;
    choices.hidden = false;
    area.setAttribute('aria-activedescendant', 'choice-0');
    return undefined;
  }
  function accept() {
    const begun = prefix();
    document.execCommand('insertText', false, candidates[chosen].slice(begun.length));  // keeps the browser's undo
    hide();
  }
  area.addEventListener('input', () => {
    wrong = {};
    paint();
    offer(false);
    onInput(area.value);
  });
  area.addEventListener('keydown', (event) => {
    if (event.key === ' ' && event.ctrlKey) { event.preventDefault(); return offer(true); }
    if (choices.hidden) return undefined;
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step) {
      chosen = (chosen + step + candidates.length) % candidates.length;
      [...choices.children].forEach((item, i) => item.setAttribute('aria-selected', i === chosen));
      area.setAttribute('aria-activedescendant', `choice-${chosen}`);
    } else if (event.key === 'Enter' || event.key === 'Tab') accept();
    else if (event.key === 'Escape') hide();
    else return undefined;
    event.preventDefault();
    return undefined;
  });
  area.addEventListener('blur', hide);
  area.value = text;
  paint();
  element.mark = (byLine) => { marks = byLine; paint(); };
  element.underline = (complaints) => {
    wrong = {};
    for (const {line, column} of complaints) if (line > 0) (wrong[line] ??= []).push(Math.max(1, column));
    for (const columns of Object.values(wrong)) columns.sort((a, b) => a - b);
    paint();
  };
  element.set = (value) => {
    area.focus();
    area.select();
    if (!document.execCommand('insertText', false, value)) area.value = value;  // so that undo brings the old text back
    paint();
  };
  element.area = area;
  return element;
}
