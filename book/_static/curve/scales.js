// Where a chart's numbers lie on the screen, and which of them its axes name.
import { nice, ticks } from 'd3-array';
import { fitting, quantity, shown } from '../quantity.js';
import { width as widthOf } from './words.js';

const APART_PX = 8; // between two labels of an axis
const ROW_PX = 18; // from one label of the y-axis to the next
const MOST = 6; // ticks
const FITTED = new Set(['s', 'B']); // units with multiples
const RIGHT_PX = 14, TOP_PX = 44, BOTTOM_PX = 24, BESIDE_PX = 10;

/**
 * Where values lie on the screen.
 * @param {Bounds['scale']} kind
 * @param {[number, number]} domain
 * @param {[number, number]} range
 */
function place(kind, domain, [from, to]) {
  const [turn, back] = kind === 'log' ? [Math.log, Math.exp] : [Number, Number];
  const [low, high] = domain.map((end) => turn(end));
  const scale = (/** @type {number} */ value) => from + ((turn(value) - low) / (high - low)) * (to - from);
  return Object.assign(scale, {
    invert: (/** @type {number} */ px) => back(low + ((px - from) / (to - from)) * (high - low)),
  });
}

/**
 * Ticks of 1, 2 or 5 times a power of ten.
 * @param {[number, number]} domain
 */
function logTicks([low, high]) {
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
    all.push(...[1, 2, 5].map((times) => ({ value: times * 10 ** power, whole: times === 1, power })));
  }
  const inside = all.filter(({ value }) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
  const powers = inside.filter(({ whole }) => whole);
  const every = Math.ceil(powers.length / MOST);
  const found = inside.length <= MOST ? inside : powers.filter(({ power }) => (power - powers[0].power) % every === 0);
  return (found.length > 2 ? found : inside).map(({ value }) => Number(value.toPrecision(3)));
}

/**
 * About so many ticks of a linear axis, and no more than it has room for.
 * @param {[number, number]} domain
 * @param {number} wanted
 * @param {number} [room]
 */
function linearTicks([low, high], wanted, room = MOST) {
  let count = wanted;
  while (count > 1 && ticks(low, high, count).length > Math.min(MOST, room)) count -= 1;
  return ticks(low, high, count);
}

/**
 * The labels of the x-axis, none of which touches another; the last is pulled inside.
 * @param {number[]} values
 * @param {(value: number) => number} x
 * @param {(value: number) => string} text
 * @param {number} width
 */
function labelled(values, x, text, width) {
  let end = -Infinity;
  return values.map((value) => {
    const words = text(value), half = widthOf(words) / 2;
    const middle = Math.max(half, Math.min(width - half - 1, x(value)));
    const free = middle - half >= end + APART_PX;
    if (free) end = middle + half;
    return { value, x: x(value), middle, text: free ? words : '' };
  });
}

/**
 * How an axis names a value: with its unit where that may be a multiple of the parameter's own.
 * @param {Axes['parameter']} parameter
 */
function wordsOn({ unit, scale, high }) {
  if (!FITTED.has(unit)) return (/** @type {number} */ value) => quantity(value, '');
  if (scale === 'log') return (/** @type {number} */ value) => quantity(value, unit);
  const { factor, name } = fitting(high, unit);
  return (/** @type {number} */ value) => `${shown(value / factor)} ${name}`;
}

/**
 * The frame of a chart: its edges in pixels, its scales, and what its axes name.
 * @param {Axes} axes
 * @param {number} width
 * @param {number} tall
 * @returns {Frame}
 */
export function frame({ parameter, domain, unit }, width, tall) {
  const { factor, name } = fitting(Math.max(...domain.map(Math.abs)), unit);
  const bottom = tall - BOTTOM_PX, room = 1 + Math.floor((bottom - TOP_PX) / ROW_PX);
  const rows = linearTicks([domain[0] / factor, domain[1] / factor], tall < 240 ? 4 : 5, room);
  const ys = rows.map((row) => ({ value: row * factor, text: shown(row) }));
  const left = Math.ceil(Math.max(...ys.map(({ text }) => widthOf(text)))) + BESIDE_PX;
  const right = width - RIGHT_PX;
  const { low, high } = parameter;
  const x = place(parameter.scale, [low, high], [left, right]);
  const y = place('linear', domain, [bottom, TOP_PX]);
  const values = parameter.scale === 'log' ? logTicks([low, high]) : linearTicks([low, high], width < 420 ? 4 : 5);
  const xs = labelled(values, x, wordsOn(parameter), width);
  return { width, left, right, top: TOP_PX, bottom, x, y, xs, ys, yUnit: name, yFactor: factor };
}

/**
 * The value of a parameter at a place of the screen, rounded as a slider's is.
 * @param {Frame} plot
 * @param {Bounds} bounds
 * @param {number} px
 */
export function valueAt({ x, left, right }, { low, high, whole }, px) {
  const value = x.invert(Math.max(left, Math.min(right, px)));
  const near = whole ? Math.round(value) : Number(value.toPrecision(3));
  return Math.max(low, Math.min(high, near));
}

/**
 * An axis that holds all of these values, with round ends.
 * @param {number[]} values
 * @returns {[number, number]}
 */
export function holding(values) {
  const high = Math.max(...values), low = Math.min(...values);
  const start = high - low >= high / 3 || high === low ? Math.min(0, low) : low;
  return nice(start, high === start ? start + 1 : high, 5);
}

/**
 * Where on the screen a value stands, also one that is off the axis: at the edge.
 * @param {Frame} plot
 * @param {number | null} value
 */
export function height({ y, top, bottom }, value) {
  return value === null ? top : Math.max(top, Math.min(bottom, y(value)));
}
