// Train: choose a task and a recipe, watch it learn, stop, resume, compare seeds.
import {h, figure} from './dom.js';
import {ask, follow} from './api.js';
import {setActions} from './actions.js';
import {studio, openRun, openTask, programOf, refreshFiles, taskName} from './state.js';
import {lineChart} from './chart.js';
import {programView, markLines, lineOf} from './program.js';
import {player} from './player.js';
import {episodeOf} from './watch.js';

// The training that is followed; it survives a change of the view.
const live = {id: 0, run: '', seeds: 1, series: [], events: 0, over: true, body: null, end: null, redraw: () => {}};

export async function startTraining(body) {
  const reply = await ask('train', body);
  Object.assign(live, {id: reply.id, run: reply.run, seeds: body.seeds ?? 1, series: [], over: false, body, end: null, share: 0});
  followTraining(reply.id);
  return reply;
}

function followTraining(id) {
  follow(id, (event) => {
    if (live.id !== id) return;
    if (event.event === 'begin') live.seeds = event.seeds;
    if (event.event === 'iteration') {
      const value = event.exact_return ?? event.episodic_return ?? (event.distillation_loss === undefined ? undefined : event.distillation_loss);
      if (value !== undefined) (live.series[event.run] ??= []).push([event.steps, value]);
      live.share = event.iteration / event.iterations;
    }
    if (event.event === 'end') { live.over = true; live.end = event; }
    live.redraw(event);
  }).catch((error) => { live.over = true; live.end = {error: error.message}; live.redraw({event: 'end'}); });
}

export const firstRun = () => (live.seeds > 1 ? `${live.run}/seed-0` : live.run);
export const lastTraining = live;

function dropZone(guard, choose) {
  const accept = (file) => guard(async () => {
    const contents = await file.text();
    await ask('envs', {env: {name: file.name, contents}});  // a mistake in it is told, and nothing is saved
    await ask('save', {file: file.name, contents, replace: false});
    await refreshFiles();
    await choose(file.name);
  });
  const input = h('input', {type: 'file', accept: '.json,.drn', id: 'model-file', onchange: () => input.files[0] && accept(input.files[0])});
  return h('div', {class: 'drop', ondragover: (event) => { event.preventDefault(); event.currentTarget.classList.add('over-it'); },
    ondragleave: (event) => event.currentTarget.classList.remove('over-it'),
    ondrop: (event) => { event.preventDefault(); event.currentTarget.classList.remove('over-it'); if (event.dataTransfer.files[0]) accept(event.dataTransfer.files[0]); }},
  h('label', {for: 'model-file'}, 'Your own task: drop a model file here, or choose one '), input);
}

// What the recipe `auto` can learn for a task.
function modelsFor(task) {
  if (!task.atoms.length) return [['rules', 'rules over numbers'], ['mlp', 'MLP, a network without rules']];
  return [['ndnf-mt', 'neural DNF-MT: becomes rules'], ['rules', 'ordered rules, searched for'], ['mlp', 'MLP'], ['q-table', 'Q-table']];
}

