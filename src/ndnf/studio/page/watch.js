// Watch: an episode with the rules lighting up, and what the policy does in any place.
import {h, figure} from './dom.js';
import {ask} from './api.js';
import {setActions} from './actions.js';
import {studio, policyInput, shieldInput, about} from './state.js';
import {programView, markLines, lineOf} from './program.js';
import {policyMap, markPlace} from './map.js';
import {player, framesOf, framesOfStrip, reasons} from './player.js';

const MOST_FRAMES = 1000;  // that the engine draws in one request

// `on`: the task, if it is not that of the studio.
export async function episodeOf(policy, seed, shield = shieldInput(), on = {...about(), finite: studio.task.finite}) {
  const env = on.env ? {env: on.env} : {};
  const body = {...env, seed, ...(shield ? {shield} : {})};
  if (!on.finite) {
    const strip = await ask('draw', {policies: [policy], view: 'episode', ...body});
    const explained = await ask('explain', {policy, ...body}).catch(() => null);  // programs only
    return {frames: framesOfStrip(strip, explained), ending: strip.ending};
  }
  const explained = await ask('explain', {policy, ...body});
  const states = explained.episode.map((step) => step.state).concat(explained.last_state ?? []).slice(0, MOST_FRAMES);
  const {pictures} = await ask('pictures', {...env, states});
  return {frames: framesOf(explained, pictures), ending: `Over: ${explained.ending}`};
}

// "angle 0.05 rad, spin -0.2 rad/s" as a condition: angle = 0.05, spin = -0.2.
const condition = (observation) => [...observation.matchAll(/([a-z_]\w*) (-?[\d.]+(?:e-?\d+)?)/gi)].map(([, name, value]) => `${name} = ${value}`).join(', ');

export async function mapOf(policy, options, shield = shieldInput()) {
  const data = await ask('draw', {policies: [policy], view: 'policy', ...about(shield ? {shield} : {})});
  setActions(data.actions.map((a) => a.name), data.actions.map((a) => a.colour), data.actions.map((a) => a.mark));
  return {data, element: policyMap(data, options)};
}

// What the policy does in a place: reason, value, visits.
export async function inspect(place, box, policy = policyInput(), shield = shieldInput()) {
  box.replaceChildren(h('p', {class: 'soft'}, '…'));
  const figures = h('dl', {class: 'figures'},
    h('div', {}, h('dt', {}, 'value from here'), h('dd', {}, figure(place.value))),
    h('div', {}, h('dt', {}, 'visits an episode'), h('dd', {}, figure(place.visits ?? (place.visited ? null : 0)))));
  if (!place.probabilities && !place.undefined) {
    return box.replaceChildren(h('p', {}, h('code', {}, place.observation)), h('p', {class: 'soft'}, 'Nothing is decided here.'));
  }
  let frame = place;
  try {
    const where = studio.task.finite ? place.observation : condition(place.observation);
    const body = about({observations: [where], ...(shield ? {shield} : {})});
    const [explained] = (await ask('explain', {policy, ...body})).explanations;
    frame = {...explained, observation: place.observation};
  } catch { /* images that atoms do not describe: what the map knows is shown */ }
  box.replaceChildren(figures, reasons(frame));
  return undefined;
}

export async function watchView(view, {go, guard}) {
  if (!studio.task || (!studio.text && !studio.run)) {
    view.append(h('section', {class: 'card empty'}, h('h1', {}, 'Nothing to watch yet'),
      h('p', {}, 'Train a policy, or open a program: then its episodes play here, and the rules light up as they fire.'),
      h('button', {type: 'button', class: 'primary', onclick: () => go('train')}, 'Train a policy')));
    return undefined;
  }
  const stage = h('div', {class: 'stage'});
  const mapBox = h('div', {});
  const inspector = h('div', {class: 'inspector', 'aria-live': 'polite'},
    h('p', {class: 'soft'}, 'Choose a place to see what the policy does there, why, and how often it comes there.'));
  const program = studio.text ? programView(studio.text) : null;
  const seed = h('input', {type: 'number', min: 0, value: studio.seed, id: 'seed', onchange: () => {
    studio.seed = Math.max(0, Math.floor(Number(seed.value) || 0));
    load();
  }});
  view.append(h('h1', {class: 'visually-hidden'}, 'Watch'), h('div', {class: 'columns'},
    h('section', {class: 'card'}, h('div', {class: 'bar-title'}, h('h2', {}, 'An episode'),
      h('label', {for: 'seed'}, 'seed ', seed),
      h('button', {type: 'button', 'data-do': 'another', onclick: () => { seed.value = ++studio.seed; load(); }}, 'Another')), stage),
    h('section', {class: 'card'}, h('h2', {}, 'The program'), program ?? h('p', {class: 'soft'}, 'No program: the network itself is shown.')),
    h('section', {class: 'card wide'}, h('h2', {}, 'The policy on its task'), h('div', {class: 'with-inspector'}, mapBox, inspector))));
  let map = null;
  async function load() {
    await guard(async () => {
      const {frames, ending} = await episodeOf(policyInput(), studio.seed);
      stage.replaceChildren(player(frames, ending, (frame) => {
        if (program) markLines(program, Object.fromEntries((frame.rules ?? []).map((rule) => [lineOf(rule), 'fired'])));
        if (map) markPlace(map, frame.state, frame.observation);
      }));
    });
  }
  await guard(async () => {
    const drawn = await mapOf(policyInput(), {onSelect: (place) => inspect(place, inspector)});
    map = drawn.element;
    mapBox.append(map);
  });
  await load();
  return undefined;
}
