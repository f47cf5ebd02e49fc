// Prove: properties with counterexamples that play as episodes; shields and their price; training on from locked rules.
import {h, figure} from './dom.js';
import {ask} from './api.js';
import {studio, policyInput, programInput, shieldInput, about, taskName} from './state.js';
import {player} from './player.js';
import {coloured} from './program.js';
import {returnText} from './edit.js';
import {startTraining} from './train.js';

function suggestions() {
  const labels = Object.keys(studio.task.labels ?? {});
  if (!studio.task.finite) return studio.task.actions.map((action) => `never action(${action}) when ${studio.task.quantities[0].name} > 0`).concat('P>=0.9 [G<=100 !"end"]');
  const all = ['R=? [C]', 'P>=1 [F "end"]'];
  for (const label of labels) all.push(`P>=1 [F "${label}"]`, `P=? [F<=10 "${label}"]`, `P<=0 [F "${label}"]`);
  for (const action of studio.task.actions) all.push(`P<=0 [F ${action}]`);
  return all;
}

// A trace as frames; what the policy knows about its observations is added where it can be.
async function framesOfTrace(trace) {
  const {pictures} = await ask('pictures', about({states: trace.map((step) => step.state)}));
  const known = {};
  try {
    const observations = [...new Set(trace.map((step) => step.observation))].slice(0, 50);
    for (const one of (await ask('explain', {policy: policyInput(), observations, ...about()})).explanations) known[one.observation] = one;
  } catch { /* the observations cannot be described by atoms */ }
  return trace.map((step, i) => ({...(known[step.observation] ?? {}), ...step, picture: pictures[i], step: i,
    over: step.end === true || (i === trace.length - 1 && !step.action), probabilities: known[step.observation]?.probabilities}));
}

function verdictWord(check) {
  return check.holds === null ? 'undecided' : check.holds ? 'holds' : 'fails';
}

