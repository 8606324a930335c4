// The run of chapter 6 from end to end: the mean slice so far, the closed form that it nears, and
// how many items lie between two looks, which is a stair.
import { FORMULA_LINE, GROUND, INK, MODEL, RAISED, SOFT } from './colours.js';
import { ms } from './slices-state.js';
import { px } from './surface.js';

export const TAPE_HEIGHT = 66;
const STAIR = 22, ROOM = 5, LABELS = 118, LEAST = 0.12; // of the mean's axis above what it shows

/** How wide the time is. @param {number} width */
export function tape(width) {
  return { width: width - LABELS, height: TAPE_HEIGHT };
}

/** @param {Slices} trace @param {number} width @param {number} height */
function plan({ begins, runs, quantum, formula, widest, highest }, width, height) {
  const plot = tape(width).width, top = height - TAPE_HEIGHT + ROOM, base = height - STAIR - ROOM;
  const high = (Math.max(formula ?? 0, quantum, highest) - quantum) * (1 + LEAST) || quantum;
  return {
    plot, top, base,
    x: (/** @type {number} */ t) => (t / begins[runs]) * plot,
    y: (/** @type {number} */ mean) => base - (Math.max(0, mean - quantum) / high) * (base - top),
    stair: (/** @type {number} */ g) => height - 1 - (g / widest) * (STAIR - 2),
  };
}

/** What does not move. @param {Slices} trace @param {number} width @param {number} height @param {Surface} surface */
export function backdrop(trace, width, height, surface) {
  const { begins, runs, granularity, formula } = trace, at = plan(trace, width, height), { plot, base, x, y } = at;
  let line = `M${px(x(begins[1]))} ${px(y(begins[1]))}`, steps = `M0 ${height - 1}`;
  for (let run = 0; run < runs; run += 1) {
    if (run) line += `H${px(x(begins[run + 1]))}V${px(y(begins[run + 1] / (run + 1)))}`;
    if (granularity[run] !== granularity[run - 1]) steps += `H${px(x(begins[run]))}V${px(at.stair(granularity[run]))}`;
  }
  surface.put('path', { d: `${steps}H${plot}V${height - 1}z`, fill: RAISED, stroke: SOFT });
  surface.put('path', { d: `M0 ${base + 0.5}H${plot}`, stroke: SOFT, 'stroke-opacity': 0.5 });
  surface.put('path', { d: line, fill: 'none', stroke: INK, 'stroke-width': 1.6 });
  if (formula === null) return;
  const level = px(y(formula));
  surface.put('path', { d: `M0 ${level}H${plot}`, ...FORMULA_LINE });
}

/** Now. @param {SlicesState} state @param {number} width @param {number} height @param {Surface} surface */
export function now({ trace, t, done, mean }, width, height, surface) {
  const { plot, top, base, x, y } = plan(trace, width, height), { formula, granularity, runs } = trace;
  const here = px(x(t)), words = { x: plot + 8, 'font-size': 12 };
  const veil = { x: here, y: top - 2, width: px(plot - here), height: base - top + 2 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.75 });
  surface.put('path', { d: `M${here} ${top - 3}V${height}`, stroke: INK, 'stroke-width': 1.5 });
  const level = px(mean === null ? base : y(mean));
  surface.put('circle', { cx: here, cy: level, r: 3.5, fill: mean === null ? 'none' : INK });
  const soFar = mean === null ? 'no run yet' : `mean ${ms(mean)} ms`;
  surface.put('text', { ...words, y: top + 10, fill: INK, 'font-weight': 600 }, soFar);
  surface.put('text', { ...words, y: top + 27, fill: formula === null ? SOFT : MODEL },
    formula === null ? 'no formula' : `formula ${ms(formula)}`);
  surface.put('text', { ...words, y: height - 4, fill: SOFT }, `every ${granularity[Math.min(done, runs - 1)]} items`);
}
