// The run of chapter 5 from end to end: how many marks have left the log, passed each stage, and are
// done; what lies between two lines waits there. Beside it the pace that the closed form gives.
import { FORMULA_LINE, GROUND, HIT, HIT_GROUND, INK, MODEL, RAISED, SOFT } from './colours.js';
import { grouped } from '../quantity.js';
import { px } from './surface.js';

export const TAPE_HEIGHT = 58;
const TOP = 5, STEP = 3; // px

/** How wide the time is. @param {number} width */
export function tape(width) {
  return { width: width - 116, height: TAPE_HEIGHT };
}

/** @param {Pipeline} trace @param {number} width @param {number} height */
function plan({ end, batches }, width, height) {
  const { width: plot } = tape(width), top = height - TAPE_HEIGHT + TOP, base = height - 1;
  return {
    plot, top, base,
    x: (/** @type {number} */ t) => (t / end) * plot,
    y: (/** @type {number} */ count) => base - (count / batches) * (base - top),
  };
}

/** How many have left a stage, at every few pixels.
 * @param {Float64Array} departed @param {ReturnType<typeof plan>} at */
function line(departed, { plot, x, y }) {
  let made = '', n = 0;
  for (let pixel = 0; pixel <= plot; pixel += STEP) {
    while (n < departed.length && x(departed[n]) <= pixel) n += 1;
    made += `L${pixel} ${px(y(n))}`;
  }
  return `${made}L${plot} ${px(y(departed.length))}`;
}

/** What does not move. @param {Pipeline} trace @param {number} width @param {number} height @param {Surface} surface */
export function backdrop(trace, width, height, surface) {
  const at = plan(trace, width, height), { plot, top, base, x, y } = at;
  const lines = trace.parts.map(({ departed }) => line(departed, at));
  const start = `M0 ${base}`, [log] = lines, done = lines[lines.length - 1];
  surface.put('path', { d: `${start}${log}V${base}z`, fill: RAISED });
  surface.put('path', { d: `${start}${done}V${base}z`, fill: HIT_GROUND });
  const inner = lines.slice(0, -1).map((each) => `${start}${each}`).join('');
  surface.put('path', { d: inner, fill: 'none', stroke: SOFT, 'stroke-opacity': 0.6 });
  surface.put('path', { d: `${start}${done}`, fill: 'none', stroke: HIT, 'stroke-width': 1.8 });
  const closed = `${start}L${px(x(trace.closed))} ${px(y(trace.batches))}`;
  surface.put('path', { d: closed, ...FORMULA_LINE });
  surface.put('text', { x: 3, y: top + 11, 'font-size': 12, fill: SOFT }, 'log');
  surface.put('text', { x: plot - 4, y: base - 5, 'font-size': 12, 'text-anchor': 'end', fill: INK }, 'done');
}

/** Now. @param {PipelineState} state @param {number} width @param {number} height @param {Surface} surface */
export function now({ trace, t, done, soFar }, width, height, surface) {
  const { plot, top, base, x, y } = plan(trace, width, height), here = px(x(Math.min(t, trace.end)));
  const words = { x: plot + 8, 'font-size': 12 };
  const veil = { x: here, y: top - 1, width: px(plot - here), height: base - top + 1 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.6 });
  surface.put('path', { d: `M${here} ${top - 3}V${base}`, stroke: INK, 'stroke-width': 1.5 });
  surface.put('circle', { cx: here, cy: px(y(done)), r: 3.5, fill: INK });
  const mean = soFar === null ? 'so far –' : `so far ${grouped(soFar)}`;
  surface.put('text', { ...words, y: top + 11, fill: INK, 'font-weight': 600 }, mean);
  const bound = trace.served_ms ? 'slowest' : 'formula'; // which knows no room, and no times that vary
  surface.put('text', { ...words, y: top + 26, fill: MODEL }, `${bound} ${grouped(trace.pace)}`);
  surface.put('text', { ...words, y: top + 41, fill: SOFT }, 'records/s');
}