export async function trainView(view, {go, guard}) {
  const files = () => studio.hello.files.filter((file) => file.kind === 'task').map((file) => file.name);
  const task = h('select', {id: 'task'});
  const recipe = h('select', {id: 'recipe', onchange: () => { model.disabled = recipe.value !== 'auto'; }});
  const model = h('select', {id: 'model'});
  const seeds = h('input', {type: 'number', id: 'seeds', min: 1, max: 16, value: 1});
  const steps = h('input', {type: 'number', id: 'steps', min: 1, placeholder: 'recipe’s own'});
  const about = h('p', {class: 'soft', id: 'about-task'});
  const status = h('p', {id: 'training-status', 'aria-live': 'polite'});
  const bar = h('progress', {max: 1, value: 0, hidden: true, 'aria-label': 'progress of the training'});
  const chart = lineChart('mean return of training episodes, by environment steps; dashed: the optimum, where it is known');
  const results = h('div', {id: 'results'}, h('p', {class: 'soft'}, 'Choose a task and press “Train”: its learning curve grows here.'));
  chart.hidden = true;
  const rules = h('div', {id: 'live-rules'}, h('p', {class: 'soft'}, 'The rules appear here while the network learns.'));
  const stage = h('div', {class: 'stage'});
  let presets = [];
  let optimum = null;

  function fillTasks(chosen) {
    task.replaceChildren(h('optgroup', {label: 'built in'}, studio.hello.environments.map((env) => h('option', {value: env.name}, env.name))),
      ...(files().length ? [h('optgroup', {label: 'in the folder'}, files().map((name) => h('option', {value: name}, name)))] : []));
    if (chosen && ![...task.options].some((option) => option.value === chosen)) task.prepend(h('option', {value: chosen}, chosen));
    task.value = chosen ?? 'door-corridor';
  }
  async function taskChosen() {
    const fitting = presets.filter((preset) => preset.env === task.value || preset.env.split(':')[0] === task.value.split(':')[0]);
    recipe.replaceChildren(h('option', {value: 'auto'}, 'auto: one recipe for all tasks'), ...fitting.map((preset) => h('option', {value: preset.name}, preset.name)));
    const fits = (preset) => preset.env === task.value && /ndnf-mt$/.test(preset.name) && preset.method === 'ppo';
    const usual = fitting.find((preset) => fits(preset) && preset.name.startsWith('paper/')) ?? fitting.find(fits);
    if (usual) recipe.value = usual.name;
    const described = await ask('envs', {env: task.value});
    model.replaceChildren(...modelsFor(described).map(([value, words]) => h('option', {value}, words)));
    model.disabled = recipe.value !== 'auto';
    optimum = described.optimum?.return ?? null;
    about.textContent = `${studio.hello.environments.find((env) => env.name === task.value)?.summary ?? ''} ` +
      (described.finite ? `${described.states} states, ${described.actions.length} actions; optimum ${figure(optimum)}.` : `${described.actions.length} actions; no finite model: figures are sampled.`);
    return described;
  }
  // What the current policy does; nothing if it cannot be played.
  async function lookAt(run, found, described, view_) {
    const env = live.body?.env ?? found.env;
    const text = found.program ? view_.text : '';
    const policy = text ? {name: found.as === 'problog' ? 'live.pl' : 'live.lp', contents: text} : run;
    const {frames, ending} = await episodeOf(policy, 0, undefined, {env, finite: described.finite});
    stage.replaceChildren(player(frames, ending, (frame) =>
      markLines(view_, Object.fromEntries((frame.rules ?? []).map((rule) => [lineOf(rule), 'fired'])))));
  }
  let lastLook = 0;
  async function look(final) {
    if (!final && performance.now() - lastLook < 1500) return;
    lastLook = performance.now();
    const run = firstRun();
    try {
      const found = await programOf(run);
      const described = await ask('envs', {env: live.body?.env ?? found.env});
      setActions(described.actions, described.action_colours);
      const text = (found.program ?? '').split('\n').filter((line) => !line.startsWith('%')).join('\n').trim();
      const view_ = programView(text || '% no program');
      view_.text = text;
      rules.replaceChildren(h('p', {class: 'soft'}, !text ? 'This network reads numbers and has no program; the model “rules” learns one.'
        : found.learned ? 'The rules that it has learned:' : found.faithful ? 'The network as a program:' : `The nearest program: ${found.disagreements} of ${found.observations} observations differ.`), view_);
      await lookAt(run, found, described, view_);
    } catch { /* nothing can be extracted yet, or at all: the curves go on */ }
  }
  function showEnd() {
    const {end} = live;
    bar.hidden = true;
    if (!end) return;
    if (end.error) { status.textContent = end.error; status.className = 'bad'; return; }
    status.className = '';
    status.textContent = end.finished ? `Done: ${live.run}` : `Stopped: ${live.run} can be resumed.`;
    results.replaceChildren(h('table', {}, h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'run'), h('th', {scope: 'col', class: 'right'}, 'return'), h('th', {scope: 'col', class: 'right'}, 'gap'), h('th', {}, h('span', {class: 'visually-hidden'}, 'open')))),
      h('tbody', {}, end.runs.map((run, i) => {
        const name = live.seeds > 1 ? `${live.run}/seed-${run.seed}` : live.run;
        return h('tr', {}, h('td', {}, name), h('td', {class: 'right'}, figure(run.return) + (run.exact || run.stderr === null ? '' : ` ± ${figure(run.stderr, 2)}`)),
          h('td', {class: 'right'}, figure(run.gap)), h('td', {}, h('button', {type: 'button', class: i === 0 ? 'primary' : '', 'data-do': 'open-run',
            onclick: () => guard(async () => { await openRun(name); go('watch'); })}, 'Open')));
      }))),
    end.finished || !live.body ? '' : h('button', {type: 'button', 'data-do': 'resume', onclick: () => guard(() => begin({...live.body, name: live.run, resume: true}))}, 'Resume'));
  }
  function redraw(event) {
    chart.hidden = live.series.length === 0;
    chart.update(live.series.filter(Boolean), optimum);
    if (!live.over) {
      bar.hidden = false;
      bar.value = live.share ?? 0;
      status.className = '';
      status.textContent = `Training ${live.run}: ${Math.round(100 * (live.share ?? 0))} %`;
    }
    stopButton.disabled = live.over;
    startButton.disabled = !live.over;
    if (event?.event === 'checkpoint' && event.run === 0) look(false);
    if (live.over) { showEnd(); if (event && !live.end?.error) { look(true); refreshFiles(); } }
  }
  async function begin(body) {
    results.replaceChildren();
    await startTraining(body);
    redraw();
  }
  const startButton = h('button', {type: 'button', class: 'primary', 'data-do': 'train', onclick: () => guard(() => begin({env: task.value, recipe: recipe.value,
    ...(recipe.value === 'auto' ? {model: model.value} : {}),
    seeds: Number(seeds.value) || 1, ...(Number(steps.value) > 0 ? {steps: Number(steps.value)} : {})}))}, 'Train');
  const stopButton = h('button', {type: 'button', 'data-do': 'stop', disabled: true, onclick: () => guard(() => ask('stop', {id: live.id}))}, 'Stop');
  const runs = studio.hello.files.filter((file) => file.kind === 'run' || file.kind === 'program');
  view.append(h('h1', {class: 'visually-hidden'}, 'Train'), h('div', {class: 'columns'},
    h('section', {class: 'card'}, h('h2', {}, 'What to learn'),
      h('div', {class: 'fields'}, h('label', {for: 'task'}, 'Task'), task, h('label', {for: 'recipe'}, 'Recipe'), recipe,
        h('label', {for: 'model'}, 'Model'), model,
        h('label', {for: 'seeds'}, 'Seeds'), seeds, h('label', {for: 'steps'}, 'Steps'), steps),
      about, h('div', {class: 'row'}, startButton, stopButton), dropZone(guard, async (name) => { fillTasks(name); await taskChosen(); await openTask(name); }),
      runs.length ? h('details', {}, h('summary', {}, `Open one of ${runs.length} in ${studio.hello.folder}`), h('ul', {class: 'plain'}, runs.map((file) =>
        h('li', {}, h('button', {type: 'button', class: 'quiet', onclick: () => guard(async () => {
          if (file.kind === 'run') await openRun(file.name);
          else await (await import('./state.js')).openProgram(file.name, studio.task?.spec);
          go('watch');
        })}, file.name))))) : null),
    h('section', {class: 'card'}, h('h2', {}, 'How it goes'), status, bar, chart, results),
    h('section', {class: 'card'}, h('h2', {}, 'Its rules now'), rules),
    h('section', {class: 'card'}, h('h2', {}, 'An episode now'), stage)));
  stage.append(h('p', {class: 'soft'}, 'An episode of the current policy plays here.'));
  task.addEventListener('change', () => guard(async () => { await taskChosen(); await openTask(task.value); }));
  live.redraw = (event) => view.isConnected && redraw(event);
  await guard(async () => {
    presets = (await ask('presets')).presets;
    fillTasks(taskName() ?? live.body?.env);
    await taskChosen();
  });
  const running = (await ask('trainings')).trainings.find((one) => !one.over);
  if (running && live.over) { Object.assign(live, {id: running.id, run: running.run, series: [], over: false, body: running.request, end: null}); followTraining(running.id); }
  if (live.id) redraw();
  if (live.id && live.over && live.end?.runs) look(true);
  return () => { live.redraw = () => {}; };
}
