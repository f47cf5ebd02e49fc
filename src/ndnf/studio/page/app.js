// The frame around the views: tabs, notices, what was opened.
import {h} from './dom.js';
import {ask} from './api.js';
import {studio, onChange, openRun, openProgram, openTask, taskName} from './state.js';
import {trainView} from './train.js';
import {watchView} from './watch.js';
import {editView} from './edit.js';
import {proveView} from './prove.js';
import {keepView} from './keep.js';
import {startTour} from './tour.js';

const VIEWS = [['train', 'Train', trainView], ['watch', 'Watch', watchView], ['edit', 'Edit', editView],
  ['prove', 'Prove', proveView], ['keep', 'Keep', keepView]];
const view = document.getElementById('view');
const tabs = document.getElementById('tabs');
let current = '';
let leave = () => {};

export function notice(text, bad = false) {
  const box = document.getElementById('notice');
  box.className = bad ? 'bad' : '';
  box.replaceChildren(h('p', {}, text), h('button', {type: 'button', class: 'quiet', onclick: () => box.replaceChildren()}, 'Close'));
  if (!bad) setTimeout(() => box.textContent.startsWith(text) && box.replaceChildren(), 6000);
}

export async function go(name) {
  const found = VIEWS.find(([key]) => key === name);
  leave();
  leave = () => {};
  if (current && name !== current) document.getElementById('notice').replaceChildren();  // it was about the view that is left
  current = name;
  for (const tab of tabs.children) {
    const active = tab.dataset.view === name;
    tab.setAttribute('aria-selected', active);
    tab.tabIndex = active ? 0 : -1;
  }
  view.setAttribute('aria-labelledby', `tab-${name}`);
  document.title = `${found[1]} · ndnf studio`;
  view.replaceChildren();
  leave = (await found[2](view, {go, notice, guard})) ?? (() => {});
  document.dispatchEvent(new CustomEvent('studio-view', {detail: name}));
}

// Runs work whose mistakes are shown to the user.
export async function guard(work) {
  try {
    return await work();
  } catch (error) {
    notice(error.message, true);
    return undefined;
  }
}

function buildTabs() {
  tabs.append(...VIEWS.map(([key, title]) => h('button', {type: 'button', role: 'tab', id: `tab-${key}`, 'data-view': key,
    'aria-controls': 'view', onclick: () => go(key)}, title)));
  tabs.addEventListener('keydown', (event) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    const next = (VIEWS.findIndex(([key]) => key === current) + step + VIEWS.length) % VIEWS.length;
    go(VIEWS[next][0]);
    tabs.children[next].focus();
  });
  view.setAttribute('role', 'tabpanel');
}

function showSubject() {
  const dirty = studio.text !== studio.saved;
  document.getElementById('subject').replaceChildren(
    studio.task ? h('span', {class: 'task'}, taskName()) : h('span', {class: 'soft'}, 'no task yet'),
    studio.text ? h('span', {class: 'soft'}, ` · ${studio.file ?? 'a program'}${dirty ? ', edited' : ''}`) : '');
}

async function begin() {
  buildTabs();
  onChange(showSubject);
  document.getElementById('tour-button').addEventListener('click', () => startTour({go, notice}));
  try {
    studio.hello = await ask('hello');
  } catch (error) {
    view.append(h('section', {class: 'card'}, h('h1', {}, 'The studio does not answer'), h('p', {}, error.message)));
    return;
  }
  const {kind, name, env} = studio.hello.subject;
  showSubject();
  await guard(async () => {
    if (kind === 'run' || kind === 'network') await openRun(name);
    else if (kind === 'program') await openProgram(name, env);
    else if (kind === 'task') await openTask(env);
  });
  await go(studio.text ? 'watch' : 'train');
  if (!kind && !localStorage.getItem('ndnf-tour-seen')) startTour({go, notice});
  document.body.dataset.ready = 'yes';
}

begin();
