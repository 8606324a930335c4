// The geometry of a chart: the size of its words, its scales and ticks, and its curves in pixels.
import { nice, ticks } from 'd3-array';
import { fitting, formatNumber, quantity } from '../quantity.js';

const SIZE_PX = 12;
const HEIGHT_PX = 15;
/** @type {[RegExp, number][]} letters by their width, in parts of the type's size */
const WIDTHS = [[/[.,:;'|!ijl]/, 0.3], [/[ ()frtI/-]/, 0.38], [/[mwMW%@]/, 0.92], [/[A-Z≥≤≈×]/, 0.7]];
const USUAL = 0.59;

/**
 * Returns the width of a text in pixels, or a little less.
 * @param {string} text
 */
export function textWidth(text) {
  const parts = [...text].map((letter) => WIDTHS.find(([letters]) => letters.test(letter))?.[1] ?? USUAL);
  return SIZE_PX * parts.reduce((sum, part) => sum + part, 0);
}

/**
 * Returns the box of a text.
 * @param {Word} word
 * @returns {Box}
 */
export function boxOf({ x, y, anchor, text }) {
  const wide = textWidth(text);
  const left = x - { start: 0, middle: wide / 2, end: wide }[anchor];
  return { left, right: left + wide, top: y - HEIGHT_PX + 4, bottom: y + 4 };
}

/**
 * @param {Box} a
 * @param {Box} b
 */
export function touch(a, b) {
  return a.left < b.right + 3 && b.left < a.right + 3 && a.top < b.bottom && b.top < a.bottom;
}

/**
 * @param {Box} box
 * @param {Ring} ring
 */
function touchesRing({ left, right, top, bottom }, { x, y, radius }) {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)) < radius;
}

/** Finds places for labels one by one, so that none touches an earlier one or a ring. */
export class Room {
  /** @param {Box} area that must contain all of them */
  constructor(area) {
    this.area = area;
    /** @type {Box[]} */
    this.taken = [];
    /** @type {Ring[]} */
    this.rings = [];
  }

  /** @param {Box} box */
  take(box) {
    this.taken.push(box);
  }

  /** @param {Box} box */
  isFree(box) {
    const { left, right, top, bottom } = this.area;
    const inside = box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
    return inside && !this.taken.some((other) => touch(box, other));
  }

  /**
   * Takes the first of these places that is free, and returns it.
   * @param {Word[]} places
   * @param {boolean} [overRings] whether a ring may be under it if there is no other place
   */
  find(places, overRings = false) {
    const free = places.filter((word) => this.isFree(boxOf(word)));
    const clear = free.find((word) => !this.rings.some((ring) => touchesRing(boxOf(word), ring)));
    const found = clear ?? (overRings ? free[0] : undefined);
    if (found) this.take(boxOf(found));
    return found;
  }
}

export const RING_PX = 10; // of a published number: around the marker, so that neither hides the other

const APART_PX = 8; // between two labels of an axis
const ROW_PX = 18; // from one label of the y-axis to the next
const MOST = 6; // ticks on an axis
const FITTED = new Set(['s', 'B']); // units with multiples
const RIGHT_PX = 14, TOP_PX = 44, BOTTOM_PX = 24; // room for a ring at the right edge and the top
const BESIDE_PX = RING_PX + 10; // from the numbers of the y-axis to the plot: no ring covers them

/**
 * Returns a function from values to pixels, with its inverse.
 * @param {Bounds['scale']} kind
 * @param {[number, number]} domain
 * @param {[number, number]} range
 */
function scaleOf(kind, domain, [from, to]) {
  const [turn, back] = kind === 'log' ? [Math.log, Math.exp] : [Number, Number];
  const [low, high] = domain.map((end) => turn(end));
  const scale = (/** @type {number} */ value) => from + ((turn(value) - low) / (high - low)) * (to - from);
  return Object.assign(scale, {
    invert: (/** @type {number} */ px) => back(low + ((px - from) / (to - from)) * (high - low)),
  });
}

/**
 * Returns ticks of 1, 2 or 5 times a power of ten.
 * @param {[number, number]} domain
 */
function logTicks([low, high]) {
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
    all.push(...[1, 2, 5].map((times) => ({ value: times * 10 ** power, isPower: times === 1, power })));
  }
  const inside = all.filter(({ value }) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
  const powers = inside.filter(({ isPower }) => isPower);
  const every = Math.ceil(powers.length / MOST);
  const found = inside.length <= MOST ? inside : powers.filter(({ power }) => (power - powers[0].power) % every === 0);
  return (found.length > 2 ? found : inside).map(({ value }) => Number(value.toPrecision(3)));
}

/**
 * Returns about as many ticks of a linear axis as wanted, and no more than there is room for.
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
 * Places the labels of the x-axis so that none touch. The last is moved inside.
 * @param {number[]} values
 * @param {(value: number) => number} x
 * @param {(value: number) => string} text
 * @param {number} width
 */
function placeLabels(values, x, text, width) {
  let end = -Infinity;
  return values.map((value) => {
    const words = text(value), half = textWidth(words) / 2;
    const middle = Math.max(half, Math.min(width - half - 1, x(value)));
    const free = middle - half >= end + APART_PX;
    if (free) end = middle + half;
    return { value, x: x(value), middle, text: free ? words : '' };
  });
}

/**
 * Returns a function that formats an axis's values: with their unit if that can be a multiple of the parameter's.
 * @param {Axes['parameter']} parameter
 */
function wordsOn({ unit, scale, high }) {
  if (!FITTED.has(unit)) return (/** @type {number} */ value) => quantity(value, '');
  if (scale === 'log') return (/** @type {number} */ value) => quantity(value, unit);
  const { factor, name } = fitting(high, unit);
  return (/** @type {number} */ value) => `${formatNumber(value / factor)} ${name}`;
}

/**
 * Returns the frame of a chart: its edges in pixels, its scales, and its ticks.
 * @param {Axes} axes
 * @param {number} width
 * @param {number} tall
 * @returns {Frame}
 */
export function frame({ parameter, domain, unit }, width, tall) {
  const { factor, name } = fitting(Math.max(...domain.map(Math.abs)), unit);
  const bottom = tall - BOTTOM_PX, room = 1 + Math.floor((bottom - TOP_PX) / ROW_PX);
  const rows = linearTicks([domain[0] / factor, domain[1] / factor], tall < 240 ? 4 : 5, room);
  const ys = rows.map((row) => ({ value: row * factor, text: formatNumber(row) }));
  const left = Math.ceil(Math.max(...ys.map(({ text }) => textWidth(text)))) + BESIDE_PX;
  const right = width - RIGHT_PX;
  const { low, high } = parameter;
  const x = scaleOf(parameter.scale, [low, high], [left, right]);
  const y = scaleOf('linear', domain, [bottom, TOP_PX]);
  const values = parameter.scale === 'log' ? logTicks([low, high]) : linearTicks([low, high], width < 420 ? 4 : 5);
  const xs = placeLabels(values, x, wordsOn(parameter), width);
  return { width, left, right, top: TOP_PX, bottom, x, y, xs, ys, yUnit: name, yFactor: factor };
}

/**
 * Returns the value of a parameter at a pixel, rounded as a slider's value is.
 * @param {Frame} plot
 * @param {Bounds} bounds
 * @param {number} px
 */
export function valueAt({ x, left, right }, { low, high, integer }, px) {
  const value = x.invert(Math.max(left, Math.min(right, px)));
  const near = integer ? Math.round(value) : Number(value.toPrecision(3));
  return Math.max(low, Math.min(high, near));
}

/**
 * Returns a domain with round ends that holds all of these values.
 * @param {number[]} values
 * @returns {[number, number]}
 */
export function niceDomain(values) {
  const high = Math.max(...values), low = Math.min(...values);
  const start = high - low >= high / 3 || high === low ? Math.min(0, low) : low;
  return nice(start, high === start ? start + 1 : high, 5);
}

/**
 * Returns the height of a value in pixels; a value off the axis is at its edge.
 * @param {Frame} plot
 * @param {number | null} value
 */
export function height({ y, top, bottom }, value) {
  return value === null ? top : Math.max(top, Math.min(bottom, y(value)));
}

/** @typedef {[x: number, y: number]} Point */

/**
 * Returns the point where the line from a to b crosses a height.
 * @param {Point} a
 * @param {Point} b
 * @param {number} y
 * @returns {Point}
 */
function through([ax, ay], [bx, by], y) {
  return Number.isFinite(by - ay) ? [ax + ((bx - ax) * (y - ay)) / (by - ay), y] : [Number.isFinite(ay) ? ax : bx, y];
}

/**
 * Returns the parts of a curve between two heights, separated by null.
 * @param {Point[]} points in pixels
 * @param {number} top
 * @param {number} bottom
 */
function within(points, top, bottom) {
  const inside = ([, y] = points[0]) => y >= top && y <= bottom;
  /** @type {(Point | null)[]} */
  const made = [];
  points.forEach((b, n) => {
    const a = points[n - 1];
    if (a) {
      const crossed = [top, bottom].filter((y) => (a[1] < y) !== (b[1] < y) && a[1] !== y && b[1] !== y);
      const met = crossed.map((y) => through(a, b, y)).sort((p, q) => (p[1] - q[1]) * (b[1] - a[1]));
      made.push(...met);
    }
    made.push(inside(b) ? b : null);
  });
  return made;
}

/**
 * Returns the path of a curve. Null, which stands for infinity, is above everything.
 * @param {CurvePoints} points
 * @param {Frame} plot
 */
export function path(points, { x, y, top, bottom }) {
  /** @type {Point[]} */
  const placed = points.map((point) => [x(point.x), point.y === null ? -Infinity : y(point.y)]);
  const digits = (/** @type {number} */ px) => Number(px.toFixed(2));
  let d = '', pen = 'M';
  for (const point of within(placed, top, bottom)) {
    if (point) d += `${pen}${digits(point[0])},${digits(point[1])}`;
    pen = point ? 'L' : 'M';
  }
  return d;
}

/**
 * Returns the value of a curve at x, interpolated on the screen between the neighbouring points.
 * @param {CurvePoints} points
 * @param {number} at
 * @param {(x: number) => number} place
 */
export function read(points, at, place) {
  const after = points.findIndex(({ x }) => x >= at);
  if (after < 0) return points[points.length - 1]?.y ?? null;
  const b = points[after], a = points[after - 1];
  if (!a || b.x === at || a.y === null || b.y === null) return b.y;
  return a.y + ((b.y - a.y) * (place(at) - place(a.x))) / (place(b.x) - place(a.x));
}
