// Chapter 6, second animation: ten neighbours, whose hold timers run down while the loop is busy.
import { bySecond } from './events.js';
import { boxPath, hatchPath } from './slices.js';
import { FORMULA_LINE, GROUND, INK, MISS, MISS_GROUND, MODEL, RAISED, SOFT, px } from './surface.js';

/**
 * Keepalives, one session after another in turn, in nanoseconds; all other times are in seconds.
 * @typedef {object} SessionColumns
 * @property {number} sessions
 * @property {number} keepalive
 * @property {number} hold
 * @property {number} begin of the task
 * @property {number} block the length of the task
 * @property {boolean} sliced
 * @property {number} formula the sessions lost by the closed form
 * @property {number[]} due
 * @property {number[]} sent
 * @property {number[]} dropped -1: never
 */

/**
 * @typedef {object} SessionIndex
 * @property {number[]} before each session's last keepalive before the run
 * @property {Float64Array} begins of the events; the last is the end
 */
/** @typedef {SessionColumns & SessionIndex} Sessions with due, sent and dropped in seconds, Infinity: never */

/**
 * @typedef {object} Session
 * @property {number} left of its hold time
 * @property {number} waits how long its keepalive has waited
 * @property {number | null} dropped the time at which it was dropped
 */

/**
 * @typedef {object} SessionsState
 * @property {Sessions} trace
 * @property {number} t
 * @property {Session[]} all
 * @property {number} dropped the number of sessions dropped
 */

// ---- The trace, its state at time t, in seconds, and the sentence. A neighbour restarts its hold timer at each
// keepalive.

const SECOND = 1e9; // ns
const NEVER = Infinity;

/** @param {number[]} times */
const inSeconds = (times) => times.map((each) => (each < 0 ? NEVER : each / SECOND));

/** The times of the events, and of the end.
 * @param {SessionColumns} columns @param {number[]} sent @param {number[]} dropped */
function eventsOf({ begin, block, keepalive }, sent, dropped) {
  const end = begin + block + keepalive;
  const all = [0, begin, begin + block, end, ...sent, ...dropped];
  return Float64Array.from(new Set(all.filter((at) => at <= end))).sort();
}

/** Return a run with all that is looked up in it. @param {SessionColumns} columns @returns {Sessions} */
function prepare(columns) {
  const { due, sent, dropped, sessions, keepalive } = columns;
  const times = { due: inSeconds(due), sent: inSeconds(sent), dropped: inSeconds(dropped) };
  const before = Array.from({ length: sessions }, (_, n) => times.due[n] - keepalive);
  return { ...columns, ...times, before, begins: eventsOf(columns, times.sent, times.dropped) };
}

/** The timer of one neighbour: what is left of it, and how long a keepalive has waited.
 * @param {Sessions} trace @param {number} session @param {number} t @returns {Session} */
function sessionAt({ due, sent, dropped, before, sessions, hold }, session, t) {
  if (t >= dropped[session]) return { left: 0, waits: 0, dropped: dropped[session] };
  let last = before[session], next = session;
  while (next < sent.length && sent[next] <= t) {
    last = sent[next];
    next += sessions;
  }
  return { left: Math.max(0, last + hold - t), waits: Math.max(0, t - (due[next] ?? t)), dropped: null };
}

/** @param {Sessions} trace @param {number} t @returns {SessionsState} */
function stateAt(trace, t) {
  const all = Array.from({ length: trace.sessions }, (_, session) => sessionAt(trace, session, t));
  return { trace, t, all, dropped: all.filter((one) => one.dropped !== null).length };
}

/** @param {SessionsState} at */
function describeTask({ trace: { begin, block, sliced }, t }) {
  if (t < begin) return `the loop is free; a task of ${block} s begins at ${begin} s.`;
  if (t >= begin + block) return `the task of ${block} s is done.`;
  return `${(t - begin).toFixed(1)} s into a task of ${block} s, ${sliced ? 'in slices' : 'in one piece'}.`;
}

