// An explorer's chart, drawn on a surface: a pure function of what it shows and of its size.
import { px } from '../stage/surface.js';
import { quantity } from '../quantity.js';
import { drawEvidence } from './evidence.js';
import { besideCurve, wordsOf } from './labels.js';
import { path, read } from './lines.js';
import { frame, height } from './scales.js';
import { width as widthOf } from './words.js';

const FEW = 40; // whole numbers, each of which is a dot
const SQUARE_PX = 12; // what was simulated
const MARK_PX = 8;

/**
 * @param {Frame} plot
 * @param {Surface} surface
 */
function drawAxes({ xs, ys, left, right, bottom, y }, surface) {
  for (const { value, text } of ys) {
    surface.put('line', { class: 'grid', x1: left, x2: right, y1: px(y(value)), y2: px(y(value)) });
    surface.put('text', { class: 'tick', x: left - 6, y: px(y(value) + 4), 'text-anchor': 'end' }, text);
  }
  surface.put('line', { class: 'axis', x1: left, x2: right, y1: bottom, y2: bottom });
  for (const { x, middle, text } of xs) {
    surface.put('line', { class: 'axis', x1: px(x), x2: px(x), y1: bottom, y2: bottom + 5 });
    if (text) surface.put('text', { class: 'tick', x: px(middle), y: bottom + 19, 'text-anchor': 'middle' }, text);
  }
}

/**
 * @param {Plotted} shown
 * @param {Frame} plot
 * @param {Surface} surface
 */
function drawCurves({ axes: { parameter }, curve, kept }, plot, surface) {
  kept.forEach(({ points }, n) => {
    surface.put('path', { class: `curve kept-${n + 1}`, d: path(points, plot) });
  });
  surface.put('path', { class: 'curve model', d: path(curve, plot) });
  if (!parameter.whole || parameter.high - parameter.low > FEW) return;
  for (const { x, y } of curve) {
    const inside = Number.isInteger(x) && y !== null && height(plot, y) === plot.y(y);
    if (inside) surface.put('circle', { class: 'dot', r: 2.5, cx: px(plot.x(x)), cy: px(plot.y(y)) });
  }
}

/**
 * @param {Plotted} shown
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
 * Draws the marker, and returns the places for its value.
 * @param {Plotted} shown
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
  return besideCurve(places, curve, plot);
}

/**
 * The crosshair: a value at each curve.
 * @param {Plotted} shown
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
  const text = quantity(reading, axes.parameter.unit), half = widthOf(text) / 2 + 6;
  const middle = Math.min(plot.width - half, Math.max(half, x));
  const chip = { x: px(middle - half), y: plot.bottom + 5, width: px(2 * half), height: 18, rx: 4 };
  surface.put('rect', { class: 'chip', ...chip });
  surface.put('text', { class: 'chip', x: px(middle), y: plot.bottom + 18, 'text-anchor': 'middle' }, text);
}

/**
 * @param {Plotted} shown
 * @param {number} width
 * @param {number} height_px
 * @param {Surface} surface
 */
export function draw(shown, width, height_px, surface) {
  const plot = frame(shown.axes, width, height_px);
  drawAxes(plot, surface);
  const seen = drawEvidence(shown, plot, surface);
  drawCurves(shown, plot, surface);
  drawSimulated(shown, plot, surface);
  const marker = drawMarker(shown, plot, surface);
  for (const { name, word } of wordsOf(shown, plot, marker, seen)) {
    surface.put('text', { class: name, x: px(word.x), y: px(word.y), 'text-anchor': word.anchor }, word.text);
  }
  drawReading(shown, plot, surface);
  return plot;
}
