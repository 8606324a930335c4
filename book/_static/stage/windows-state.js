// What stands on chapter 5's second stage at time t, which counts from where its span begins: a pure
// function of (trace, t), and its sentence. In each round trip one window of segments is sent.
import { grouped } from '../quantity.js';

const LOST = 1, SLOW_START = 2;
const NICE = [1, 1.2, 1.5, 2, 3, 5, 10];

/** @param {number} most */
function ceilingOf(most) {
  const ten = 10 ** Math.floor(Math.log10(most));
  return ten * Number(NICE.find((each) => each * ten >= most));
}

/** When a round begins, since the span did. @param {WindowColumns} trace @param {WindowSide} side @param {number} k */
export const startOf = ({ first_s: from }, { first, rtt_s: rtt }, k) => (first + k) * rtt - from;

/** @param {WindowSide} side @param {number} k */
export const isLost = ({ events }, k) => (events[k] & LOST) > 0;

/** What may be looked up of a run. @param {WindowColumns} columns @returns {Windows} */
export function prepare(columns) {
  const { sides, span_s: span } = columns, far = sides[sides.length - 1];
  const rounds = far.windows.map((_, k) => startOf(columns, far, k)).filter((start) => start > 0 && start < span);
  const most = Math.max(...sides.flatMap(({ windows }) => windows));
  return { ...columns, begins: Float64Array.from([0, ...rounds, span]), ceiling: ceilingOf(most) };
}

/** The segments sent of a side since the span began.
 * @param {WindowColumns} trace @param {WindowSide} side @param {number} t */
function sent(trace, side, t) {
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
  const soFar = t > 0 ? (sent(trace, side, t) * trace.lcrs_a_segment) / t : null;
  return { side, k, window: side.windows[k], slowStart: (side.events[k] & SLOW_START) > 0, losses, soFar };
}

/** @param {Windows} trace @param {number} t @returns {WindowState} */
export function state(trace, t) {
  return { trace, t, sides: trace.sides.map((side) => sideAt(trace, side, t)) };
}

/** @param {WindowSideState} at @param {string} law */
function sideWords({ side: { site, rtt_s: rtt }, window, losses, slowStart }, law) {
  const tenths = Math.round(10 * window) / 10, segments = grouped(tenths, Number.isInteger(tenths) ? 0 : 1);
  const sends = `${site} ${segments} segments every ${Math.round(1000 * rtt)} ms`;
  const lost = `${losses} ${losses === 1 ? 'loss' : 'losses'} so far`;
  return `${sends}${law === 'window' ? '' : slowStart ? ', in slow start' : `, ${lost}`}`;
}

/** What is on the stage, for those who do not see it, and for those who do. @param {WindowState} at */
export function sentence({ trace, t, sides }) {
  const when = grouped(trace.first_s + t, 1);
  const sends = sides.map((side) => sideWords(side, trace.law)).join('; ');
  const rates = sides.map(({ soFar, side: { site, rate } }) => (
    `${grouped(soFar ?? 0)} to ${site} (formula ${grouped(rate)})`));
  const since = trace.first_s ? `Since ${grouped(trace.first_s)} s` : 'So far';
  const speed = t > 0 ? ` ${since}, records a second: ${rates.join(', ')}.` : '';
  return `After ${when} s: ${sends}.${speed}`;
}
