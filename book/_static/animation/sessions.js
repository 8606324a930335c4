// Chapter 6, second animation: ten neighbours, whose hold timers run down while the loop is busy.
import { bySecond } from './events.js';
import { boxPath, hatchPath } from './slices.js';
import { FORMULA_LINE, GROUND, HELD, HIT, INK, MISS, RAISED, SOFT, WORK, px } from './surface.js';

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
  if (!dropped) return 'No neighbour has dropped its session';
  const times = all.map((one) => one.dropped ?? -1), latest = Math.max(...times), last = times.indexOf(latest) + 1;
  const when = `at ${latest.toFixed(1)} s`;
  if (dropped === 1) return `1 of ${sessions} neighbours has dropped its session: number ${last}, ${when}`;
  return `${dropped} of ${sessions} neighbours have dropped their sessions, most recently number ${last}, ${when}`;
}

/** Describe the timer that runs out next. @param {SessionsState} at */
function describeSoonest({ all }) {
  const left = all.map((one) => (one.dropped === null ? one.left : NEVER)), least = Math.min(...left);
  if (least === NEVER) return '.';
  return `; number ${left.indexOf(least) + 1} has the least hold time left, ${least.toFixed(1)} s.`;
}

/** Describe the state in a sentence, for all readers. @param {SessionsState} at */
function sentence(at) {
  return `At ${at.t.toFixed(1)} s: ${describeTask(at)} ${describeLost(at)}${describeSoonest(at)}`;
}

// ---- The numbers: how many sessions were dropped, how many the closed form expects, and how soon the next one may be

/** The numbers of the run. @param {SessionsState} state @returns {Figure[]} */
function figuresOf({ trace: { sessions, formula }, all, dropped }) {
  const left = all.filter((one) => one.dropped === null).map((one) => one.left);
  const next = left.length ? Math.min(...left).toFixed(1) : '–', unit = `of ${sessions}`;
  return [
    { label: 'sessions dropped', short: 'dropped', value: String(dropped), unit, tone: dropped ? 'miss' : 'hit' },
    { label: 'sessions dropped, according to the formula', short: 'formula', value: formula.toFixed(1), tone: 'model' },
    { label: 'time until the next timer runs out', short: 'next timer in', value: next, unit: 's' },
  ];
}

// ---- The drawing: a numbered bar of hold time per neighbour: plain while keepalives are sent in time, hatched while
// one is held back by the task. Below it the tape: the run from end to end, with the task, the sessions dropped, and
// the mean number dropped by the closed form.

const WIDE = 500; // px; narrower is a phone, or one of two runs
const SESSIONS = 10;
const STRIPE = 5; // px, of a hatched bar, and of a task in slices
const SEEN_S = 0.05; // the least wait that is mentioned
const LETTER = 0.65; // of the size of the type: room for a letter

/** @param {number} width */
function sizesOf(width) {
  return width < WIDE
    ? { size: 12, head: 14, pitch: 12, bar: 8, left: 22, aside: 108, gap: 5, plot: 27, task: 7 }
    : { size: 13, head: 20, pitch: 17, bar: 12, left: 104, aside: 190, gap: 9, plot: 40, task: 9 };
}

/** @typedef {ReturnType<typeof sizesOf>} Sizes */

/** The height of the time axis: the plot, the task, and its words. @param {Sizes} sizes */
const tapeHeight = ({ plot, task, size }) => plot + task + size + 6;

/** @param {number} width */
function heightOf(width) {
  const sizes = sizesOf(width);
  return sizes.head + SESSIONS * sizes.pitch + sizes.gap + tapeHeight(sizes);
}

/** The size of the time axis. @param {number} width */
const tape = (width) => ({ width, height: tapeHeight(sizesOf(width)) });

/** @param {Sessions} trace @param {number} width @param {number} tall */
function tapePlan({ begins, sessions }, width, tall) {
  const sizes = sizesOf(width), top = tall - tapeHeight(sizes) + 5, base = top - 5 + sizes.plot;
  return {
    ...sizes, top, base, foot: base + 2 + sizes.task,
    x: (/** @type {number} */ t) => (t / begins[begins.length - 1]) * width,
    y: (/** @type {number} */ count) => base - (count / sessions) * (base - top),
  };
}

/** Draw the task and its words, below the plot.
 * @param {Sessions} trace @param {number} width @param {ReturnType<typeof tapePlan>} at @param {Surface} surface */
function drawTask({ begin, block, sliced }, width, { x, base, task, size }, surface) {
  const box = { from: x(begin), to: x(begin + block), y: base + 2, tall: task };
  const slices = stripesPath(box), words = `a task of ${block} s, ${sliced ? 'in slices' : 'in one piece'}`;
  surface.put('path', { d: sliced ? slices : boxPath(box), fill: WORK });
  const room = words.length * size * LETTER, left = px(Math.min(box.from, width - room));
  surface.put('text', { x: left, y: base + task + size + 2, 'font-size': size, fill: INK }, words);
}

/** The path of slices, apart. @param {{ from: number, to: number, y: number, tall: number }} where */
function stripesPath({ from, to, y, tall }) {
  let d = '';
  for (let x = from; x < to; x += STRIPE) d += boxPath({ from: x, to: Math.min(to, x + STRIPE - 2), y, tall });
  return d;
}

/** @param {Sessions} trace @param {number} width @param {number} tall @param {Surface} surface */
function drawTape(trace, width, tall, surface) {
  const at = tapePlan(trace, width, tall), { base, x, y } = at;
  drawTask(trace, width, at, surface);
  surface.put('path', { d: `M0 ${base + 0.5}H${width}`, stroke: SOFT });
  const lost = trace.dropped.filter(Number.isFinite).sort((a, b) => a - b);
  const line = lost.map((t, n) => `H${px(x(t))}V${px(y(n + 1))}`).join('');
  surface.put('path', { d: `M0 ${px(y(0))}${line}H${width}`, fill: 'none', stroke: MISS, 'stroke-width': 2.2 });
  surface.put('path', { ...FORMULA_LINE, d: `M0 ${px(y(trace.formula))}H${width}` });
}

