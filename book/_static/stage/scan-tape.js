// The run of chapter 3 from end to end: hits as bars up, misses as bars down, the slowdown so far
// above them, and the closed form that it nears.
import { FORMULA_LINE, GROUND, HIT, INK, MISS, MODEL, RAISED, SOFT } from './colours.js';
import { px } from './surface.js';

const BAR = 7, ROOM = 4, NARROW_PX = 3;
export const TAPE_HEIGHT = 64;

/** Where things stand on the tape. @param {Taped} trace @param {number} width @param {number} height */
export function plan({ begins, length, cost }, width, height) {
  const { width: plot } = tape(width);
  const top = height - TAPE_HEIGHT + ROOM, base = height - 2 * BAR - 2 * ROOM;
  return {
    plot, top, base,
    middle: height - BAR - 2,
    x: (/** @type {number} */ t) => (t / begins[length]) * plot,
    y: (/** @type {number} */ slowdown) => base - ((slowdown - 1) / (cost - 1)) * (base - top),
  };
}

/** A bar a request; where it is too narrow to see, its neighbours of one kind join it.
 * @param {Scan} trace @param {(t: number) => number} x @param {number} middle */
function bars({ begins, hit, length }, x, middle) {
  const made = ['', ''];
  for (let k = 0, end; k < length; k = end) {
    end = k + 1;
    const gap = x(begins[end]) - x(begins[k]) >= NARROW_PX ? 0.8 : 0;
    while (!gap && end < length && hit[end] === hit[k]) end += 1;
    const left = px(x(begins[k])), wide = px(x(begins[end]) - x(begins[k]) - gap);
    made[hit[k]] += `M${left} ${middle}h${wide}v${hit[k] ? -BAR : BAR}h${-wide}z`;
  }
  return made;
}

/** The slowdown so far, with each request counted as it begins.
 * @param {Scan} trace @param {ReturnType<typeof plan>} at */
function running({ begins, files, length, misses, cost }, { x, y }) {
  let line = `M${px(x(begins[Math.min(files, length)]))}`;
  for (let k = files; k < length; k += 1) {
    const slowdown = 1 + (cost - 1) * (misses[k + 1] / (k + 1 - files));
    line += `${k > files ? 'V' : ' '}${px(y(slowdown))}H${px(x(begins[k + 1]))}`;
  }
  return length > files ? line : 'M0 0';
}

/** The first scan, which does not count, the slowdown so far as a line, and the closed form.
 * @param {Taped} trace @param {ReturnType<typeof plan>} at
 * @param {{ cold: number, line: string, foot: number }} drawn @param {Surface} surface */
export function levels({ formula }, { plot, top, base, x, y }, { cold, line, foot }, surface) {
  surface.put('rect', { x: 0, y: top - 2, width: px(x(cold)), height: foot - top + 2, fill: RAISED });
  surface.put('path', { d: `M0 ${base + 0.5}H${plot}`, stroke: SOFT, 'stroke-opacity': 0.5 });
  surface.put('path', { d: line, fill: 'none', stroke: INK, 'stroke-width': 1.6 });
  const level = formula === null ? '' : `M0 ${px(y(formula))}H${plot}`;
  surface.put('path', { d: level || 'M0 0', ...FORMULA_LINE });
}

/** What does not move. @param {Scan} trace @param {number} width @param {number} height @param {Surface} surface */
export function backdrop(trace, width, height, surface) {
  const at = plan(trace, width, height), [misses, hits] = bars(trace, at.x, at.middle);
  levels(trace, at, { cold: trace.begins[trace.files], line: running(trace, at), foot: height }, surface);
  surface.put('path', { d: hits || 'M0 0', fill: HIT });
  surface.put('path', { d: misses || 'M0 0', fill: MISS });
  surface.put('text', { x: at.plot + 8, y: height - 2, 'font-size': 12, fill: SOFT }, '✓ up, ✕ down');
}

/** Now. @param {{ trace: Taped, t: number, slowdown: number | null }} state
 * @param {number} width @param {number} height @param {Surface} surface */
export function now({ trace, t, slowdown }, width, height, surface) {
  const { plot, top, base, x, y } = plan(trace, width, height);
  const here = px(x(Math.min(t, trace.begins[trace.length])));
  const { formula } = trace, words = { x: plot + 8, 'font-size': 12 };
  const veil = { x: here, y: top - 2, width: px(plot - here), height: base - top + 1 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.75 });
  surface.put('path', { d: `M${here} ${top - 3}V${height}`, stroke: INK, 'stroke-width': 1.5 });
  const level = px(slowdown === null ? base : y(slowdown));
  surface.put('circle', { cx: here, cy: level, r: 3.5, fill: slowdown === null ? 'none' : INK });
  const soFar = slowdown === null ? 'first scan' : `so far ${slowdown.toFixed(2)}`;
  surface.put('text', { ...words, y: top + 12, fill: INK, 'font-weight': 600 }, soFar);
  surface.put('text', { ...words, y: top + 29, fill: formula === null ? SOFT : MODEL },
    formula === null ? 'no formula' : `formula ${formula.toFixed(2)}`);
}

/** How wide the time is. @param {number} width */
export function tape(width) {
  return { width: width - 96, height: TAPE_HEIGHT };
}
