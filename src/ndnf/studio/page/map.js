// A policy on its task: places in panels, or a list of observations. Every place is a button.
import {h, figure, percent} from './dom.js';
import {colourOf, markOf} from './actions.js';

const best = (probabilities) => Object.entries(probabilities).reduce((a, b) => (b[1] > a[1] ? b : a));

function placeText(place) {
  const parts = [place.observation];
  if (place.labels?.length) parts.push(place.labels.join(', '));
  if (place.undefined) parts.push(place.undefined);
  if (place.probabilities) {
    const [name, share] = best(place.probabilities);
    parts.push(share > 0.9995 ? name : `${name} ${percent(share)}`);
  }
  if (place.value !== null && place.value !== undefined) parts.push(`value ${figure(place.value, 4)}`);
  if (place.differs) parts.push('differs from the optimum');
  return parts.join('; ');
}

function square(place, options) {
  const classes = ['place'];
  const vars = {};
  let mark = '';
  let small = '';
  if (place.undefined) {
    classes.push('undefined');
    mark = '?';
  } else if (place.probabilities) {
    const [name, share] = best(place.probabilities);
    vars['--a'] = colourOf(name);
    vars['--share'] = (place.visited ? 26 + 34 * share : 8) + '%';
    mark = markOf(name);
    if (share < 0.9995) small = percent(share);
  } else {
    classes.push('nothing');
    small = place.labels?.[0] ?? '';
  }
  if (!place.visited) classes.push('unvisited');
  if (place.differs) classes.push('differs');
  if (options.changed?.has(place.observation)) classes.push('changed');
  const element = h('button', {type: 'button', class: classes.join(' '), vars, title: placeText(place),
    'aria-label': placeText(place), onclick: () => options.onSelect?.(place, element)},
  h('span', {class: 'mark', 'aria-hidden': 'true'}, mark), small && h('span', {class: 'small', 'aria-hidden': 'true'}, small));
  if (place.state !== undefined && place.state !== null) element.dataset.state = place.state;
  element.dataset.observation = place.observation;
  return element;
}

// The rows and columns of a panel that have places.
function panelView(data, panel, options) {
  const rows = [...new Set(panel.places.map((p) => p.row))].sort((a, b) => a - b);
  const columns = [...new Set(panel.places.map((p) => p.column))].sort((a, b) => a - b);
  const grid = h('div', {class: 'grid', vars: {'--columns': columns.length}});
  const at = new Map(panel.places.map((p) => [p.row * 10000 + p.column, p]));
  grid.append(h('span'), ...columns.map((c) => h('span', {class: 'axis'}, data.columns[c])));
  for (const r of rows) {
    grid.append(h('span', {class: 'axis'}, data.rows[r]));
    for (const c of columns) {
      const place = at.get(r * 10000 + c);
      grid.append(place ? square(place, options) : h('span', {class: 'hole'}));
    }
  }
  const axes = [data.column_title && `→ ${data.column_title}`, data.row_title && `↓ ${data.row_title}`].filter(Boolean);
  return h('figure', {class: 'panel'}, h('figcaption', {}, panel.title || ' ',
    axes.length ? h('span', {class: 'soft'}, ' ' + axes.join('  ')) : null), grid);
}

function listView(data, options) {
  return h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'observations'},
    h('table', {class: 'observations'},
      h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'observation'), h('th', {scope: 'col'}, 'action'),
        h('th', {scope: 'col', class: 'right'}, 'value'), h('th', {scope: 'col', class: 'right'}, 'visits'))),
      h('tbody', {}, data.observations.map((place) => {
        const button = square({...place, visited: place.visits > 0, labels: []}, options);
        return h('tr', {}, h('td', {}, place.observation), h('td', {}, button),
          h('td', {class: 'right'}, figure(place.value, 4)), h('td', {class: 'right'}, figure(place.visits, 3)));
      }))));
}

// A browser takes seconds for thousands of buttons, so large maps show their first panels until asked for more.
function panelsView(data, options) {
  const MOST = 1500;
  let shown = 0;
  const first = data.panels.findIndex((panel) => (shown += panel.places.length) > MOST);
  const count = first < 0 ? data.panels.length : Math.max(1, first);
  const box = h('div', {class: 'panels', tabindex: '0', role: 'region', 'aria-label': 'the policy in the places of the task'},
    data.panels.slice(0, count).map((p) => panelView(data, p, options)));
  if (count < data.panels.length) {
    const more = h('button', {type: 'button', onclick: () => more.replaceWith(...data.panels.slice(count).map((p) => panelView(data, p, options)))},
      `Show ${data.panels.length - count} more panels`);
    box.append(more);
  }
  return box;
}

// `options`: onSelect(place), changed (a set of observations).
export function policyMap(data, options = {}) {
  const places = data.panels ? data.panels.flatMap((panel) => panel.places) : data.observations;
  const legend = h('p', {class: 'legend'},
    data.actions.map((a) => h('span', {class: 'key', vars: {'--a': a.colour}}, `${a.mark} ${a.name}`)),
    options.changed?.size ? h('span', {class: 'key changed-key'}, 'changed') : null,
    places.some((place) => place.differs) ? h('span', {class: 'key differs-key'}, `never done by ${data.reference}`) : null,
    places.some((place) => place.visited === false) ? h('span', {class: 'soft'}, 'pale: never visited') : null,
    places.some((place) => place.undefined) ? h('span', {class: 'soft'}, '?: no action, or several') : null,
    data.left_out ? h('span', {class: 'soft'}, `${data.left_out} more are not shown`) : null);
  const body = data.panels ? panelsView(data, options) : listView(data, options);
  return h('div', {class: 'map'}, body, legend);
}

// Marks where the episode is now.
export function markPlace(map, state, observation) {
  for (const old of map.querySelectorAll('.here')) old.classList.remove('here');
  const now = (state !== undefined && state !== null && map.querySelector(`[data-state="${state}"]`)) ||
    [...map.querySelectorAll('[data-observation]')].find((e) => e.dataset.observation === observation);
  now?.classList.add('here');
  const box = now?.closest('.panels, .scroll');
  if (now && box) {
    const outer = box.getBoundingClientRect();
    const inner = now.getBoundingClientRect();
    if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - outer.height / 3;
    if (inner.left < outer.left || inner.right > outer.right) box.scrollLeft += inner.left - outer.left - outer.width / 3;
  }
}