/** Describe the sessions that were dropped. @param {SessionsState} at */
function describeLost({ all, dropped, trace: { sessions } }) {
  if (!dropped) return 'Nobody has dropped a session';
  const times = all.map((one) => one.dropped ?? -1), latest = Math.max(...times), last = times.indexOf(latest) + 1;
  const when = `at ${latest.toFixed(1)} s`;
  if (dropped === 1) return `Neighbour ${last} dropped the session ${when}, 1 of ${sessions}`;
  return `${dropped} of ${sessions} neighbours dropped the session, number ${last} as the last ${when}`;
}

/** Describe the timer that runs out next. @param {SessionsState} at */
function describeSoonest({ all, dropped }) {
  const left = all.map((one) => (one.dropped === null ? one.left : NEVER)), least = Math.min(...left);
  if (least === NEVER) return '.';
  return `; the ${dropped ? 'next' : 'first'} would be number ${left.indexOf(least) + 1}, in ${least.toFixed(1)} s.`;
}

/** Describe the state in a sentence, for all readers. @param {SessionsState} at */
function sentence(at) {
  return `At ${at.t.toFixed(1)} s: ${describeTask(at)} ${describeLost(at)}${describeSoonest(at)}`;
}

// ---- The tape: the run from end to end, with the task, the sessions lost, and the mean number lost by the closed form

const TAPE_HEIGHT = 62;
const LABELS = 126, TASK = 14; // px

/** The size of the time axis. @param {number} width */
function tape(width) {
  return { width: width - LABELS, height: TAPE_HEIGHT };
}

/** @param {Sessions} trace @param {number} width @param {number} tall */
function tapePlan({ begins, sessions }, width, tall) {
  const plot = tape(width).width, top = tall - TAPE_HEIGHT + 4, base = tall - TASK - 4;
  return {
    plot, top, base,
    x: (/** @type {number} */ t) => (t / begins[begins.length - 1]) * plot,
    y: (/** @type {number} */ count) => base - (count / sessions) * (base - top),
  };
}

/** @param {Sessions} trace @param {number} width @param {number} tall @param {Surface} surface */
function drawTape(trace, width, tall, surface) {
  const { plot, base, top, x, y } = tapePlan(trace, width, tall), { begin, block, sliced, formula } = trace;
  const task = { from: x(begin), to: x(begin + block), y: base + 3, tall: TASK };
  surface.put('path', { d: boxPath(task), fill: MISS_GROUND, stroke: MISS });
  if (!sliced) surface.put('path', { d: hatchPath(task), stroke: MISS });
  surface.put('path', { d: `M0 ${base + 0.5}H${plot}`, stroke: SOFT });
  const lost = trace.dropped.filter(Number.isFinite).sort((a, b) => a - b);
  const line = lost.map((t, n) => `H${px(x(t))}V${px(y(n + 1))}`).join('');
  surface.put('path', { d: `M0 ${px(y(0))}${line}H${plot}`, fill: 'none', stroke: INK, 'stroke-width': 1.6 });
  surface.put('path', { ...FORMULA_LINE, d: `M0 ${px(y(formula))}H${plot}` });
  const aside = { x: plot + 8, 'font-size': 12 };
  surface.put('text', { ...aside, y: top + 27, fill: MODEL }, `formula ${formula.toFixed(1)}`);
  surface.put('text', { ...aside, y: tall - 3, fill: SOFT }, `${block} s, ${sliced ? 'in slices' : 'one piece'}`);
}

/** Draw the current time.
 * @param {SessionsState} state @param {number} width @param {number} tall @param {Surface} surface */
function drawNow({ trace, t, dropped }, width, tall, surface) {
  const { plot, top, base, x, y } = tapePlan(trace, width, tall), here = px(x(t));
  const veil = { x: here, y: top - 2, width: px(plot - here), height: base - top + 2 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.75 });
  surface.put('path', { d: `M${here} ${top - 3}V${tall}`, stroke: INK, 'stroke-width': 1.5 });
  surface.put('circle', { cx: here, cy: px(y(dropped)), r: 3.5, fill: INK });
  const label = { x: plot + 8, y: top + 10, 'font-size': 12, fill: INK, 'font-weight': 600 };
  surface.put('text', label, `${dropped} dropped`);
}

// ---- The drawing: a numbered bar of hold time per neighbour: plain while keepalives are sent in time, hatched while
// one waits for the task

