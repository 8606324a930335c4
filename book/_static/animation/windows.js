// Chapter 5, second animation: TCP's window on two long paths.
import { withCommas } from '../quantity.js';
import { GROUND, INK, MISS, MODEL, SOFT, plural, px } from './surface.js';

/**
 * The windows of one connection, round by round.
 * @typedef {object} WindowSide
 * @property {string} site
 * @property {number} rtt_s
 * @property {number} first the current round when the span begins
 * @property {number[]} windows in segments, of each round
 * @property {number[]} events 1: a loss, 2: slow start, 3: both
 * @property {number} rate by the closed form, in records per second
 */

/**
 * A run as the chapter's `play` returns it.
 * @typedef {object} WindowColumns
 * @property {string} law
 * @property {number} first_s
 * @property {number} span_s
 * @property {number} lcrs_a_segment
 * @property {WindowSide[]} sides
 */

/**
 * @typedef {object} WindowIndex
 * @property {Float64Array} begins of the rounds of the last side, since the span began
 * @property {number} ceiling of the axis, in segments
 */
/** @typedef {WindowColumns & WindowIndex} Windows */

/**
 * @typedef {object} WindowSideState
 * @property {WindowSide} side
 * @property {number} k the round, among those of the span
 * @property {number} window
 * @property {boolean} slowStart
 * @property {number} losses so far
 * @property {number | null} soFar records per second since the span began
 */

/**
 * @typedef {object} WindowState
 * @property {Windows} trace
 * @property {number} t since the span began
 * @property {WindowSideState[]} sides
 */

// ---- The trace, its state at time t, in seconds since the span began, and the sentence. One window of segments is
// sent in each round trip.

const LOST = 1, SLOW_START = 2;
const NICE = [1, 1.2, 1.5, 2, 3, 5, 10];

/** @param {number} most */
function ceilingOf(most) {
  const ten = 10 ** Math.floor(Math.log10(most));
  return ten * Number(NICE.find((each) => each * ten >= most));
}

/** When a round begins, since the span began.
 * @param {WindowColumns} trace @param {WindowSide} side @param {number} k */
const startOf = ({ first_s: from }, { first, rtt_s: rtt }, k) => (first + k) * rtt - from;

/** @param {WindowSide} side @param {number} k */
const isLost = ({ events }, k) => (events[k] & LOST) > 0;

/** Return a run with all that is looked up in it. @param {WindowColumns} columns @returns {Windows} */
function prepare(columns) {
  const { sides, span_s: span } = columns, far = sides[sides.length - 1];
  const rounds = far.windows.map((_, k) => startOf(columns, far, k)).filter((start) => start > 0 && start < span);
  const most = Math.max(...sides.flatMap(({ windows }) => windows));
  return { ...columns, begins: Float64Array.from([0, ...rounds, span]), ceiling: ceilingOf(most) };
}

/** The segments sent on a side since the span began.
 * @param {WindowColumns} trace @param {WindowSide} side @param {number} t */
function segmentsSent(trace, side, t) {
  let sum = 0;
  for (const [k, window] of side.windows.entries()) {
    const start = startOf(trace, side, k), part = Math.min(t, start + side.rtt_s) - Math.max(0, start);
    if (part > 0) sum += (window * part) / side.rtt_s;
  }
  return sum;
}

/** @param {Windows} trace @param {WindowSide} side @param {number} t @returns {WindowSideState} */
function sideAt(trace, side, t) {
  const last = side.windows.length - 1;
  const k = Math.max(0, Math.min(last, Math.floor((trace.first_s + t) / side.rtt_s + 1e-9) - side.first));
  const losses = side.events.filter((_, n) => n <= k && isLost(side, n)).length;
  const soFar = t > 0 ? (segmentsSent(trace, side, t) * trace.lcrs_a_segment) / t : null;
  return { side, k, window: side.windows[k], slowStart: (side.events[k] & SLOW_START) > 0, losses, soFar };
}

/** @param {Windows} trace @param {number} t @returns {WindowState} */
function stateAt(trace, t) {
  return { trace, t, sides: trace.sides.map((side) => sideAt(trace, side, t)) };
}

/** @param {WindowSideState} at @param {string} law */
function describeSide({ side: { site, rtt_s: rtt }, window, losses, slowStart }, law) {
  const tenths = Math.round(10 * window) / 10, segments = withCommas(tenths, Number.isInteger(tenths) ? 0 : 1);
  const sends = `${site} ${segments} segments every ${Math.round(1000 * rtt)} ms`;
  const lost = `${plural(losses, 'loss', 'losses')} so far`;
  return `${sends}${law === 'window' ? '' : slowStart ? ', in slow start' : `, ${lost}`}`;
}

/** Describe the state in a sentence, for all readers. @param {WindowState} at */
function sentence({ trace, t, sides }) {
  const when = withCommas(trace.first_s + t, 1);
  const sends = sides.map((side) => describeSide(side, trace.law)).join('; ');
  const rates = sides.map(({ soFar, side: { site, rate } }) => (
    `${withCommas(soFar ?? 0)} to ${site} (formula ${withCommas(rate)})`));
  const since = trace.first_s ? `Since ${withCommas(trace.first_s)} s` : 'So far';
  const speed = t > 0 ? ` ${since}, records a second: ${rates.join(', ')}.` : '';
  return `After ${when} s: ${sends}.${speed}`;
}

