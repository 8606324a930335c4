// The drawing of an explorer's chart: a pure function of what it shows and of its size.
import { px } from '../animation/surface.js';
import { valueText } from '../explorer/controls.js';
import { differing } from '../explorer/state.js';
import { quantity } from '../quantity.js';
import { boxOf, frame, height, path, read, RING_PX, Room, textWidth } from './scales.js';

// The published numbers: the conditions under which each holds, and its sign. A ring is a value, a thin bar the
// interval that rounds to it, a bracket a bound. A broad bar is what the model may say, given the digits of the
// numbers that it was fitted to. A dot is a number of other conditions, which says more when it is pointed at.

const DOT_PX = 3;
const ARROW_PX = 30;
const MOST_SETTINGS = 2; // in the name of a curve
const LEAST_HALF_PX = 3; // half of an interval that is worth a bar
const LEAST_PX = 3; // of what the digits allow the model, so that it is visible
/** @type {Record<string, -1 | 1>} */
const WAYS = { 'at least': 1, above: 1, 'at most': -1, below: -1 };

/**
 * Returns settings in the reader's words. A number has its label unless its unit is unique.
 * @param {Pick<Parameter, 'name' | 'choices' | 'choice_texts' | 'label' | 'unit'>[]} parameters
 * @param {State} state
 */
export function settingTexts(parameters, state) {
  return parameters.map((parameter) => {
    const { name, label, unit } = parameter, value = state[name], text = valueText(parameter, value);
    const isUnique = unit && unit !== '1' && parameters.filter((other) => other.unit === unit).length === 1;
    return typeof value !== 'number' || isUnique ? text : `${label}: ${text}`;
  });
}

/** Returns the first few texts, for the name of a curve. @param {string[]} texts @returns {string} */
export const brief = (texts) => texts.slice(0, MOST_SETTINGS).join(', ') + (texts.length > MOST_SETTINGS ? ', …' : '');

/**
 * Returns the published numbers that a view shows at a state.
 * @param {Pick<ExplorerDescription, 'rows' | 'parameters' | 'defaults'>} description
 * @param {{ x: string, y: string }} view
 * @param {State} state
 * @returns {Evidence[]}
 */
export function evidence({ rows, parameters, defaults }, { x, y }, state) {
  return rows.filter(({ output }) => output === y).map((row) => {
    const { settings, value, resolution, label, published_text: published, status } = row;
    const others = differing({ ...settings, [x]: state[x] }, state);
    const conditions = settingTexts(parameters.filter(({ name }) => others.includes(name)), settings);
    const unit = row.unit === '1' ? '' : row.unit === '%' ? '%' : ` ${row.unit}`;
    const elsewhere = conditions.length ? `, for ${conditions.join(', ')}` : '';
    const room = row.allowed_text ? `. Allowing for rounding, the model gives ${row.allowed_text}${unit}` : '';
    return {
      x: Number(settings[x] ?? defaults[x]),
      y: value,
      low: value - resolution / 2,
      high: value + resolution / 2,
      allowed: row.allowed ?? null,
      way: WAYS[row.relation] ?? 0,
      holds: others.length === 0,
      text: label,
      details: `Published: ${label}, ${published}${unit} (${status})${elsewhere}${room}`,
    };
  });
}

/**
 * @param {Evidence} item
 * @param {Frame} plot
 * @returns {string} the path of the sign
 */
function sign({ y: value, low, high, way }, { y, top, bottom }) {
  if (way) return `M-6 0h12M0 0v${-way * ARROW_PX}m-4 ${way * 5}l4 ${-way * 5}l4 ${way * 5}`;
  const half = (y(low) - y(high)) / 2;
  if (half < LEAST_HALF_PX) return '';
  const up = Math.min(half, y(value) - top + RING_PX), down = Math.min(half, bottom - y(value));
  const cap = (/** @type {number} */ length, /** @type {number} */ at) => (length === half ? `M-5 ${at}h10` : '');
  return `${cap(up, -up)}${cap(down, down)}M0 ${-up}V${down}`; // open where it leaves the plot
}

