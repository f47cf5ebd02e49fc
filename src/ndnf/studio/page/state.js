// What all views share: the task, the program, its versions. Views listen to changes; nothing else is global.
import {ask} from './api.js';
import {setActions} from './actions.js';

export const studio = {
  hello: null,
  env: null,           // as requests take it; null: the policy names its own
  task: null,          // the answer of `envs`
  run: null,           // the run that the program comes from, if there is one
  file: null,          // where the program is saved
  text: '',            // the program as it is edited
  saved: '',           // as it was opened or saved
  versions: [],        // {text, value, when}
  verdict: null,       // the last answers about `text`
  shield: '',
  properties: [],
  seed: 0,
};

const listeners = new Set();
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export function changed(what) {
  for (const listener of [...listeners]) listener(what);
}

export const extension = () => (/::/.test(studio.text) || studio.file?.endsWith('.pl') ? '.pl' : '.lp');
export const programInput = (text = studio.text, name = 'policy') => ({name: name + extension(), contents: text});
// The policy that is watched: the program, or the run's network while there is no program.
export const policyInput = () => (studio.text.trim() ? programInput() : studio.run ?? 'uniform');
export const shieldInput = () => (studio.shield.trim() ? {name: 'shield.lp', contents: studio.shield} : undefined);
export const about = (more = {}) => ({...(studio.env ? {env: studio.env} : {}), ...more});

const isBuiltIn = (spec) => studio.hello.environments.some((env) => env.name === spec.split(':')[0]);

// A task by the name that requests take: a model file is in the studio's folder, whatever the folder's own path is.
export const taskName = () => studio.env ?? studio.task?.spec;

export async function openTask(env) {
  studio.task = await ask('envs', {env});
  studio.env = env;
  setActions(studio.task.actions, studio.task.action_colours);
  changed('task');
}

export function setProgram(text, {saved = true, file = studio.file} = {}) {
  studio.text = text;
  if (saved) studio.saved = text;
  studio.file = file;
  changed('program');
}

// In the compact form where there is one: ProbLog has no intervals.
export const extracted = (body) => ask('extract', {...body, compact: true}).catch(() => ask('extract', body));

// The program of a run: extracted from its network, or the rules that it has learned. A network over numbers has none.
export async function programOf(run) {
  const found = await extracted({policy: run}).catch(() => null);
  if (found) return found;
  const learned = await ask('read', {file: `${run}/policy.lp`}).catch(() => null);
  const {env} = await ask('draw', {policies: [run], view: 'policy'});
  return {env, as: 'asp', program: learned?.contents ?? '', faithful: true, learned: Boolean(learned)};
}

export async function openRun(run) {
  const found = await programOf(run);
  studio.run = run;
  await openTask(isBuiltIn(found.env) ? found.env : `${run}/task.json`);
  studio.versions = [];
  setProgram(found.program ?? '', {file: `${run}-program${found.as === 'problog' ? '.pl' : '.lp'}`.replaceAll('/', '-')});
  return found;
}

export async function openProgram(file, env) {
  const {contents} = await ask('read', {file});
  const named = /^% environment: (.+)$/m.exec(contents)?.[1];
  const spec = env || (named && isBuiltIn(named) ? named : named?.split('/').pop());
  if (!spec) throw new Error(`${file} names no environment: choose a task first`);
  studio.run = null;
  await openTask(spec);
  studio.versions = [];
  setProgram(contents, {file});
}

export async function refreshFiles() {
  studio.hello.files = (await ask('files')).files;
  changed('files');
}
