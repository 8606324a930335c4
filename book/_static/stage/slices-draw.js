// Draws the runs of chapter 6's stage: the one that is on, the last one, and those before it as
// rows; x is the time since a run began. It knows no time: the state says all.
import { GROUND, INK, MODEL, RAISED, SOFT } from './colours.js';
import { Bars } from './slices-bars.js';
import { looksOf, ms } from './slices-state.js';
import { TAPE_HEIGHT } from './slices-tape.js';
import { px } from './surface.js';

const MS = 1e6;
const NARROW = 480, LEFT = 74; // px
const ROW = 5, BAR = 4, TALL = 18, GAP = 5, TOP = 18, LANE = 17, FOOT = 18, ASIDE = 14, OVER = 3;
const MARK = 6; // px, at least, between two timers that are drawn
const AXES_MS = [[30, 5], [220, 50], [700, 200]]; // how far an axis goes, and its ticks

/** @param {number} width */
const rowsOf = (width) => (width < NARROW ? 18 : 30);

/** @param {number} width */
export function height(width) {
  return TOP + rowsOf(width) * ROW + 2 * (TALL + GAP) + LANE + FOOT + TAPE_HEIGHT;
}

/** @param {number} width @param {Slices} trace */
function plan(width, { longest }) {
  const right = width - (width < NARROW ? 102 : 124), rows = rowsOf(width);
  const [end_ms, tick_ms] = AXES_MS.find(([end]) => longest <= end * MS) ?? [longest / MS, longest / MS];
  const past = TOP + rows * ROW + GAP, on = past + TALL + GAP;
  return {
    rows, right, width, end_ms, tick_ms, aside: right + ASIDE,
    past, on, lane: on + TALL + 2, foot: on + TALL + LANE,
    x: (/** @type {number} */ time) => LEFT + (time / MS / end_ms) * (right - LEFT),
  };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** The runs before the last that have a row, and where. @param {SlicesState} state @param {Plan} at */
function rowsBefore({ done }, { rows }) {
  const first = Math.max(0, done - 1 - rows), count = Math.max(0, done - 1 - first);
  return Array.from({ length: count }, (_, n) => ({ run: first + n, y: TOP + (rows - count + n) * ROW }));
}

/** The later the lower. @param {SlicesState} state @param {Plan} at @param {Surface} surface */
function history(state, at, surface) {
  const { trace } = state, bars = new Bars({ ...at, quantum: trace.quantum, over: 0 });
  for (const { run, y } of rowsBefore(state, at)) bars.add(trace.length[run], looksOf(trace, run), { y, tall: BAR });
  bars.put(surface, 1);
}

/** How many items lie between two looks: a stair beside the runs, which never goes down.
 * @param {SlicesState} state @param {Plan} at @param {Surface} surface */
function stair(state, { aside, width, ...at }, surface) {
  const { trace: { granularity, widest, runs }, done } = state;
  const d = rowsBefore(state, /** @type {Plan} */ (at)).map(({ run, y }) => {
    const wide = px((granularity[run] / widest) * (width - aside));
    return `M${aside} ${y}h${wide}v${BAR}h${-wide}z`;
  });
  surface.put('text', { x: aside, y: 12, 'font-size': 12, fill: SOFT }, 'a look every');
  surface.put('path', { d: d.join('') || 'M0 0', fill: SOFT });
  const words = { x: aside, 'font-size': 13, fill: INK, 'font-weight': 600 };
  surface.put('text', { ...words, y: at.past + 14 }, done ? String(granularity[done - 1]) : '');
  surface.put('text', { ...words, y: at.on + 14 }, done < runs ? String(granularity[done]) : '');
}

/** @param {SlicesState} state @param {Plan} at @param {Surface} surface */
function labels({ trace, done }, at, surface) {
  const words = { x: LEFT - 6, 'text-anchor': 'end', 'font-size': 12, fill: INK };
  const first = done - at.rows, next = done < trace.runs ? `run ${done + 1}` : '';
  surface.put('text', { ...words, y: TOP + 9, fill: SOFT }, first > 0 ? `run ${first}` : '');
  surface.put('text', { ...words, y: at.past + 13 }, done ? `run ${done}` : '');
  surface.put('text', { ...words, y: at.on + 13, 'font-weight': 600 }, next);
}

/** The last run, tall enough to count, and how long it took.
 * @param {SlicesState} state @param {Plan} at @param {Surface} surface */
function before({ trace, done }, at, surface) {
  if (!done) return;
  const length = trace.length[done - 1], bars = new Bars({ ...at, quantum: trace.quantum, over: OVER });
  bars.add(length, looksOf(trace, done - 1), { y: at.past, tall: TALL });
  bars.put(surface, 1.5);
  const end = at.x(length), beside = at.right - end > 60;
  const halo = { 'paint-order': 'stroke', stroke: GROUND, 'stroke-width': beside ? 0 : 4 };
  surface.put('text', {
    x: px(beside ? end + 5 : end - 5), y: at.past + 13, 'text-anchor': beside ? 'start' : 'end',
    'font-size': 12, 'font-weight': 600, fill: INK, ...halo,
  }, `${ms(length)} ms`);
}

/** What an event changes. @param {SlicesState} state @param {number} width @param {Surface} surface */
export function machine(state, width, surface) {
  const at = plan(width, state.trace);
  history(state, at, surface);
  stair(state, at, surface);
  labels(state, at, surface);
  before(state, at, surface);
}

/** What does not move: the axis, and where a slice may end.
 * @param {Slices} trace @param {number} width @param {Surface} surface */
export function axis(trace, width, surface) {
  const at = plan(width, trace), { right, foot, on } = at, rule = px(at.x(trace.quantum));
  const words = { y: foot + 16, 'font-size': 12, fill: SOFT }, middle = { 'text-anchor': 'middle' };
  surface.put('rect', { x: LEFT, y: on, width: right - LEFT, height: TALL, fill: RAISED });
  surface.put('path', { d: `M${LEFT} ${foot + 0.5}H${right}`, stroke: SOFT });
  for (let tick = 0; tick <= at.end_ms; tick += at.tick_ms) {
    const x = px(at.x(tick * MS));
    surface.put('path', { d: `M${x} ${foot}v4`, stroke: SOFT });
    surface.put('text', { ...words, ...middle, x }, String(tick));
  }
  const line = { stroke: INK, 'stroke-width': 1.5, 'stroke-dasharray': '4 3' };
  surface.put('path', { ...line, d: `M${rule} ${TOP - 3}V${foot}` });
  surface.put('text', { ...words, ...middle, x: rule, y: 12, fill: INK }, `${trace.quantum / MS} ms`);
  surface.put('text', { ...words, x: LEFT - 10, 'text-anchor': 'end' }, 'ms');
  if (trace.late_formula === null) return;
  surface.put('text', { ...words, x: at.aside, fill: MODEL }, `formula ${ms(trace.late_formula)}`);
}

/** The timers that wait for the end of the turn, as far as they can be told apart, and since when.
 * @param {SlicesState} state @param {Plan} at */
function waits({ waiting, t, since }, { x, lane }) {
  if (!waiting.length) return { marks: 'M0 0', line: 'M0 0' };
  let marks = '', last = LEFT - 2 * MARK;
  for (const due of waiting) {
    const place = x(due - t + since), apart = place >= Math.max(LEFT, last + MARK);
    marks += apart ? `M${px(place - 4)} ${lane}h8l-4 7z` : '';
    last = apart ? place : last;
  }
  const from = px(Math.max(LEFT, x(waiting[0] - t + since)));
  return { marks: marks || 'M0 0', line: `M${from} ${lane + 9}H${px(x(since))}` };
}

/** @param {number} count */
function timers(count) {
  if (count === 1) return '1 timer';
  return count ? `${count} timers` : 'no timers';
}

/** @param {number | null} late */
function lateness(late) {
  if (late === null) return '';
  return `${late < 100 * MS ? ms(late) : Math.round(late / MS)} ms late`;
}

/** The run that is on, and what waits for it.
 * @param {SlicesState} state @param {number} width @param {Surface} surface */
export function running(state, width, surface) {
  const { trace, done, since, waiting, late } = state, at = plan(width, trace);
  const bars = new Bars({ ...at, quantum: trace.quantum, over: OVER });
  const looks = done < trace.runs ? looksOf(trace, done).filter((look) => look <= since) : [];
  bars.add(since, looks, { y: at.on, tall: TALL });
  bars.put(surface, 1.5);
  const { marks, line } = waits(state, at);
  surface.put('path', { d: marks, fill: 'none', stroke: INK, 'stroke-width': 1.3 });
  surface.put('path', { d: line, stroke: SOFT, 'stroke-dasharray': '2 2' });
  const words = { y: at.lane + 12, 'font-size': 12, fill: INK };
  surface.put('text', { ...words, x: LEFT - 6, 'text-anchor': 'end' }, timers(waiting.length));
  surface.put('text', { ...words, x: at.aside }, lateness(late));
}