// ---- The drawing: two paths, one above the other, on one clock. A column is a round trip wide and a window high, so
// its area is what was sent; a cross marks a loss.

const NARROW = 400; // px: a phone
const TITLE = 18, GAP = 12, AXIS = 16;
const CROSS = 3.5, APART = 2.4; // px; narrower columns join

/** The largest height of a path's columns. @param {number} width */
const columnHeight = (width) => (width < NARROW ? 66 : 84);

/** @param {number} width */
const heightOf = (width) => 2 * (TITLE + columnHeight(width) + GAP) + AXIS;

/** The size of the time axis: over both paths. @param {number} width */
const tape = (width) => ({ width: width - 116, height: heightOf(width) - TITLE });

/** @param {Windows} trace @param {number} width @param {number} row */
function plan({ span_s: span, ceiling }, width, row) {
  const { width: plot } = tape(width), high = columnHeight(width);
  const top = row * (TITLE + high + GAP) + TITLE, base = top + high;
  return {
    plot, top, base, high,
    x: (/** @type {number} */ t) => (Math.min(span, Math.max(0, t)) / span) * plot,
    y: (/** @type {number} */ window) => base - (window / ceiling) * high,
  };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** @param {Windows} trace @param {WindowSide} side @param {Plan} at */
function columnPaths(trace, side, { x, y, base }) {
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
function drawSeconds({ first_s: from, span_s: span }, width, surface) {
  const { width: plot } = tape(width), y = heightOf(width) - 4;
  const line = { y, 'font-size': 12, fill: SOFT };
  surface.put('text', { ...line, x: 0 }, `${withCommas(from)} s`);
  surface.put('text', { ...line, x: plot, 'text-anchor': 'end' }, `${withCommas(from + span)} s`);
}

/** Draw what does not move.
 * @param {Windows} trace @param {number} width @param {number} tall @param {Surface} surface */
function drawBackdrop(trace, width, tall, surface) {
  for (const [row, side] of trace.sides.entries()) {
    const at = plan(trace, width, row), { bars, crosses } = columnPaths(trace, side, at), x = at.plot + 8;
    const title = { x: 0, y: at.top - 6, 'font-size': 13, 'font-weight': 600, fill: INK };
    surface.put('text', title, `${side.site}: a column is ${Math.round(1000 * side.rtt_s)} ms, assumed`);
    surface.put('path', { d: bars, fill: MODEL });
    surface.put('path', { d: crosses, fill: 'none', stroke: MISS, 'stroke-width': 2 });
    surface.put('path', { d: `M0 ${at.base + 0.5}H${at.plot}`, stroke: SOFT });
    surface.put('path', { d: `M${at.plot} ${at.top + 0.5}h4`, stroke: SOFT });
    surface.put('text', { x, y: at.top + 5, 'font-size': 12, fill: SOFT }, `${withCommas(trace.ceiling)} seg.`);
    surface.put('text', { x, y: at.base - 2, 'font-size': 12, fill: MODEL }, `formula ${withCommas(side.rate)}`);
  }
  drawSeconds(trace, width, surface);
}

/** Draw the current time.
 * @param {WindowState} state @param {number} width @param {number} tall @param {Surface} surface */
function drawNow({ trace, t, sides }, width, tall, surface) {
  for (const [row, { window, soFar }] of sides.entries()) {
    const at = plan(trace, width, row), here = px(at.x(t)), x = at.plot + 8;
    const veil = { x: here, y: at.top - 1, width: px(at.plot - here), height: at.high + 1 };
    surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.75 });
    surface.put('path', { d: `M${here} ${at.top - 2}V${at.base}`, stroke: INK, 'stroke-width': 1.5 });
    surface.put('circle', { cx: here, cy: px(at.y(window)), r: 3.5, fill: INK });
    const line = { x, 'font-size': 12, 'font-weight': 600, fill: INK };
    surface.put('text', { ...line, y: at.top + (at.high > 70 ? 32 : 24) }, `now ${withCommas(window)}`);
    surface.put('text', { ...line, y: at.base - 18 }, soFar === null ? 'so far –' : `so far ${withCommas(soFar)}`);
  }
}

/** @type {Renderer<Windows, WindowState>} */
export const windows = {
  prepare, state: stateAt, sentence, height: heightOf, tape, backdrop: drawBackdrop,
  moving: drawNow,
  scene() {}, // everything also changes between rounds
  measure: 'second',
  timeOf: ({ first_s: from, span_s: span }, at) => Math.min(span, Math.max(0, at - from)),
  atOf: ({ first_s: from }, t) => Math.round((from + t) * 1000) / 1000,
  words: { start: 'To the start', event: 'round trip to TRIUMF' },
  begins: ({ begins }) => begins,
  round: ({ t }) => t,
  rule: () => '',
  pace: [0.5, 2, 8].map((each) => ({ each, words: `${each} s a second` })),
};