/**
 * Draws the signs, and returns the published numbers within the frame.
 * @param {ChartContent} content
 * @param {Frame} plot
 * @param {Surface} surface
 */
function drawEvidence({ evidence: items }, plot, surface) {
  const visible = items.filter(({ y }) => plot.y(y) >= plot.top - 1 && plot.y(y) <= plot.bottom + 1);
  for (const item of visible.filter(({ holds }) => !holds)) {
    surface.put('circle', { class: 'evidence is-faded', r: DOT_PX, cx: plot.x(item.x), cy: plot.y(item.y) });
  }
  for (const item of visible.filter(({ holds }) => holds)) {
    const x = plot.x(item.x), y = plot.y(item.y);
    if (!item.way) surface.put('circle', { class: 'evidence', r: RING_PX, cx: x, cy: y });
    if (item.allowed) {
      const [top, bottom] = item.allowed.map((end) => plot.y(end)).reverse();
      surface.put('path', { class: 'allowed', d: `M${x} ${top}V${Math.max(bottom, top + LEAST_PX)}` });
    }
    const d = sign(item, plot);
    if (d) surface.put('path', { class: 'evidence', d, transform: `translate(${x} ${y})` });
  }
  return visible;
}

/**
 * Returns places for the label of a published number, the best first.
 * @param {Evidence} item
 * @param {Frame} plot
 * @returns {Word[]}
 */
function evidenceWords(item, plot) {
  const x = plot.x(item.x), y = plot.y(item.y);
  const { text } = item;
  return [
    { x: x + 16, y: y + 4, anchor: 'start', text },
    { x: x - 16, y: y + 4, anchor: 'end', text },
    { x: x + 9, y: y - 13, anchor: 'start', text },
    { x: x - 9, y: y - 13, anchor: 'end', text },
    { x: x + 9, y: y + 22, anchor: 'start', text },
    { x: x - 9, y: y + 22, anchor: 'end', text },
    { x: x + 22, y: y + 24, anchor: 'start', text },
    { x: x - 22, y: y + 24, anchor: 'end', text },
    { x, y: y - 15, anchor: 'middle', text },
    { x, y: y + 26, anchor: 'middle', text },
  ];
}

// Labels: each where it overlaps no other, no ring and, if that can be, no curve.

const BAR_PX = 24; // height of title and buttons, above all labels
const PARTS = 5; // of a label along its width
const CLEAR_PX = 6; // from a label's ends to the curve

/**
 * Returns in how many of its parts the curve crosses a label.
 * @param {Word} word
 * @param {CurvePoints} curve
 * @param {Frame} plot
 */
function crossings(word, curve, plot) {
  const { left, right, top, bottom } = boxOf(word);
  const from = left - CLEAR_PX, part = (right + CLEAR_PX - from) / PARTS;
  const ys = Array.from({ length: PARTS + 1 }, (_, n) => (
    height(plot, read(curve, plot.x.invert(from + n * part), plot.x))));
  return ys.slice(1).filter((y, n) => Math.max(y, ys[n]) > top - 3 && Math.min(y, ys[n]) < bottom + 1).length;
}

/**
 * Sorts places for a label: those that the curve crosses least come first.
 * @param {Word[]} places
 * @param {CurvePoints} curve
 * @param {Frame} plot
 */
function leastCrossed(places, curve, plot) {
  const costs = new Map(places.map((word) => [word, crossings(word, curve, plot)]));
  return places.sort((a, b) => Number(costs.get(a)) - Number(costs.get(b)));
}

/**
 * Returns places for a curve's name: at its right end, above or below the line.
 * @param {CurvePoints} points
 * @param {string} text
 * @param {Frame} plot
 * @returns {Word[]}
 */
