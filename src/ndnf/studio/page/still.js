// The watch view without a studio behind it: for notebooks. All it shows is in the page.
import {h} from './dom.js';
import {setActions} from './actions.js';
import {programView, markLines, lineOf} from './program.js';
import {policyMap, markPlace} from './map.js';
import {player, framesOf, framesOfStrip} from './player.js';

const data = JSON.parse(document.getElementById('data').textContent);
setActions(data.map.actions.map((a) => a.name), data.map.actions.map((a) => a.colour), data.map.actions.map((a) => a.mark));
const stillMap = policyMap(data.map);
const stillProgram = data.program ? programView(data.program) : null;
const stillFrames = data.explained ? framesOf(data.explained, data.pictures) : framesOfStrip(data.strip, data.reasons);
const stillPlayer = player(stillFrames, (data.explained ?? data.strip).ending, (frame) => {
  markPlace(stillMap, frame.state, frame.observation);
  if (stillProgram) markLines(stillProgram, Object.fromEntries((frame.rules ?? []).map((rule) => [lineOf(rule), 'fired'])));
});
document.getElementById('still').append(h('h1', {}, data.title), h('div', {class: 'columns'},
  h('section', {class: 'card'}, h('h2', {}, 'An episode'), stillPlayer),
  stillProgram && h('section', {class: 'card'}, h('h2', {}, 'The program'), stillProgram),
  h('section', {class: 'card wide'}, h('h2', {}, 'The policy'), stillMap)));