/** Draw the current time.
 * @param {SessionsState} state @param {number} width @param {number} tall @param {Surface} surface */
function drawNow({ trace, t, dropped }, width, tall, surface) {
  const { top, foot, size, x, y } = tapePlan(trace, width, tall), here = px(x(t)), r = size / 3 + 0.5;
  const veil = { x: here, y: top - 3, width: px(width - here), height: foot - top + 3 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.7 });
  surface.put('path', { d: `M${Math.min(here, width - 1)} ${top - 4}V${foot}`, stroke: INK, 'stroke-width': 2 });
  const halo = { 'paint-order': 'stroke', stroke: GROUND, 'stroke-width': 4 };
  surface.put('text', { x: 0, y: top + size - 3, 'font-size': size, fill: MISS, ...halo }, 'dropped');
  surface.put('circle', { cx: Math.min(width - r, Math.max(r, here)), cy: px(y(dropped)), r, fill: INK });
}

/** @param {number} width @param {Sessions} trace */
function plan(width, { hold }) {
  const sizes = sizesOf(width), right = width - sizes.aside;
  return {
    ...sizes, right, wide: width >= WIDE,
    row: (/** @type {number} */ n) => sizes.head + n * sizes.pitch,
    x: (/** @type {number} */ left_s) => sizes.left + (left_s / hold) * (right - sizes.left),
  };
}

/** @param {Session} one @param {boolean} wide */
function holdText({ left, waits, dropped }, wide) {
  if (dropped !== null) return `✕ ${wide ? 'dropped ' : ''}at ${dropped.toFixed(1)} s`;
  const held = wide ? ', held back' : ', held';
  return `${left.toFixed(1)} s${waits > SEEN_S ? held : ' left'}`;
}

/** @param {Session} one @param {{ from: number, to: number, y: number, tall: number }} bar */
function barPaths({ waits, dropped }, bar) {
  const { from, y, tall } = bar;
  if (dropped !== null) return { lost: `M${from + 3} ${y}l${tall} ${tall}m0 ${-tall}l${-tall} ${tall}` };
  return waits > 0 ? { held: boxPath(bar), strokes: hatchPath({ ...bar, step: STRIPE }) } : { plain: boxPath(bar) };
}

/** @param {SessionsState} state @param {number} width @param {Surface} surface */
function drawBars({ trace, all }, width, surface) {
  const { x, left, right, row, bar: tall, size, wide } = plan(width, trace);
  /** @type {Record<string, string>} */
  const paths = { plain: '', held: '', strokes: '', lost: '' };
  all.forEach((one, n) => {
    const y = row(n), bar = { from: left, to: x(one.left), y, tall };
    for (const [kind, d] of Object.entries(barPaths(one, bar))) paths[kind] += d;
    const fill = one.dropped !== null ? MISS : one.waits > SEEN_S ? HELD : INK;
    const look = { 'font-size': size, fill, ...one.dropped === null ? {} : { 'font-weight': 600 } };
    surface.put('text', { x: right + 8, y: y + tall, ...look }, holdText(one, wide));
  });
  surface.put('path', { d: paths.plain || 'M0 0', fill: HIT });
  surface.put('path', { d: paths.held || 'M0 0', fill: GROUND, stroke: HELD, 'stroke-width': 1.5 });
  surface.put('path', { d: paths.strokes || 'M0 0', stroke: HELD, 'stroke-width': 2 });
  surface.put('path', { d: paths.lost || 'M0 0', stroke: MISS, 'stroke-width': 2.5 });
}

/** Draw what does not move: the names, the axis of hold time, and where a keepalive is due.
 * @param {Sessions} trace @param {number} width @param {Surface} surface */
function drawFrames(trace, width, surface) {
  const { left, right, x, row, bar, head, size, wide } = plan(width, trace), grey = { 'font-size': size, fill: SOFT };
  const due = px(x(trace.hold - trace.keepalive)), top = { ...grey, y: head - (wide ? 7 : 4) };
  surface.put('text', { ...top, x: left }, '0 s');
  surface.put('text', { ...top, x: due, 'text-anchor': 'middle' }, wide ? 'a keepalive is due' : 'keepalive due');
  surface.put('text', { ...top, x: right + 8 }, `${wide ? 'hold time ' : ''}of ${trace.hold} s`);
  for (let n = 0; n < trace.sessions; n += 1) {
    const y = row(n), name = `${wide ? 'neighbour ' : ''}${n + 1}`;
    surface.put('rect', { x: left, y, width: right - left, height: bar, fill: RAISED });
    surface.put('text', { ...grey, x: left - 7, y: y + bar, 'text-anchor': 'end' }, name);
  }
  surface.put('path', { d: `M${due} ${head - 2}V${row(trace.sessions - 1) + bar + 2}`, stroke: SOFT });
}

/** @type {Renderer<Sessions, SessionsState>} */
export const sessions = {
  prepare, state: stateAt, sentence, figures: figuresOf, height: heightOf, tape,
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
  words: { start: 'Back to the start', event: 'event' },
  begins: ({ begins }) => begins,
  round: ({ t }, { begins }) => Math.min(t, begins[begins.length - 1]),
  rule: () => '',
  pace: [
    { each: 1, words: '1 s a second' },
    { each: 5, words: '5 s a second' },
    { each: 20, words: '20 s a second' },
  ],
};