function curveWords(points, text, plot) {
  const end = points[points.length - 1];
  if (!text || !end) return [];
  const y = height(plot, end.y);
  return [-8, 18, -24, 34].map((dy) => ({ x: plot.right, y: y + dy, anchor: 'end', text }));
}

/**
 * Places labels so that none overlap. Priority: the marker's value, the curves' names, and published numbers whose
 * conditions hold, which can be pointed at instead: on a curve or another ring their labels could not be read.
 * @param {ChartContent} content
 * @param {Frame} plot
 * @param {Word[]} marker the places for its value
 * @param {Evidence[]} visible
 * @returns {{ name: string, word: Word }[]}
 */
function placeLabels({ curve, kept, text }, plot, marker, visible) {
  const room = new Room({ left: plot.left, right: plot.width, top: BAR_PX, bottom: plot.bottom });
  room.rings = visible.map(({ x, y, holds }) => (
    { x: plot.x(x), y: plot.y(y), radius: (holds ? RING_PX : DOT_PX) + 1 }));
  const clear = (/** @type {Evidence} */ item) => (
    evidenceWords(item, plot).filter((word) => !crossings(word, curve, plot)));
  const labels = [
    { name: 'value', places: marker, isNeeded: true },
    { name: 'name model', places: curveWords(curve, text, plot), isNeeded: true },
    ...kept.map((each, n) => (
      { name: `name kept-${n + 1}`, places: curveWords(each.points, each.text, plot), isNeeded: true })),
    ...visible.filter(({ holds }) => holds).map((item) => ({ name: 'words', places: clear(item), isNeeded: false })),
  ];
  return labels.flatMap(({ name, places, isNeeded }) => {
    const word = room.find(places, isNeeded);
    return word ? [{ name, word }] : [];
  });
}

const MOST_DOTS = 40; // on a curve over integers
const SQUARE_PX = 12; // the mark of a simulated point
const MARK_PX = 6.5;

/**
 * @param {Frame} plot
 * @param {Surface} surface
 */
function drawAxes({ xs, ys, left, right, bottom, y }, surface) {
  const x1 = left - RING_PX, x2 = right + RING_PX;
  for (const { value, text } of ys) {
    surface.put('line', { class: 'grid', x1, x2, y1: px(y(value)), y2: px(y(value)) });
    surface.put('text', { class: 'tick', x: x1 - 6, y: px(y(value) + 4), 'text-anchor': 'end' }, text);
  }
  surface.put('line', { class: 'axis', x1, x2, y1: bottom, y2: bottom });
  for (const { x, middle, text } of xs) {
    surface.put('line', { class: 'axis', x1: px(x), x2: px(x), y1: bottom, y2: bottom + 5 });
    if (text) surface.put('text', { class: 'tick', x: px(middle), y: bottom + 19, 'text-anchor': 'middle' }, text);
  }
}

/**
 * @param {ChartContent} content
 * @param {Frame} plot
 * @param {Surface} surface
 */
function drawCurves({ axes: { parameter }, curve, kept }, plot, surface) {
  kept.forEach(({ points }, n) => {
    surface.put('path', { class: `curve kept-${n + 1}`, d: path(points, plot) });
  });
  surface.put('path', { class: 'curve model', d: path(curve, plot) });
  if (!parameter.integer || parameter.high - parameter.low > MOST_DOTS) return;
  for (const { x, y } of curve) {
    const inside = Number.isInteger(x) && y !== null && height(plot, y) === plot.y(y);
    if (inside) surface.put('circle', { class: 'dot', r: 2.5, cx: px(plot.x(x)), cy: px(plot.y(y)) });
  }
}

/**
 * @param {ChartContent} content
 * @param {Frame} plot
 * @param {Surface} surface
 */
