// The guided tour: train Door Corridor in the browser, read it, edit it into DC-T, prove it. Every step can be done by
// hand; its button does it too.
import {h} from './dom.js';
import {ask} from './api.js';
import {studio, openRun, openTask, setProgram, programInput} from './state.js';
import {lastTraining, firstRun} from './train.js';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function until(condition, ms = 120000) {
  for (let waited = 0; waited < ms; waited += 100) {
    if (condition()) return true;
    await wait(100);
  }
  return false;
}

function steps({go}) {
  return [
    {title: 'A policy that you can read', words: 'In two minutes: a network learns to open doors, becomes three rules, and you change what it does and prove that it works.',
      button: 'Begin', run: async () => go('train')},
    {title: '1. Train', words: 'The agent sees images of a corridor with doors. “Train” starts the paper’s own training; the curve is its return, the dashed line the optimum.',
      button: 'Train Door Corridor', run: async () => {
        await openTask('door-corridor');
        await go('train');
        document.querySelector('[data-do=train]').click();
        await until(() => !lastTraining.over, 5000);
        await until(() => lastTraining.over);
      }},
    {title: '2. Read', see: '#live-rules', words: 'The network has become a program, faithful in every image. Play the episode: the rule that fires lights up.',
      button: 'Open it', run: async () => {
        await openRun(firstRun());
        await go('watch');
      }},
    {title: '3. Another task', see: '.player', words: 'In Door Corridor T the goal itself must be toggled, from the square before it. The program never does that: its episodes run into the step limit.',
      button: 'Look at it there', run: async () => {
        await openTask('door-corridor-t');
        await go('edit');
      }},
    {title: '4. Edit', see: '#verdict', words: 'Nothing is trained again. One rule is added that overrides the others before the goal; the return and the map change as you type.',
      button: 'Add the rule', run: async () => {
        const edited = await ask('edit', {program: programInput(), env: 'door-corridor-t', when: 'one_step_ahead_goal', do: 'toggle'});
        setProgram(edited.text, {saved: false, file: 'dc-t.lp'});
        await go('edit');
      }},
    {title: '5. Prove', see: '#verdict', words: 'Does every episode end within 8 steps? Not sampled: all of them.',
      button: 'Prove it', run: async () => {
        if (!studio.properties.includes('P>=1 [F<=8 "end"]')) studio.properties.push('P>=1 [F<=8 "end"]');
        await go('prove');
        const scope = document.getElementById('scope');
        if (scope) { scope.value = 'visited'; scope.dispatchEvent(new Event('change')); }
      }},
    {title: 'Yours', see: '#proofs', words: 'Keep it: as a program, compiled back into a network, as C, with its certificate or report. Or start with your own task.',
      button: 'To “Keep”', run: async () => go('keep')},
  ];
}

export function startTour(frame) {
  const box = document.getElementById('tour');
  const all = steps(frame);
  let at = 0;
  const close = () => {
    box.hidden = true;
    localStorage.setItem('ndnf-tour-seen', 'yes');
  };
  function show() {
    const step = all[at];
    const act = h('button', {type: 'button', class: 'primary', 'data-do': 'tour-next', onclick: async () => {
      act.disabled = true;
      try {
        await step.run();
        at += 1;
        if (at === all.length) return close();
        show();
      } catch (error) {
        frame.notice(error.message, true);
        act.disabled = false;
      }
      return undefined;
    }}, step.button);
    box.hidden = false;
    box.replaceChildren(h('div', {class: 'dots', 'aria-label': `step ${at + 1} of ${all.length}`, role: 'img'}, all.map((_, i) => h('span', {class: i === at ? 'now' : i < at ? 'done' : ''}))),
      h('h2', {}, step.title), h('p', {}, step.words), h('div', {class: 'row'}, act,
        h('button', {type: 'button', class: 'quiet', 'data-do': 'tour-close', onclick: close}, at === all.length - 1 ? 'Close' : 'Leave the tour')));
    box.dataset.step = at;
    act.focus();
    // What the step is about comes into view; on a phone above the box, which covers the lower half.
    const narrow = matchMedia('(max-width: 46rem)').matches;
    document.querySelector(step.see ?? 'main')?.closest('section, main').scrollIntoView({block: narrow ? 'start' : 'nearest'});
  }
  show();
}
