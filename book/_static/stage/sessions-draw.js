// Draws the second stage of chapter 6: a bar of hold time for each neighbour, with its number: plain
// while keepalives go out in time, hatched while one waits for the task.
import { INK, MISS, MISS_GROUND, MODEL, RAISED, SOFT } from './colours.js';
import { TAPE_HEIGHT } from './sessions-tape.js';
import { box, hatch } from './slices-bars.js';

const NARROW = 480; // px
const SESSIONS = 10, ROW = 18, BAR = 12, TOP = 24, GAP = 10, STEP = 5, ASIDE = 122;
const SEEN_S = 0.05; // a wait that is worth a word

export function height() {
  return TOP + SESSIONS * ROW + GAP + TAPE_HEIGHT;
}

/** @param {number} width @param {Sessions} trace */
function plan(width, { hold }) {
  const left = width < NARROW ? 26 : 100, right = width - ASIDE;
  return { left, right, x: (/** @type {number} */ left_s) => left + (left_s / hold) * (right - left) };
}

/** @param {Session} one */
function words({ left, waits, dropped }) {
  if (dropped !== null) return `✕ at ${dropped.toFixed(1)} s`;
  return waits > SEEN_S ? `${left.toFixed(1)} s, waits` : `${left.toFixed(1)} s left`;
}

/** @param {Session} one @param {{ from: number, to: number, y: number, tall: number }} bar */
function shapes({ waits, dropped }, bar) {
  const { from, y } = bar;
  if (dropped !== null) return { lost: `M${from + 3} ${y + 1}l10 10m0 -10l-10 10` };
  return waits > 0 ? { held: box(bar), strokes: hatch({ ...bar, step: STEP }) } : { plain: box(bar) };
}

/** @param {SessionsState} state @param {number} width @param {Surface} surface */
export function bars({ trace, all }, width, surface) {
  const { x, left, right } = plan(width, trace);
  /** @type {Record<string, string>} */
  const made = { plain: '', held: '', strokes: '', lost: '' };
  all.forEach((one, n) => {
    const y = TOP + n * ROW, bar = { from: left, to: x(one.left), y, tall: BAR };
    for (const [kind, d] of Object.entries(shapes(one, bar))) made[kind] += d;
    /** @type {Record<string, string | number>} */
    const look = one.dropped === null ? { fill: INK } : { fill: MISS, 'font-weight': 600 };
    surface.put('text', { x: right + 8, y: y + 11, 'font-size': 12, ...look }, words(one));
  });
  surface.put('path', { d: made.plain || 'M0 0', fill: MODEL });
  surface.put('path', { d: made.held || 'M0 0', fill: MISS_GROUND, stroke: MISS });
  surface.put('path', { d: made.strokes || 'M0 0', stroke: MISS, 'stroke-width': 1.2 });
  surface.put('path', { d: made.lost || 'M0 0', stroke: MISS, 'stroke-width': 2.5 });
}

/** What does not move. @param {Sessions} trace @param {number} width @param {Surface} surface */
export function frames(trace, width, surface) {
  const { left, right } = plan(width, trace), wide = width >= NARROW, grey = { 'font-size': 12, fill: SOFT };
  const rule = `keepalive every ${trace.keepalive} s; 0 to ${trace.hold} s of hold time`;
  surface.put('text', { ...grey, x: wide ? left : 0, y: 12 }, rule);
  for (let n = 0; n < trace.sessions; n += 1) {
    const y = TOP + n * ROW, name = `${wide ? 'neighbour ' : ''}${n + 1}`;
    surface.put('rect', { x: left, y, width: right - left, height: BAR, fill: RAISED });
    surface.put('text', { ...grey, x: left - 6, y: y + 11, 'text-anchor': 'end' }, name);
  }
}
