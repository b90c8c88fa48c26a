// Elements, numbers and colours that all parts of the page use. An error of the
// script stands on the page, where a reader and a test see it.
'use strict';

window.onerror = (message, source, line) => {
  const alert = document.createElement('p');
  alert.setAttribute('role', 'alert');
  alert.id = 'script-error';
  alert.textContent = `script error: ${message} (line ${line})`;
  document.body.prepend(alert);
};

// An element with attributes; children are elements or text. Functions become
// listeners.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

function makeSvg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value !== undefined && value !== null) element.setAttribute(key, value);
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined) element.append(child);
}

function section(id, title, ...children) {
  return make('section', { id, 'aria-labelledby': `${id}-title` },
    make('h2', { id: `${id}-title` }, title), ...children);
}

// A table with a caption; columns are [title, class].
function table(caption, columns, rows, attributes) {
  return make('table', attributes,
    make('caption', {}, caption),
    make('thead', {}, make('tr', {}, columns.map(([title, kind]) =>
      make('th', { scope: 'col', class: kind }, title)))),
    make('tbody', {}, rows));
}

// A row whose first cell is its header; cells follow the columns' classes.
function row(columns, cells, attributes) {
  return make('tr', attributes, cells.map((cell, i) =>
    cell instanceof HTMLTableCellElement ? cell
      : i === 0 ? make('th', { scope: 'row', class: columns[i][1] }, cell)
        : make('td', { class: columns[i][1] }, cell)));
}

// Objects without line tables need no column for them.
const hasSources = (launch) => launch.code.some((code) => code.source);

// A number with a bar behind it that shows its part of a whole.
function barCell(text, part, kind) {
  return make('td', { class: `number bar ${kind || ''}`, style: `--part: ${Math.min(1, part || 0)}` },
    make('span', {}, text));
}

const whole = (value) => Math.round(value).toLocaleString('en-US');
const percent = (part, all) => all ? `${(100 * part / all).toFixed(1)} %` : '0.0 %';
const sum = (values) => values.reduce((a, b) => a + b, 0);

// 1 -> "1 wave", 2 -> "2 waves"
const count = (value, noun) => `${whole(value)} ${noun}${value === 1 ? '' : 's'}`;

// 1234567 -> "1.23 M"
function short(value) {
  const units = ['', ' k', ' M', ' G', ' T', ' P'];
  let i = 0;
  for (; value >= 999.5 && i < units.length - 1; ++i) value /= 1000;
  return (value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toPrecision(3)) + units[i];
}

// Colours of issues, by the kind of the instruction.
const kindColors = {
  'MFMA': '#2f6fde', 'accumulator move': '#9cc4ee', 'VALU': '#67b1f0', 'global load': '#2f9e6e', 'global store': '#1f6f4d',
  'copy to LDS': '#58bfa0', 'LDS read': '#a371d6', 'LDS write': '#7447a8', 'LDS permute': '#c7a6ea',
  'scalar memory': '#6f7f96', 'SALU': '#8d97aa', 'branch': '#4f5b70',
};
const otherColor = '#b9c0cd';
const kindColor = (kind) => kindColors[kind] || otherColor;

const reasonColors = {
  'start': '#c9ced8', 'fetch': '#a8885a', 'valu-result': '#f2c14e', 'wait-vmem': '#d64541',
  'wait-lds': '#ec8a3f', 'wait-scalar': '#d8a06a', 'barrier': '#c2419c', 'lds-queue': '#e9b48a',
  'vmem-queue': '#a83232', 'counter-full': '#7c4a2d', 'matrix-dependency': '#7a8f2f',
  'matrix-busy': '#9cb84a', 'vector-busy': '#c9d88f', 'arbiter': '#e0b7d3', 'end': '#dfe3ea',
};

function legend(entries) {
  return make('ul', { class: 'legend' }, entries.map(([name, color]) =>
    make('li', {}, make('i', { style: `background: ${color}` }), name)));
}