function drawSimulated({ simulated }, plot, surface) {
  for (const { x, y, low, high } of simulated) {
    const at = px(plot.x(x));
    const ends = { x1: at, x2: at, y1: px(height(plot, low)), y2: px(height(plot, high)) };
    surface.put('line', { class: 'simulated', ...ends });
    const left = at - SQUARE_PX / 2, top = px(height(plot, y)) - SQUARE_PX / 2;
    surface.put('rect', { class: 'simulated', x: left, y: top, width: SQUARE_PX, height: SQUARE_PX });
  }
}

/**
 * Draws the marker, and returns places for its value.
 * @param {ChartContent} content
 * @param {Frame} plot
 * @param {Surface} surface
 */
function drawMarker({ here, curve, axes, say }, plot, surface) {
  if (!here) return [];
  const { x, y } = here, top = axes.domain[1];
  const cx = plot.x(x), cy = height(plot, y), above = y === null || y > top;
  surface.put('line', { class: 'stem', x1: px(cx), x2: px(cx), y1: px(cy), y2: plot.bottom });
  surface.put('circle', { class: 'grip', r: 22, cx: px(cx), cy: px(cy) });
  surface.put('circle', { class: 'marker', r: MARK_PX, cx: px(cx), cy: px(cy) });
  const text = `${above ? '↑ ' : ''}${say(y)}`;
  const places = [[-13, -11, 'end'], [13, 21, 'start'], [13, -11, 'start'], [-13, 21, 'end']]
    .map(([dx, dy, anchor]) => /** @type {Word} */ ({ x: cx + Number(dx), y: cy + Number(dy), anchor, text }));
  return leastCrossed(places, curve, plot);
}

/**
 * Draws the crosshair, with a value at each curve.
 * @param {ChartContent} content
 * @param {Frame} plot
 * @param {Surface} surface
 */
function drawReading({ reading, axes, curve, kept, say }, plot, surface) {
  if (reading === null) return;
  const x = plot.x(reading), left = x > plot.width - 110;
  surface.put('line', { class: 'hair', x1: px(x), x2: px(x), y1: plot.top - 6, y2: plot.bottom });
  const rows = [{ name: 'model', points: curve }, ...kept.map(({ points }, n) => ({ name: `kept-${n + 1}`, points }))]
    .map(({ name, points }) => ({ name, value: read(points, reading, plot.x) }))
    .map((row) => ({ ...row, y: height(plot, row.value) })).sort((a, b) => a.y - b.y);
  let last = -Infinity;
  for (const { name, value, y } of rows) {
    last = Math.min(plot.bottom - 6, Math.max(y - 7, last + 15));
    surface.put('circle', { class: `read ${name}`, r: 4, cx: px(x), cy: px(y) });
    const at = { x: px(x + (left ? -9 : 9)), y: px(last), 'text-anchor': left ? 'end' : 'start' };
    surface.put('text', { class: `read ${name}`, ...at }, say(value));
  }
  const text = quantity(reading, axes.parameter.unit), half = textWidth(text) / 2 + 6;
  const middle = Math.min(plot.width - half, Math.max(half, x));
  const chip = { x: px(middle - half), y: plot.bottom + 5, width: px(2 * half), height: 18, rx: 4 };
  surface.put('rect', { class: 'chip', ...chip });
  surface.put('text', { class: 'chip', x: px(middle), y: plot.bottom + 18, 'text-anchor': 'middle' }, text);
}

/**
 * @param {ChartContent} content
 * @param {number} width
 * @param {number} height_px
 * @param {Surface} surface
 */
export function draw(content, width, height_px, surface) {
  const plot = frame(content.axes, width, height_px);
  drawAxes(plot, surface);
  const visible = drawEvidence(content, plot, surface);
  drawCurves(content, plot, surface);
  drawSimulated(content, plot, surface);
  const marker = drawMarker(content, plot, surface);
  for (const { name, word } of placeLabels(content, plot, marker, visible)) {
    surface.put('text', { class: name, x: px(word.x), y: px(word.y), 'text-anchor': word.anchor }, word.text);
  }
  drawReading(content, plot, surface);
  return plot;
}