export async function proveView(view, {go, guard, notice}) {
  if (!studio.task || (!studio.text && !studio.run)) {
    view.append(h('section', {class: 'card empty'}, h('h1', {}, 'Nothing to prove yet'), h('p', {}, 'Open or train a policy first.'),
      h('button', {type: 'button', class: 'primary', onclick: () => go('train')}, 'Train a policy')));
    return undefined;
  }
  const {finite} = studio.task;
  if (!finite && (!studio.text.trim() || !studio.task.quantities.length)) {
    view.append(h('section', {class: 'card empty'}, h('h1', {}, 'Nothing can be proved here'),
      h('p', {}, `${taskName()} has no finite model: its returns are sampled. Only programs about its numbers can be proved.`)));
    return undefined;
  }
  const results = h('ul', {class: 'verdict', id: 'proofs', 'aria-live': 'polite'});
  const stage = h('div', {class: 'stage', id: 'counterexample'});
  const scope = h('select', {id: 'scope'}, h('option', {value: 'reachable'}, 'every observation that can be reached'), h('option', {value: 'visited'}, 'what the program visits'));
  const field = h('input', {type: 'text', id: 'property', list: 'properties', size: 34, placeholder: suggestions()[finite ? 1 : 0], spellcheck: 'false'});
  scope.addEventListener('change', () => guard(run));

  function row(check) {
    const good = check.holds;
    const play = check.trace ? h('button', {type: 'button', 'data-do': 'trace', onclick: () => guard(async () => {
      const frames = await framesOfTrace(check.trace);
      stage.replaceChildren(h('h3', {}, `Counterexample: ${check.name}`), player(frames, check.witness ?? check.note ?? ''));
      stage.querySelector('[data-do=play]').focus();
    })}, 'Watch the counterexample') : null;
    const property = studio.properties.includes(check.name);
    return h('li', {class: good === null ? '' : good ? 'good' : 'bad', 'data-check': check.name},
      h('span', {class: 'tick', 'aria-hidden': 'true'}, good === null ? '·' : good ? '✓' : '✗'),
      h('div', {}, property ? h('code', {}, check.name) : h('strong', {}, check.name), ` ${verdictWord(check)}`,
        check.value !== undefined ? h('span', {class: 'number'}, ` value ${figure(check.value, 8)}`) : '',
        check.sampled ? h('span', {class: 'soft'}, `, sampled in ${check.sampled.episodes} episodes: ${figure(check.sampled.low)} to ${figure(check.sampled.high)}`) : '',
        check.witness || check.note ? h('div', {class: 'soft'}, check.witness ?? check.note) : null, play),
      property ? h('button', {type: 'button', class: 'quiet', 'aria-label': `remove ${check.name}`, onclick: () => {
        studio.properties = studio.properties.filter((one) => one !== check.name);
        guard(run);
      }}, '×') : null);
  }
  async function run() {
    const shield = shieldInput();
    const reply = await ask('check', {policy: policyInput(), properties: studio.properties, ...(finite ? {scope: scope.value} : {}), ...about(shield ? {shield} : {})});
    results.replaceChildren(...reply.checks.filter((check) => check.counts).map(row));
  }
  const add = () => guard(async () => {
    const text = field.value.trim();
    if (!text) return;
    const shield = shieldInput();
    await ask('check', {policy: policyInput(), properties: [text], ...about(shield ? {shield} : {})});  // a mistake is told, and nothing changes
    if (!studio.properties.includes(text)) studio.properties.push(text);
    field.value = '';
    await run();
  });
  const shieldField = h('textarea', {id: 'shield', rows: 4, spellcheck: 'false', placeholder: `forbidden(${studio.task.actions[0]}) :- ${studio.task.atoms[0] ?? 'atom'}.`});
  shieldField.value = studio.shield;
  const price = h('p', {id: 'price', 'aria-live': 'polite'});
  const applyShield = () => guard(async () => {
    studio.shield = shieldField.value;
    const shield = shieldInput();
    const plain = await ask('eval', {policy: policyInput(), ...about()});
    if (!shield) { price.replaceChildren('No shield.'); return run(); }
    const shielded = await ask('eval', {policy: policyInput(), shield, ...about()});
    const cost = plain.return !== null && shielded.return !== null ? plain.return - shielded.return : null;
    price.replaceChildren(`Return ${returnText(plain)} without, ${returnText(shielded)} with the shield`,
      cost === null ? '. Where the shield forbids all that the program would do, it has no action: the price of a program is known when its rules obey the shield.' : h('strong', {}, Math.abs(cost) < 1e-12 ? ': it costs nothing.' : `: its price is ${figure(cost, 4)}.`));
    return run();
  });
  const rules = studio.text.split('\n').map((line, i) => [i + 1, line]).filter(([, line]) => /action\(/.test(line) && !line.trim().startsWith('%'));
  const locks = rules.map(([number, line]) => [number, h('input', {type: 'checkbox', id: `lock-${number}`}), line]);
  const trainOn = () => guard(async () => {
    const lock = locks.filter(([, box]) => box.checked).map(([number]) => String(number));
    const shield = shieldInput();
    const reply = await startTraining({env: taskName(), init: programInput(), ...(lock.length ? {lock} : {}), ...(shield ? {shield} : {})});
    await go('train');
    notice(`Training ${reply.run} has begun`);
  });
  const shieldCard = h('section', {class: 'card'}, h('h2', {}, 'A shield and its price'),
      h('p', {class: 'soft'}, 'Rules that forbid actions, whatever the policy says.'),
      h('label', {for: 'shield', class: 'visually-hidden'}, 'the shield'), shieldField,
      h('div', {class: 'row'}, h('button', {type: 'button', 'data-do': 'shield', onclick: applyShield}, 'Apply'),
        h('button', {type: 'button', class: 'quiet', onclick: () => { shieldField.value = ''; applyShield(); }}, 'Remove')), price);
  const trainCard = h('section', {class: 'card'}, h('h2', {}, 'Train on from here'),
      locks.length ? h('ul', {class: 'plain locks'}, locks.map(([number, box, line]) => h('li', {}, box, h('label', {for: `lock-${number}`}, h('code', {}, coloured(line)))))) : h('p', {class: 'soft'}, 'There is no rule to start from.'),
      h('p', {class: 'soft'}, 'Marked rules are locked: training keeps their weights.'),
      h('button', {type: 'button', 'data-do': 'train-on', disabled: !locks.length, onclick: trainOn}, 'Train on'));
  view.append(h('h1', {class: 'visually-hidden'}, 'Prove'), h('div', {class: 'columns'},
    h('section', {class: 'card'}, h('h2', {}, 'Properties'),
      h('form', {class: 'row', onsubmit: (event) => { event.preventDefault(); add(); }}, h('label', {for: 'property', class: 'visually-hidden'}, 'property'), field,
        h('button', {class: 'primary', 'data-do': 'check'}, 'Check')),
      h('datalist', {id: 'properties'}, suggestions().map((one) => h('option', {value: one}))),
      finite ? h('p', {}, h('label', {for: 'scope'}, 'Rules are checked in '), scope)
        : h('p', {class: 'soft'}, 'Rules are proved by Z3 for every observation within the ranges. Properties of episodes are sampled, with an interval of confidence.'), results),
    ...(finite ? [h('section', {class: 'card'}, h('h2', {}, 'Counterexample'), stage), shieldCard, trainCard] : [])));
  stage.append(h('p', {class: 'soft'}, 'When a check fails, its counterexample plays here.'));
  await guard(run);
  return undefined;
}
