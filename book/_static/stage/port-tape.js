// The run of chapter 4 from end to end: how long each transaction of the watched user took, as a
// bar where it ended, their mean so far, and the closed form that it nears.
import { FORMULA_LINE, GROUND, INK, MODEL, RAISED, SOFT } from './colours.js';
import { ms, span } from './port-state.js';
import { px } from './surface.js';

export const TAPE_HEIGHT = 48;
const ROOM = 6, BAR = 5, LINE = 14;

/** How wide the time is. @param {number} width */
export function tape(width) {
  return { width: width - 112, height: TAPE_HEIGHT };
}

/** @param {Port} trace @param {number} width @param {number} height */
function plan(trace, width, height) {
  const { width: plot } = tape(width), top = height - TAPE_HEIGHT + ROOM, base = height - 2;
  return {
    plot, top, base,
    x: (/** @type {number} */ t) => px((t / trace.end) * plot),
    y: (/** @type {number} */ time) => px(base - (time / span(trace)) * (base - top)),
  };
}

/** The mean of those that have ended, at each end. @param {Port} trace @param {ReturnType<typeof plan>} at */
function running({ transactions, end }, { x, y }) {
  let line = '', sum = 0;
  transactions.filter(({ done }) => done <= end).forEach(({ begun, done }, n) => {
    sum += done - begun;
    line += `${n ? 'H' : 'M'}${x(done)}${n ? 'V' : ' '}${y(sum / (n + 1))}`;
  });
  return line ? `${line}H${x(end)}` : 'M0 0';
}

/** What does not move. @param {Port} trace @param {number} width @param {number} height @param {Surface} surface */
export function backdrop(trace, width, height, surface) {
  const at = plan(trace, width, height), { plot, base, x, y } = at;
  const bars = trace.transactions.filter(({ done }) => done <= trace.end).map(({ begun, done }) => (
    `M${px(x(done) - BAR)} ${base}V${y(done - begun)}h${BAR}V${base}z`));
  surface.put('path', { d: bars.join('') || 'M0 0', fill: RAISED });
  surface.put('path', { d: `M0 ${base + 0.5}H${plot}`, stroke: SOFT, 'stroke-opacity': 0.5 });
  surface.put('path', { d: running(trace, at), fill: 'none', stroke: INK, 'stroke-width': 1.6 });
  if (trace.formula === null) return;
  const d = `M0 ${y(trace.formula)}H${plot}`;
  surface.put('path', { d, ...FORMULA_LINE });
}

/** Now. @param {PortState} state @param {number} width @param {number} height @param {Surface} surface */
export function now({ trace, t, mean, finished }, width, height, surface) {
  const { plot, top, base, x, y } = plan(trace, width, height), here = x(t);
  const words = { x: plot + 8, 'font-size': 12 }, { formula } = trace;
  const veil = { x: here, y: top - 3, width: px(plot - here), height: base - top + 3 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.75 });
  surface.put('path', { d: `M${here} ${top - 4}V${base + 2}`, stroke: INK, 'stroke-width': 1.5 });
  surface.put('circle', { cx: here, cy: mean === null ? base : y(mean), r: 3.5, fill: mean === null ? 'none' : INK });
  const soFar = mean === null ? 'none yet' : `mean ${ms(mean)}`;
  surface.put('text', { ...words, y: top + 8, fill: INK, 'font-weight': 600 }, soFar);
  surface.put('text', { ...words, y: top + 8 + LINE, fill: formula === null ? SOFT : MODEL },
    formula === null ? 'no formula' : `formula ≈ ${formula.toFixed(1)}`);
  surface.put('text', { ...words, y: top + 8 + 2 * LINE, fill: SOFT }, `over ${finished}`);
}
