// Small helpers: elements, numbers, and waiting for the typist.

// h('button', {class: 'quiet', onclick: f}, 'text', child): properties that begin with "on" are listeners; `vars` are
// custom properties of CSS; others are attributes.
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'vars') for (const [name, v] of Object.entries(value)) element.style.setProperty(name, v);
    else if (key === 'value') element.value = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function svgElement(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function figure(number, digits = 5) {
  if (number === null || number === undefined || Number.isNaN(number)) return '–';
  const text = Math.abs(number - Math.round(number)) < 1e-9 ? String(Math.round(number)) : String(Number(number.toPrecision(digits)));
  return text.replace('-', '−');
}

export function percent(share) {
  const value = 100 * share;
  return value >= 99.95 || value < 0.05 ? `${Math.round(value)} %` : `${value.toFixed(1)} %`;
}

export function svgImage(svg, description) {
  return h('img', {src: 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg), alt: description});
}

// Calls `work` once the calls have paused for `ms`.
export function debounced(work, ms) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), ms);
  };
}
