// The actions of the task. An action has the same colour in every view: that of its number.
import {h, percent} from './dom.js';

const known = {names: [], colours: [], marks: []};

export function setActions(names, colours, marks = []) {
  known.names = names;
  known.colours = colours;
  known.marks = marks;
}
export const actionNames = () => known.names;
export const colourOf = (name) => known.colours[known.names.indexOf(name)] ?? '#57606a';
export function markOf(name) {
  const mark = known.marks[known.names.indexOf(name)];
  return mark ?? (name ?? '?').slice(0, 1).toUpperCase();
}

export function chip(name, extra = '') {
  return h('span', {class: 'chip', vars: {'--a': colourOf(name)}}, name + (extra ? ' ' + extra : ''));
}

// A bar per action, the most probable first.
export function distribution(probabilities) {
  if (!probabilities) return h('p', {class: 'bad'}, 'The policy is undefined here.');
  const rows = Object.entries(probabilities).sort((a, b) => b[1] - a[1]);
  return h('ul', {class: 'bars'}, rows.map(([name, share]) =>
    h('li', {vars: {'--a': colourOf(name), '--share': 100 * share + '%'}},
      h('span', {class: 'bar', 'aria-hidden': 'true'}), h('span', {}, name), h('span', {class: 'number'}, percent(share)))));
}
