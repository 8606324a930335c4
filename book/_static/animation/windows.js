// Chapter 5, second animation: TCP's window on two long paths.
import { withCommas } from '../quantity.js';
import { FORMULA_LINE, GROUND, HIT, INK, MISS, MODEL, SOFT, plural, px } from './surface.js';

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
 * @property {number} most segments in a window
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
  return { ...columns, begins: Float64Array.from([0, ...rounds, span]), most };
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
  const sends = `${site} gets ${segments} segments every ${Math.round(1000 * rtt)} ms`;
  const lost = `${plural(losses, 'loss', 'losses')} so far`;
  return `${sends}${law === 'window' ? '' : slowStart ? ', in slow start' : `, ${lost}`}`;
}

/** Describe the state in a sentence, for all readers. @param {WindowState} at */
function sentence({ trace, t, sides }) {
  const when = withCommas(trace.first_s + t, 1);
  const sends = sides.map((side) => describeSide(side, trace.law)).join('; ');
  const rates = sides.map(({ soFar, side: { site, rate } }) => (
    `${withCommas(soFar ?? 0)} to ${site} (the formula gives ${withCommas(rate)})`));
  const since = trace.first_s ? `Since ${withCommas(trace.first_s)} s` : 'So far';
  const speed = t > 0 ? ` ${since}, records a second: ${rates.join(', ')}.` : '';
  return `After ${when} s: ${sends}.${speed}`;
}

// ---- The numbers: what reaches each site, and how much of the distance the window makes up for

const [NEAR, FAR] = [0, 1];

/** @param {WindowSideState} at @returns {Figure} */
function rateFigure({ soFar, side: { site } }) {
  const value = soFar === null ? '–' : withCommas(soFar);
  return { label: `records a second to ${site}`, short: `/s to ${site}`, value };
}

/** The numbers of the run. @param {WindowState} state @returns {Figure[]} */
function figuresOf({ sides }) {
  const { soFar: near, side: { site: nearer } } = sides[NEAR], { soFar: far, side: { site } } = sides[FAR];
  const share = near && far !== null ? String(Math.round((100 * far) / near)) : '–';
  return [
    rateFigure(sides[NEAR]), rateFigure(sides[FAR]),
    { label: `${site}’s rate as a share of ${nearer}’s`, short: `of ${nearer}’s`, value: share, unit: '%' },
  ];
}

// ---- The drawing: two paths, one above the other, on one clock. A column is a round trip wide and a window high, so
// its height is what was sent; a cross marks a loss, and a dashed line the mean window by the closed form.

const WIDE = 500; // px; narrower is a phone, or one of two runs
const AXIS = 17; // px, of the seconds
const CROSS = 4, ABOVE = 2 * CROSS + 3, APART = 2.4; // px; narrower columns join
const LETTER = 0.7; // of the size of the type: room for a bold letter

/** The sizes of a path: its title, the current window above the columns, the columns. @param {number} width */
function sizesOf(width) {
  return width < WIDE
    ? { size: 12, title: 13, now: 15, high: 50, gap: 7 }
    : { size: 15, title: 17, now: 21, high: 102, gap: 16 };
}

/** @param {number} width */
function pitchOf(width) {
  const { title, now, high, gap } = sizesOf(width);
  return title + now + high + gap;
}

/** @param {number} width */
const heightOf = (width) => 2 * pitchOf(width) + AXIS - 4;

/** The size of the time axis: over both paths. @param {number} width */
const tape = (width) => ({ width, height: heightOf(width) - sizesOf(width).title });

/** @param {Windows} trace @param {number} width @param {number} row */
function plan({ span_s: span, most }, width, row) {
  const { size, title, now, high } = sizesOf(width), from = row * pitchOf(width), base = from + title + now + high;
  return {
    size, base, wide: width >= WIDE,
    title: from + size - 1, // the line of the words
    now: from + title + size + 1,
    top: from + title + 4,
    x: (/** @type {number} */ t) => (Math.min(span, Math.max(0, t)) / span) * width,
    y: (/** @type {number} */ window) => base - (window / most) * (high - ABOVE),
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
      const middle = px((left + right) / 2);
      crosses += `M${middle - CROSS} ${px(top - ABOVE + 1)}l8 8m0 -8l-8 8`;
    }
  }
  return { bars, crosses: crosses || 'M0 0' };
}

