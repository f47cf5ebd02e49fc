// A line chart that grows: one line per run, and the mean of several.
import {h, svgElement, figure} from './dom.js';

const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 56;

function ticks(low, high) {
  const rough = (high - low) / 4 || 1;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * unit).find((k) => k >= rough);
  const all = [];
  for (let t = Math.ceil(low / step) * step; t <= high + 1e-9; t += step) all.push(t);
  return all;
}

export function lineChart(title) {
  const svg = svgElement('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', class: 'chart'});
  const element = h('figure', {class: 'chart-box'}, svg, h('figcaption', {}, title));
  // `series`: lists of [x, y]; `reference`: a value to compare with.
  element.update = (series, reference) => {
    const points = series.flat();
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y).concat(reference ?? []);
    svg.replaceChildren(svgElement('title', {}, title));
    if (points.length === 0) return;
    const high = Math.max(...ys);
    const low = Math.min(...ys);
    const pad = (high - low) * 0.06 || 1;
    const right = Math.max(...xs) || 1;
    const x = (value) => LEFT + ((WIDTH - LEFT - 10) * value) / right;
    const y = (value) => 8 + (HEIGHT - 36) * (1 - (value - low + pad) / (high - low + 2 * pad));
    for (const tick of ticks(low, high)) {
      svg.append(svgElement('line', {x1: LEFT, x2: WIDTH - 10, y1: y(tick), y2: y(tick), class: 'rule'}),
        svgElement('text', {x: LEFT - 6, y: y(tick) + 4, 'text-anchor': 'end'}, figure(tick, 3)));
    }
    for (const tick of ticks(0, right).slice(1))
      svg.append(svgElement('text', {x: x(tick), y: HEIGHT - 8, 'text-anchor': 'middle'}, tick >= 1000 ? `${figure(tick / 1000, 3)}k` : figure(tick)));
    if (reference !== undefined && reference !== null)
      svg.append(svgElement('line', {x1: LEFT, x2: WIDTH - 10, y1: y(reference), y2: y(reference), class: 'reference'}));
    series.forEach((line, i) => svg.append(svgElement('polyline', {class: `line${series.length > 1 ? ' thin' : ''}`, 'data-run': i,
      points: line.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(' ')})));
    if (series.length > 1) svg.append(svgElement('polyline', {class: 'line', points: meanOf(series).map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(' ')}));
  };
  return element;
}

// Of the runs that have come so far, at the steps of the first.
function meanOf(series) {
  const longest = series.reduce((a, b) => (b.length > a.length ? b : a));
  return longest.map(([x], i) => {
    const here = series.map((line) => line[Math.min(i, line.length - 1)]).filter(Boolean).map(([, y]) => y);
    return [x, here.reduce((a, b) => a + b, 0) / here.length];
  });
}
