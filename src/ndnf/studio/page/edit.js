// Edit: the program beside what every change does, at once.
import {h, figure, debounced} from './dom.js';
import {ask, Refusal} from './api.js';
import {studio, changed, programInput, shieldInput, about, openTask, taskName} from './state.js';
import {policyMap, markPlace} from './map.js';
import {setActions, actionNames} from './actions.js';
import {inspect} from './watch.js';
import {editor} from './editor.js';

globalThis.ndnfVerdicts = [];

function words() {
  const heads = actionNames().map((name) => `action(${name})`);
  return [...heads, ...studio.task.atoms, 'not '].sort();
}

// Everything about a text at once; throws the parser's Refusal.
export async function judged(text) {
  const policy = programInput(text);
  const shield = shieldInput();
  const more = shield ? {shield} : {};
  const before = programInput(studio.saved, 'saved');
  if (!studio.task.finite) {
    // About numbers a program is proved for every observation; what cannot be proved (no quantities, no prover) is left out.
    const proved = (request, body) => ask(request, {...body, ...about()}).catch(() => null);
    const [value, use, check, diff] = await Promise.all([ask('eval', {policy, episodes: 300, ...about()}), ask('rules', {program: policy, ...about()}),
      proved('check', {policy}), studio.saved.trim() && studio.saved !== text ? proved('diff', {a: before, b: policy, episodes: 100}) : null]);
    return {text, value, use, check, diff};
  }
  const [check, value, use, diff] = await Promise.all([
    ask('check', {policy, ...about(more)}), ask('eval', {policy, optimum: false, ...about(more)}), ask('rules', {program: policy, ...about()}),
    studio.saved.trim() ? ask('diff', {a: before, b: policy, examples: 5000, ...about(more)}).catch(() => null) : null]);
  return {text, check, value, use, diff};
}

function verdictRow(good, title, ...words_) {
  const mark = good === null ? '·' : good ? '✓' : '✗';
  return h('li', {class: good === null ? '' : good ? 'good' : 'bad'}, h('span', {class: 'tick', 'aria-hidden': 'true'}, mark),
    h('div', {}, h('strong', {}, title), h('div', {}, ...words_)));
}

export function returnText(value) {
  if (value.return === null) return value.undefined ? `undefined in ${value.undefined.observation}` : 'none: an episode may never end';
  return figure(value.return, 6) + (value.exact || value.stderr === null ? '' : ` ± ${figure(value.stderr, 2)}`);
}

// Those that fire nowhere: in no observation that can be reached, or of a task with numbers in none that was met.
const deadRules = (verdict) => verdict.use.rules.filter((rule) => rule.observations === 0);

function changeText(diff) {
  if (studio.task.finite) return `${diff.changed_reachable} of ${diff.observations} observations have another action than before`;
  const [first] = diff.examples;
  return first ? `for example in ${first.observation}: ${first.b}, before ${first.a}` : 'nothing: it decides as before in every observation';
}

function verdictList(verdict) {
  const one = verdict.check?.checks.find((c) => c.name === 'exactly-one' && c.counts) ?? verdict.check?.checks.find((c) => c.name === 'sums-to-1' && c.counts);
  const dead = deadRules(verdict);
  const {value, diff} = verdict;
  const gain = studio.task.finite && diff && diff.return_a !== null && diff.return_b !== null ? diff.return_b - diff.return_a : null;
  return h('ul', {class: 'verdict'},
    one && verdictRow(one.holds, one.name === 'exactly-one' ? 'Exactly one action' : 'Probabilities sum to 1',
      one.holds ? `in every observation ${studio.task.finite ? 'that can be reached' : 'within the ranges, proved by Z3'}` : one.witness),
    verdictRow(value.return === null ? false : null, value.exact ? 'Exact return' : 'Sampled return', h('span', {class: 'big', id: 'return'}, returnText(value)),
      gain !== null && Math.abs(gain) > 1e-9 ? h('span', {class: gain > 0 ? 'good' : 'bad'}, ` ${gain > 0 ? '+' : ''}${figure(gain, 4)} against the saved program`) : '',
      studio.task.optimum ? h('span', {class: 'soft'}, ` optimum ${figure(studio.task.optimum.return, 6)}`) : ''),
    diff && verdictRow(null, 'Changed', changeText(diff)),
    verdictRow(dead.length === 0, dead.length === 0 ? 'No dead rule' : `${dead.length} dead rule${dead.length > 1 ? 's' : ''}`,
      dead.length === 0 ? 'every rule fires somewhere' : `line ${dead.map((rule) => rule.line).join(', ')}: never fires`));
}

function remember(verdict) {
  const last = studio.versions.at(-1);
  if (last?.text === verdict.text) return;
  const version = {text: verdict.text, value: verdict.value, when: Date.now()};
  if (last && version.when - last.when < 1500 && studio.versions.length > 1) studio.versions.pop();
  studio.versions.push(version);
  if (studio.versions.length > 50) studio.versions.splice(1, 1);
}