const NARROW = 480; // px
const SESSIONS = 10, ROW = 18, BAR = 12, TOP = 24, GAP = 10, STEP = 5, ASIDE = 122;
const SEEN_S = 0.05; // the least wait that is mentioned

function heightOf() {
  return TOP + SESSIONS * ROW + GAP + TAPE_HEIGHT;
}

/** @param {number} width @param {Sessions} trace */
function plan(width, { hold }) {
  const left = width < NARROW ? 26 : 100, right = width - ASIDE;
  return { left, right, x: (/** @type {number} */ left_s) => left + (left_s / hold) * (right - left) };
}

/** @param {Session} one */
function holdText({ left, waits, dropped }) {
  if (dropped !== null) return `✕ at ${dropped.toFixed(1)} s`;
  return waits > SEEN_S ? `${left.toFixed(1)} s, waits` : `${left.toFixed(1)} s left`;
}

/** @param {Session} one @param {{ from: number, to: number, y: number, tall: number }} bar */
function barPaths({ waits, dropped }, bar) {
  const { from, y } = bar;
  if (dropped !== null) return { lost: `M${from + 3} ${y + 1}l10 10m0 -10l-10 10` };
  return waits > 0 ? { held: boxPath(bar), strokes: hatchPath({ ...bar, step: STEP }) } : { plain: boxPath(bar) };
}

/** @param {SessionsState} state @param {number} width @param {Surface} surface */
function drawBars({ trace, all }, width, surface) {
  const { x, left, right } = plan(width, trace);
  /** @type {Record<string, string>} */
  const paths = { plain: '', held: '', strokes: '', lost: '' };
  all.forEach((one, n) => {
    const y = TOP + n * ROW, bar = { from: left, to: x(one.left), y, tall: BAR };
    for (const [kind, d] of Object.entries(barPaths(one, bar))) paths[kind] += d;
    /** @type {Record<string, string | number>} */
    const look = one.dropped === null ? { fill: INK } : { fill: MISS, 'font-weight': 600 };
    surface.put('text', { x: right + 8, y: y + 11, 'font-size': 12, ...look }, holdText(one));
  });
  surface.put('path', { d: paths.plain || 'M0 0', fill: MODEL });
  surface.put('path', { d: paths.held || 'M0 0', fill: MISS_GROUND, stroke: MISS });
  surface.put('path', { d: paths.strokes || 'M0 0', stroke: MISS, 'stroke-width': 1.2 });
  surface.put('path', { d: paths.lost || 'M0 0', stroke: MISS, 'stroke-width': 2.5 });
}

/** Draw what does not move. @param {Sessions} trace @param {number} width @param {Surface} surface */
function drawFrames(trace, width, surface) {
  const { left, right } = plan(width, trace), wide = width >= NARROW, grey = { 'font-size': 12, fill: SOFT };
  const rule = `keepalive every ${trace.keepalive} s; 0 to ${trace.hold} s of hold time`;
  surface.put('text', { ...grey, x: wide ? left : 0, y: 12 }, rule);
  for (let n = 0; n < trace.sessions; n += 1) {
    const y = TOP + n * ROW, name = `${wide ? 'neighbour ' : ''}${n + 1}`;
    surface.put('rect', { x: left, y, width: right - left, height: BAR, fill: RAISED });
    surface.put('text', { ...grey, x: left - 6, y: y + 11, 'text-anchor': 'end' }, name);
  }
}

/** @type {Renderer<Sessions, SessionsState>} */
export const sessions = {
  prepare, state: stateAt, sentence, height: heightOf, tape,
  backdrop(trace, width, tall, surface) {
    drawTape(trace, width, tall, surface);
    drawFrames(trace, width, surface);
  },
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawBars(at, width, surface);
  },
  scene() {}, // everything moves
  ...bySecond,
  measure: 'second',
  words: { start: 'To the start', event: 'event' },
  begins: ({ begins }) => begins,
  round: ({ t }, { begins }) => Math.min(t, begins[begins.length - 1]),
  rule: () => '',
  pace: [
    { each: 1, words: '1 s here is 1 s' },
    { each: 5, words: '1 s here is 5 s' },
    { each: 20, words: '1 s here is 20 s' },
  ],
};
