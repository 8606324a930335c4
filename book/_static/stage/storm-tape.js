// The run of chapter 2 from end to end, second by second: what the server did as bars, attempts as a
// line, and the loads that sustain themselves by the closed form.
import { FORMULA_LINE, GROUND, HIT, INK, MISS, MISS_GROUND, MODEL, SOFT } from './colours.js';
import { px } from './surface.js';

export const TAPE_HEIGHT = 72;
const SIDE = 126, FOOT = 15, HEADROOM = 1.25;

/** How wide the time is. @param {number} width */
export function tape(width) {
  return { width: width - SIDE, height: TAPE_HEIGHT };
}

/** @param {Storm} trace @param {number} width @param {number} height */
function plan({ end, capacity, rate, tries }, width, height) {
  const plot = width - SIDE, base = height - FOOT, top = height - TAPE_HEIGHT + 6;
  const most = HEADROOM * Math.max(capacity, rate * tries);
  return {
    plot, base, top,
    x: (/** @type {number} */ t) => (t / end) * plot,
    y: (/** @type {number} */ load) => base - (Math.min(load, most) / most) * (base - top),
  };
}

/** @typedef {ReturnType<typeof plan>} TapePlan */

/** Bars from one count to another in each second, as wide a share of it.
 * @param {TapePlan} at @param {(second: number) => [number, number]} counts
 * @param {number} end @param {number} share */
function bars({ x, y }, counts, end, share) {
  let d = 'M0 0';
  for (let second = 0; second < end; second += 1) {
    const [low, high] = counts(second);
    const left = px(x(second + (1 - share) / 2)), wide = px(share * (x(1) - x(0)));
    if (high > low) d += `M${left} ${px(y(low))}h${wide}V${px(y(high))}h${-wide}z`;
  }
  return d;
}

/** The loads that sustain themselves, as long as their rules are in force.
 * @param {Storm} trace @param {TapePlan} at */
function formulas({ eras, end }, { x, y }) {
  return eras.flatMap(([from, ...loads], n) => {
    const until = eras[n + 1]?.[0] ?? end;
    return loads.map((load) => (load === null ? '' : `M${px(x(from))} ${px(y(load))}H${px(x(until))}`));
  }).join('') || 'M0 0';
}

/** @param {Storm} trace @param {number} width @param {number} height @param {Surface} surface */
export function backdrop(trace, width, height, surface) {
  const at = plan(trace, width, height), { plot, base, top, x, y } = at, { end, seconds, deeds } = trace;
  for (const [from, deed, length] of deeds) {
    const wide = deed === 'outage' ? x(Number(length)) : 0;
    surface.put('rect', { x: px(x(from)), y: top, width: px(wide), height: base - top, fill: MISS_GROUND });
    surface.put('path', { d: `M${px(x(from))} ${top}l-4 -6h8z`, fill: INK });
  }
  const { sent, done, answered } = seconds;
  surface.put('path', { d: bars(at, (second) => [0, answered[second]], end, 0.9), fill: HIT });
  surface.put('path', { d: bars(at, (second) => [answered[second], done[second]], end, 0.4), fill: MISS });
  const line = Array.from(sent, (count, second) => `${second ? 'V' : 'M0 '}${px(y(count))}H${px(x(second + 1))}`);
  surface.put('path', { d: line.join(''), fill: 'none', stroke: INK, 'stroke-width': 1.3 });
  surface.put('path', { d: formulas(trace, at), ...FORMULA_LINE });
  surface.put('path', { d: `M0 ${base + 0.5}H${plot}`, stroke: SOFT });
  const every = width < 400 ? 40 : 20, name = { y: base + 12, 'font-size': 12, fill: SOFT };
  for (let second = 0; second <= end; second += every) {
    const anchor = second === 0 ? 'start' : second === end ? 'end' : 'middle';
    const words = second === end ? `${second} s` : String(second);
    surface.put('text', { ...name, x: px(x(second)), 'text-anchor': anchor }, words);
  }
}

/** @param {StormState} state */
function formula({ lowest, highest }) {
  if (lowest === null || highest === null) return 'no formula';
  const [low, high] = [Math.round(lowest), Math.round(highest)];
  return low === high ? `formula ${low}` : `formula ${low} or ${high}`;
}

/** @param {StormState} state @param {number} width @param {number} height @param {Surface} surface */
export function now(state, width, height, surface) {
  const { trace, t, mean } = state, { plot, base, top, x, y } = plan(trace, width, height), here = px(x(t));
  const veil = { x: here, y: top - 6, width: px(plot - here), height: base - top + 6 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.8 });
  surface.put('path', { d: `M${here} ${top - 6}V${base + 3}`, stroke: INK, 'stroke-width': 1.5 });
  const known = mean !== null, words = { x: plot + 8, 'font-size': 12 };
  surface.put('circle', { cx: here, cy: px(known ? y(mean) : base), r: 3.5, fill: known ? INK : 'none' });
  surface.put('text', { ...words, y: height - 58, fill: SOFT }, 'attempts a second');
  const soFar = known ? `so far ${mean.toFixed(1)}` : 'so far –';
  surface.put('text', { ...words, y: height - 42, fill: INK, 'font-weight': 600 }, soFar);
  surface.put('text', { ...words, y: height - 26, fill: MODEL }, formula(state));
  surface.put('text', { ...words, y: height - 8, fill: HIT }, '✓ in time');
  surface.put('text', { ...words, x: plot + 70, y: height - 8, fill: MISS }, '✕ late');
}