/** @param {Windows} trace @param {number} width @param {Surface} surface */
function drawSeconds({ first_s: from, span_s: span }, width, surface) {
  const line = { y: heightOf(width) - 3, 'font-size': width < WIDE ? 12 : 13, fill: SOFT };
  surface.put('text', { ...line, x: 0 }, `${withCommas(from)} s`);
  const note = width < WIDE ? 'round trips assumed' : 'a column is one (assumed) round trip wide and one window high';
  surface.put('text', { ...line, x: width / 2, 'text-anchor': 'middle' }, note);
  surface.put('text', { ...line, x: width, 'text-anchor': 'end' }, `${withCommas(from + span)} s`);
}

/** Draw what a path is, and what the closed form says of it.
 * @param {WindowSide} side @param {Plan} at @param {number} width @param {Surface} surface */
function drawTitle({ site, rtt_s: rtt, rate }, { size, title, wide }, width, surface) {
  const delay = `${Math.round(1000 * rtt)} ms`, line = { y: title, 'font-size': size };
  surface.put('text', { ...line, x: 0, fill: INK }, `${site}: round ${wide ? 'trips of' : 'trip'} ${delay}`);
  const formula = wide ? `formula: ${withCommas(rate)} a second` : `formula ${withCommas(rate)}/s`;
  surface.put('text', { ...line, x: width, 'text-anchor': 'end', fill: MODEL }, formula);
}

/** Draw what does not move.
 * @param {Windows} trace @param {number} width @param {number} tall @param {Surface} surface */
function drawBackdrop(trace, width, tall, surface) {
  for (const [row, side] of trace.sides.entries()) {
    const at = plan(trace, width, row), { bars, crosses } = columnPaths(trace, side, at);
    drawTitle(side, at, width, surface);
    surface.put('path', { d: bars, fill: HIT });
    surface.put('path', { d: `M0 ${at.base + 0.5}H${width}`, stroke: SOFT });
    const mean = px(at.y((side.rate * side.rtt_s) / trace.lcrs_a_segment));
    surface.put('path', { d: `M0 ${mean}H${width}`, stroke: GROUND, 'stroke-width': 3.5 });
    surface.put('path', { d: `M0 ${mean}H${width}`, ...FORMULA_LINE });
    surface.put('path', { d: crosses, fill: 'none', stroke: MISS, 'stroke-width': 2.5 });
  }
  drawSeconds(trace, width, surface);
}

/** Draw the current time, and the window above it.
 * @param {WindowState} state @param {number} width @param {number} tall @param {Surface} surface */
function drawNow({ trace, t, sides }, width, tall, surface) {
  for (const [row, { window }] of sides.entries()) {
    const { x, y, size, base, top, now } = plan(trace, width, row), here = px(Math.min(width - 1, x(t))), r = size / 3;
    const veil = { x: here, y: now + 3, width: px(width - here), height: base - now - 3 };
    surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.72 });
    surface.put('path', { d: `M${here} ${top}V${base}`, stroke: INK, 'stroke-width': 2 });
    surface.put('circle', { cx: Math.min(here, width - r), cy: px(y(window)), r, fill: INK });
    const words = plural(withCommas(window), 'segment'), room = here + 7 + words.length * size * LETTER < width;
    const place = { x: px(room ? here + 7 : here - 7), 'text-anchor': room ? 'start' : 'end' };
    surface.put('text', { ...place, y: now, 'font-size': size, 'font-weight': 600, fill: INK }, words);
  }
}

/** @type {Renderer<Windows, WindowState>} */
export const windows = {
  prepare, state: stateAt, sentence, figures: figuresOf, height: heightOf, tape, backdrop: drawBackdrop,
  moving: drawNow,
  scene() {}, // everything also changes between rounds
  measure: 'second',
  timeOf: ({ first_s: from, span_s: span }, at) => Math.min(span, Math.max(0, at - from)),
  atOf: ({ first_s: from }, t) => Math.round((from + t) * 1000) / 1000,
  words: { start: 'Back to the start', event: 'round trip to TRIUMF' },
  begins: ({ begins }) => begins,
  round: ({ t }) => t,
  rule: () => '',
  pace: [0.5, 2, 8].map((each) => ({ each, words: `${each} s a second` })),
};