export async function editView(view, {go, guard, notice}) {
  if (!studio.task) {
    view.append(h('section', {class: 'card empty'}, h('h1', {}, 'No program yet'),
      h('p', {}, 'Train a policy first, or open a program with '), h('pre', {}, 'ndnf studio policy.lp --env TASK'),
      h('button', {type: 'button', class: 'primary', onclick: () => go('train')}, 'Train a policy')));
    return undefined;
  }
  const verdictBox = h('div', {id: 'verdict', 'aria-live': 'polite'});
  const mapBox = h('div', {});
  const inspector = h('div', {class: 'inspector'}, h('p', {class: 'soft'}, 'Choose a place to see why.'));
  const history = h('ol', {class: 'versions'});
  const field = editor(studio.text, {words, onInput: (text) => {
    studio.text = text;
    changed('text');
    typed = performance.now();
    mapBox.classList.add('stale');
    judgeSoon();
  }});
  let typed = 0;
  let turn = 0;

  async function judge() {
    const mine = ++turn;
    if (!studio.text.trim()) return verdictBox.replaceChildren(h('p', {class: 'soft'}, 'Write a rule, such as ', h('code', {}, `action(${actionNames()[0]}) :- ${studio.task.atoms[0] ?? 'atom'}.`)));
    try {
      const verdict = await judged(studio.text);
      if (mine !== turn) return undefined;
      show(verdict);
      const shield = shieldInput();
      const data = await ask('draw', {policies: [programInput(verdict.text)], view: 'policy', ...about(shield && studio.task.finite ? {shield} : {})});
      if (mine === turn) showMap(data, verdict.diff);
    } catch (error) {
      if (mine !== turn) return undefined;
      if (!(error instanceof Refusal)) throw error;
      field.underline(error.complaints);
      verdictBox.replaceChildren(h('ul', {class: 'verdict mistakes'}, (error.complaints.length ? error.complaints : [{what: error.message, line: 0}]).map((one) =>
        verdictRow(false, one.line ? `Line ${one.line}, column ${one.column}` : 'Mistake', one.what + (one.hint ? `; ${one.hint}` : '')))));
    }
    return undefined;
  }
  function show(verdict) {
    studio.verdict = verdict;
    const marks = {};
    for (const rule of deadRules(verdict)) marks[rule.line] = 'dead';
    field.underline([]);
    field.mark(marks);
    verdictBox.replaceChildren(verdictList(verdict));
    if (typed) globalThis.ndnfVerdicts.push({env: studio.task.spec, ms: performance.now() - typed});
    typed = 0;
    remember(verdict);
    showHistory();
  }
  function showMap(data, diff) {
    setActions(data.actions.map((a) => a.name), data.actions.map((a) => a.colour), data.actions.map((a) => a.mark));
    const different = new Set((diff?.examples ?? []).map((example) => example.observation));
    const map = policyMap(data, {changed: different, onSelect: (place) => { markPlace(map, place.state, place.observation); inspect(place, inspector); }});
    mapBox.replaceChildren(map);
    mapBox.classList.remove('stale');
  }
  function showHistory() {
    history.replaceChildren(...studio.versions.map((version, i) => h('li', {},
      h('button', {type: 'button', class: 'quiet', disabled: version.text === studio.text, onclick: () => field.set(version.text)},
        `${i === 0 ? 'as opened' : `version ${i}`}: ${returnText(version.value)}`))).reverse());
  }
  const judgeSoon = debounced(judge, 25);
  const tasks = h('select', {id: 'edit-task', onchange: () => guard(async () => { await openTask(tasks.value); judge(); })},
    [...new Set([taskName(), ...studio.hello.files.filter((file) => file.kind === 'task').map((file) => file.name), ...studio.hello.environments.map((env) => env.name)])]
      .map((name) => h('option', {value: name}, name)));
  tasks.value = taskName();
  const press = (command) => { field.area.focus(); document.execCommand(command); };
  view.append(h('h1', {class: 'visually-hidden'}, 'Edit'), h('div', {class: 'columns'},
    h('section', {class: 'card'}, h('div', {class: 'bar-title'}, h('h2', {}, 'The program'),
      h('label', {for: 'edit-task'}, 'on ', tasks),
      h('button', {type: 'button', onclick: () => press('undo')}, 'Undo'), h('button', {type: 'button', onclick: () => press('redo')}, 'Redo')),
    h('div', {class: 'editor-box', tabindex: '-1'}, field),
    h('p', {class: 'soft'}, 'Grey rules never fire. Mistakes are underlined. Ctrl+Space completes atoms and actions.')),
    h('section', {class: 'card'}, h('h2', {}, 'The verdict'), verdictBox,
      h('div', {class: 'row'}, h('button', {type: 'button', class: 'primary', 'data-do': 'save', onclick: () => guard(async () => {
        studio.file ??= `policy${programInput().name.slice(-3)}`;
        await ask('save', {file: studio.file, contents: studio.text});
        studio.saved = studio.text;
        changed('program');
        judge();
        notice(`Saved as ${studio.file}`);
      })}, 'Save'), h('button', {type: 'button', onclick: () => go('watch')}, 'Watch it'), h('button', {type: 'button', onclick: () => go('prove')}, 'Prove something')),
      h('details', {}, h('summary', {}, 'Versions'), history)),
    h('section', {class: 'card wide'}, h('h2', {}, 'What it does'), h('div', {class: 'with-inspector'}, mapBox, inspector))));
  await judge();
  return () => { turn = -1; };
}
