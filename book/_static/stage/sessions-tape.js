// The run of chapter 6's second stage from end to end: the task, the sessions lost, and how many the
// closed form loses on average.
import { FORMULA_LINE, GROUND, INK, MISS, MISS_GROUND, MODEL, SOFT } from './colours.js';
import { box, hatch } from './slices-bars.js';
import { px } from './surface.js';

export const TAPE_HEIGHT = 62;
const LABELS = 126, TASK = 14; // px

/** How wide the time is. @param {number} width */
export function tape(width) {
  return { width: width - LABELS, height: TAPE_HEIGHT };
}

/** @param {Sessions} trace @param {number} width @param {number} tall */
function plan({ begins, sessions }, width, tall) {
  const plot = tape(width).width, top = tall - TAPE_HEIGHT + 4, base = tall - TASK - 4;
  return {
    plot, top, base,
    x: (/** @type {number} */ t) => (t / begins[begins.length - 1]) * plot,
    y: (/** @type {number} */ count) => base - (count / sessions) * (base - top),
  };
}

/** @param {Sessions} trace @param {number} width @param {number} tall @param {Surface} surface */
export function backdrop(trace, width, tall, surface) {
  const { plot, base, top, x, y } = plan(trace, width, tall), { begin, block, sliced, formula } = trace;
  const task = { from: x(begin), to: x(begin + block), y: base + 3, tall: TASK };
  surface.put('path', { d: box(task), fill: MISS_GROUND, stroke: MISS });
  if (!sliced) surface.put('path', { d: hatch(task), stroke: MISS });
  surface.put('path', { d: `M0 ${base + 0.5}H${plot}`, stroke: SOFT });
  const lost = trace.dropped.filter(Number.isFinite).sort((a, b) => a - b);
  const line = lost.map((t, n) => `H${px(x(t))}V${px(y(n + 1))}`).join('');
  surface.put('path', { d: `M0 ${px(y(0))}${line}H${plot}`, fill: 'none', stroke: INK, 'stroke-width': 1.6 });
  surface.put('path', { ...FORMULA_LINE, d: `M0 ${px(y(formula))}H${plot}` });
  const aside = { x: plot + 8, 'font-size': 12 };
  surface.put('text', { ...aside, y: top + 27, fill: MODEL }, `formula ${formula.toFixed(1)}`);
  surface.put('text', { ...aside, y: tall - 3, fill: SOFT }, `${block} s, ${sliced ? 'in slices' : 'one piece'}`);
}

/** Now. @param {SessionsState} state @param {number} width @param {number} tall @param {Surface} surface */
export function now({ trace, t, dropped }, width, tall, surface) {
  const { plot, top, base, x, y } = plan(trace, width, tall), here = px(x(t));
  const veil = { x: here, y: top - 2, width: px(plot - here), height: base - top + 2 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.75 });
  surface.put('path', { d: `M${here} ${top - 3}V${tall}`, stroke: INK, 'stroke-width': 1.5 });
  surface.put('circle', { cx: here, cy: px(y(dropped)), r: 3.5, fill: INK });
  const label = { x: plot + 8, y: top + 10, 'font-size': 12, fill: INK, 'font-weight': 600 };
  surface.put('text', label, `${dropped} dropped`);
}
