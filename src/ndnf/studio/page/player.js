// Plays an episode frame by frame: the state, what fired, why, and why not another action.
import {h, figure, svgImage} from './dom.js';
import {chip, distribution} from './actions.js';

// Frames from the requests `explain` and `pictures`.
export function framesOf(explained, pictures) {
  const frames = explained.episode.map((step, i) => ({
    ...explained.explanations[step.explanation], state: step.state, observation: step.observation,
    action: step.action, reward: step.reward, picture: pictures?.[i], step: i}));
  if (explained.last_state !== null && explained.last_state !== undefined)
    frames.push({over: true, state: explained.last_state, picture: pictures?.[explained.episode.length], step: frames.length});
  return frames;
}

// Of a task without a finite model, from `draw`, with the reasons of `explain` where the policy is a program.
export function framesOfStrip(strip, explained) {
  return strip.frames.map((frame) => ({probabilities: frame.action ? {[frame.action]: frame.probability} : null,
    ...(explained?.explanations[explained.episode[frame.step]?.explanation] ?? {}), ...frame}));
}

function reasonView(frame) {
  if (!frame.action) return frame.over ? null : h('p', {class: 'bad'}, `No action: ${frame.row ?? 'the policy is undefined here'}.`);
  const because = frame.reason === undefined ? null
    : h('p', {}, chip(frame.action), ' because ', frame.reason === null ? 'of the image as a whole'
      : frame.reason === 'nothing' ? 'it always does' : h('code', {}, frame.reason));
  const others = (frame.why_not ?? []).filter((other) => other.change);
  return [because, others.length ? h('details', {}, h('summary', {}, 'Why not another action?'),
    h('ul', {class: 'plain'}, others.map((other) => h('li', {}, chip(other.action), ' if ', h('code', {}, other.change))))) : null];
}

export function reasons(frame) {
  return h('div', {class: 'reasons'},
    h('p', {class: 'observation'}, h('code', {}, frame.observation ?? '')),
    frame.over ? null : distribution(frame.probabilities),
    reasonView(frame),
    frame.rules?.length ? h('ul', {class: 'plain rules'}, frame.rules.map((rule) => h('li', {}, h('code', {}, rule)))) : null);
}

// `onFrame(frame)` is called for each frame that is shown.
export function player(frames, ending, onFrame = () => {}) {
  let at = 0;
  let timer = 0;
  const picture = h('div', {class: 'picture'});
  const words = h('div', {class: 'words', 'aria-live': 'polite'});
  const slider = h('input', {type: 'range', min: 0, max: Math.max(0, frames.length - 1), value: 0, 'aria-label': 'step',
    oninput: () => show(Number(slider.value))});
  const play = h('button', {type: 'button', class: 'primary', 'data-do': 'play', onclick: () => (timer ? pause() : start())}, 'Play');
  const status = h('span', {class: 'number'});
  const button = (name, label, step) =>
    h('button', {type: 'button', 'aria-label': label, 'data-do': name, onclick: () => { pause(); show(at + step); }}, step < 0 ? '‹' : '›');
  const element = h('div', {class: 'player', onkeydown: (event) => {
    if (event.target === slider) return;
    if (event.key === 'ArrowRight') show(at + 1);
    else if (event.key === 'ArrowLeft') show(at - 1);
    else return;
    event.preventDefault();
  }}, picture, h('div', {class: 'controls'}, button('back', 'step back', -1), play, button('step', 'step', 1), slider, status), words);

  function pause() {
    clearInterval(timer);
    timer = 0;
    play.textContent = 'Play';
  }
  function start() {
    if (at === frames.length - 1) show(0);
    play.textContent = 'Pause';
    timer = setInterval(() => {
      if (!element.isConnected || at === frames.length - 1) return pause();
      show(at + 1);
    }, 700);
  }
  function show(step) {
    at = Math.min(Math.max(0, step), frames.length - 1);
    const frame = frames[at];
    slider.value = at;
    status.textContent = frame.over ? 'the end' : `step ${frame.step}`;
    picture.hidden = !frame.picture;
    picture.replaceChildren(frame.picture ? svgImage(frame.picture, `the state in step ${frame.step}`) : '');
    words.replaceChildren(frame.over ? h('p', {}, h('strong', {}, ending)) : h('p', {class: 'doing'},
      frame.action ? chip(frame.action) : h('span', {class: 'bad'}, 'no action'),
      frame.reward === undefined ? '' : ` reward ${figure(frame.reward)}`), frame.over ? '' : reasons(frame));
    if (!frame.over && at === frames.length - 1) words.append(h('p', {}, h('strong', {}, ending)));
    onFrame(frame);
  }
  element.show = show;
  if (frames.length) show(0);
  return element;
}
