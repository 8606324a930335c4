// Draws chapter 5's second stage: two paths, one above the other, on one clock. A column is a round
// trip wide and a window high, so that its area is what was sent; a cross stands where one was lost.
import { GROUND, INK, MISS, MODEL, SOFT } from './colours.js';
import { grouped } from '../quantity.js';
import { px } from './surface.js';
import { isLost, startOf } from './windows-state.js';

const NARROW = 400; // px, as a phone is
const TITLE = 18, GAP = 12, AXIS = 16;
const CROSS = 3.5, APART = 2.4; // px; columns that are narrower join

/** How high a path's columns may be. @param {number} width */
const highest = (width) => (width < NARROW ? 66 : 84);

/** @param {number} width */
export const height = (width) => 2 * (TITLE + highest(width) + GAP) + AXIS;

/** Where time runs: over both paths. @param {number} width */
export const tape = (width) => ({ width: width - 116, height: height(width) - TITLE });

/** @param {Windows} trace @param {number} width @param {number} row */
function plan({ span_s: span, ceiling }, width, row) {
  const { width: plot } = tape(width), high = highest(width);
  const top = row * (TITLE + high + GAP) + TITLE, base = top + high;
  return {
    plot, top, base, high,
    x: (/** @type {number} */ t) => (Math.min(span, Math.max(0, t)) / span) * plot,
    y: (/** @type {number} */ window) => base - (window / ceiling) * high,
  };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** @param {Windows} trace @param {WindowSide} side @param {Plan} at */
function columns(trace, side, { x, y, base }) {
  let bars = '', crosses = '';
  for (const [k, window] of side.windows.entries()) {
    const left = x(startOf(trace, side, k)), right = x(startOf(trace, side, k + 1)), top = px(y(window));
    const wide = px(right - left - (right - left > APART ? 0.8 : 0));
    bars += `M${px(left)} ${base}V${top}h${wide}V${base}z`;
    if (isLost(side, k) && right > left) {
      const middle = px((left + right) / 2), above = px(Math.max(CROSS, top - CROSS - 2));
      crosses += `M${middle - CROSS} ${above - CROSS}l7 7m0 -7l-7 7`;
    }
  }
  return { bars, crosses: crosses || 'M0 0' };
}

/** @param {Windows} trace @param {number} width @param {Surface} surface */
function seconds({ first_s: from, span_s: span }, width, surface) {
  const { width: plot } = tape(width), y = height(width) - 4;
  const line = { y, 'font-size': 12, fill: SOFT };
  surface.put('text', { ...line, x: 0 }, `${grouped(from)} s`);
  surface.put('text', { ...line, x: plot, 'text-anchor': 'end' }, `${grouped(from + span)} s`);
}

/** What does not move. @param {Windows} trace @param {number} width @param {number} tall @param {Surface} surface */
export function backdrop(trace, width, tall, surface) {
  for (const [row, side] of trace.sides.entries()) {
    const at = plan(trace, width, row), { bars, crosses } = columns(trace, side, at), x = at.plot + 8;
    const title = { x: 0, y: at.top - 6, 'font-size': 13, 'font-weight': 600, fill: INK };
    surface.put('text', title, `${side.site}: a column is ${Math.round(1000 * side.rtt_s)} ms, assumed`);
    surface.put('path', { d: bars, fill: MODEL });
    surface.put('path', { d: crosses, fill: 'none', stroke: MISS, 'stroke-width': 2 });
    surface.put('path', { d: `M0 ${at.base + 0.5}H${at.plot}`, stroke: SOFT });
    surface.put('path', { d: `M${at.plot} ${at.top + 0.5}h4`, stroke: SOFT });
    surface.put('text', { x, y: at.top + 5, 'font-size': 12, fill: SOFT }, `${grouped(trace.ceiling)} seg.`);
    surface.put('text', { x, y: at.base - 2, 'font-size': 12, fill: MODEL }, `formula ${grouped(side.rate)}`);
  }
  seconds(trace, width, surface);
}

/** Now. @param {WindowState} state @param {number} width @param {number} tall @param {Surface} surface */
export function now({ trace, t, sides }, width, tall, surface) {
  for (const [row, { window, soFar }] of sides.entries()) {
    const at = plan(trace, width, row), here = px(at.x(t)), x = at.plot + 8;
    const veil = { x: here, y: at.top - 1, width: px(at.plot - here), height: at.high + 1 };
    surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.75 });
    surface.put('path', { d: `M${here} ${at.top - 2}V${at.base}`, stroke: INK, 'stroke-width': 1.5 });
    surface.put('circle', { cx: here, cy: px(at.y(window)), r: 3.5, fill: INK });
    const line = { x, 'font-size': 12, 'font-weight': 600, fill: INK };
    surface.put('text', { ...line, y: at.top + (at.high > 70 ? 32 : 24) }, `now ${grouped(window)}`);
    surface.put('text', { ...line, y: at.base - 18 }, soFar === null ? 'so far –' : `so far ${grouped(soFar)}`);
  }
}
