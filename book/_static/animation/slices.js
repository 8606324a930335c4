// Chapter 6: an event loop, the slices of its queues, and the timers that wait for them.
import { countAt, eventAt } from './events.js';
import { FORMULA_LINE, GROUND, INK, MISS, MISS_GROUND, MODEL, RAISED, SOFT, listWords, plural, px } from './surface.js';

/**
 * The slices of a loop; times are in nanoseconds, and a column has one number per slice unless it says otherwise.
 * @typedef {object} SliceColumns
 * @property {number} quantum
 * @property {number} queues
 * @property {number | null} formula the mean slice by the closed form
 * @property {number | null} late_formula the mean lateness of a timer by the closed form
 * @property {number[]} length
 * @property {number[]} queue
 * @property {number[]} items
 * @property {number[]} granularity items between two looks at the clock, during the slice
 * @property {number[]} looks the number of looks
 * @property {number[]} look the time of each look, from the beginning of its slice
 * @property {number[]} due of each timer
 * @property {number[]} late of each timer
 */

/**
 * @typedef {object} SliceIndex
 * @property {number} runs the number of slices
 * @property {Float64Array} begins of each slice; the last is the end
 * @property {Float64Array} looksBefore looks before each slice
 * @property {Float64Array} lateBefore the total lateness of the timers before each timer
 * @property {Float64Array} served the time at which each timer ran
 * @property {number} longest the longest slice
 * @property {number} widest the largest granularity
 * @property {number} highest the largest mean slice so far, at any slice
 */
/** @typedef {SliceColumns & SliceIndex} Slices */

/**
 * @typedef {object} SlicesState
 * @property {Slices} trace
 * @property {number} t
 * @property {number} done slices
 * @property {number} since the current slice began
 * @property {number | null} mean slice so far
 * @property {number} answered timers that have run
 * @property {number | null} late their mean lateness
 * @property {number[]} waiting the due time of each waiting timer
 */

// ---- The trace, its state at time t, in nanoseconds, and the sentence. The loop runs one slice after another; a timer
// that falls due waits for the end of a turn, which is one slice of each queue.

const MS = 1e6;
const MOST_LISTED = 4; // looks named in a sentence

/** The sums of the values before each, and of all values. @param {number[]} values */
function runningSums(values) {
  const before = new Float64Array(values.length + 1);
  values.forEach((value, n) => {
    before[n + 1] = before[n] + value;
  });
  return before;
}

/** The largest mean slice so far, at any moment. @param {Float64Array} begins */
const highestMean = (begins) => begins.reduce((most, at, done) => (done ? Math.max(most, at / done) : most), 0);

/** Return a run with all that is looked up in it. @param {SliceColumns} columns @returns {Slices} */
function prepare(columns) {
  const { length, looks, due, late } = columns, begins = runningSums(length);
  return {
    ...columns,
    runs: length.length,
    begins,
    highest: highestMean(begins),
    looksBefore: runningSums(looks),
    lateBefore: runningSums(late),
    served: Float64Array.from(due, (at, n) => at + late[n]),
    longest: Math.max(...length),
    widest: Math.max(...columns.granularity),
  };
}

/** The times of a slice's looks at the clock, from its beginning. @param {Slices} trace @param {number} run */
export function looksOf({ look, looksBefore }, run) {
  return look.slice(looksBefore[run], looksBefore[run + 1]);
}

/** @param {Slices} trace @param {number} t @returns {SlicesState} */
function stateAt(trace, t) {
  const { begins, runs, due, served, lateBefore } = trace;
  const done = t >= begins[runs] ? runs : eventAt(begins, t);
  const answered = countAt(served, t);
  const waiting = due.slice(answered, countAt(due, t));
  return {
    trace, t, done, waiting, answered,
    since: t - begins[done],
    mean: done ? begins[done] / done : null,
    late: answered ? lateBefore[answered] / answered : null,
  };
}

/** @param {number} nanoseconds */
export const ms = (nanoseconds) => (nanoseconds / MS).toFixed(1);

/** @param {Slices} trace @param {number} run */
function describeLooks({ looks, granularity, items }, run) {
  const count = looks[run], g = granularity[run];
  if (g === 1) return 'a look after each';
  if (!count) return 'no look';
  if (count === 1 && g === items[run]) return 'one look, after the last';
  if (count > MOST_LISTED) return `a look after every ${g}, ${count} in all`;
  const after = listWords(Array.from({ length: count }, (_, n) => String((n + 1) * g)));
  return `${count === 1 ? 'a look' : 'looks'} after ${after}`;
}

/** @param {Slices} trace @param {number} run */
function describeNext({ granularity, runs, queue }, run) {
  const next = queue.indexOf(queue[run], run + 1);
  if (next < 0) return run === runs - 1 ? 'All is done' : 'This queue is empty';
  const g = granularity[next], every = g === 1 ? 'item' : `${g} items`;
  return `${g > granularity[run] ? 'From now on' : 'Still'} a look every ${every}`;
}

/** Describe the state in a sentence, for all readers. @param {SlicesState} at */
function sentence({ trace, done, mean }) {
  if (mean === null) return 'Run 1 begins; it looks at the clock after each item.';
  const { length, items, quantum, queues, queue } = trace, run = done - 1;
  const whose = queues > 1 ? `, of queue ${queue[run] + 1}` : '', over = length[run] - quantum;
  const beyond = over > 0 ? `, ${ms(over)} beyond the quantum` : ', and the queue is empty';
  return `Run ${done}${whose}: ${items[run]} items, ${describeLooks(trace, run)}; ${ms(length[run])} ms${beyond}. `
    + `${describeNext(trace, run)}. Mean of ${done}: ${ms(mean)} ms.`;
}

// ---- The tape: the run from end to end, with the mean slice so far, the closed form, and how many items are between
// two looks at the clock, which is a stair

const TAPE_HEIGHT = 66;
const STAIR = 22, ROOM = 5, LABELS = 118; // px
const LEAST = 0.12; // of the axis of the mean, above what it shows

/** The size of the time axis. @param {number} width */
function tape(width) {
  return { width: width - LABELS, height: TAPE_HEIGHT };
}

/** @param {Slices} trace @param {number} width @param {number} height */
function tapePlan({ begins, runs, quantum, formula, widest, highest }, width, height) {
  const plot = tape(width).width, top = height - TAPE_HEIGHT + ROOM, base = height - STAIR - ROOM;
  const high = (Math.max(formula ?? 0, quantum, highest) - quantum) * (1 + LEAST) || quantum;
  return {
    plot, top, base,
    x: (/** @type {number} */ t) => (t / begins[runs]) * plot,
    y: (/** @type {number} */ mean) => base - (Math.max(0, mean - quantum) / high) * (base - top),
    stair: (/** @type {number} */ g) => height - 1 - (g / widest) * (STAIR - 2),
  };
}

/** Draw what does not move.
 * @param {Slices} trace @param {number} width @param {number} height @param {Surface} surface */
function drawTape(trace, width, height, surface) {
  const { begins, runs, granularity, formula } = trace, at = tapePlan(trace, width, height), { plot, base, x, y } = at;
  let line = `M${px(x(begins[1]))} ${px(y(begins[1]))}`, steps = `M0 ${height - 1}`;
  for (let run = 0; run < runs; run += 1) {
    if (run) line += `H${px(x(begins[run + 1]))}V${px(y(begins[run + 1] / (run + 1)))}`;
    if (granularity[run] !== granularity[run - 1]) steps += `H${px(x(begins[run]))}V${px(at.stair(granularity[run]))}`;
  }
  surface.put('path', { d: `${steps}H${plot}V${height - 1}z`, fill: RAISED, stroke: SOFT });
  surface.put('path', { d: `M0 ${base + 0.5}H${plot}`, stroke: SOFT, 'stroke-opacity': 0.5 });
  surface.put('path', { d: line, fill: 'none', stroke: INK, 'stroke-width': 1.6 });
  if (formula === null) return;
  const level = px(y(formula));
  surface.put('path', { d: `M0 ${level}H${plot}`, ...FORMULA_LINE });
}

/** Draw the current time.
 * @param {SlicesState} state @param {number} width @param {number} height @param {Surface} surface */
function drawNow({ trace, t, done, mean }, width, height, surface) {
  const { plot, top, base, x, y } = tapePlan(trace, width, height), { formula, granularity, runs } = trace;
  const here = px(x(t)), words = { x: plot + 8, 'font-size': 12 };
  const veil = { x: here, y: top - 2, width: px(plot - here), height: base - top + 2 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.75 });
  surface.put('path', { d: `M${here} ${top - 3}V${height}`, stroke: INK, 'stroke-width': 1.5 });
  const level = px(mean === null ? base : y(mean));
  surface.put('circle', { cx: here, cy: level, r: 3.5, fill: mean === null ? 'none' : INK });
  const soFar = mean === null ? 'no run yet' : `mean ${ms(mean)} ms`;
  surface.put('text', { ...words, y: top + 10, fill: INK, 'font-weight': 600 }, soFar);
  surface.put('text', { ...words, y: top + 27, fill: formula === null ? SOFT : MODEL },
    formula === null ? 'no formula' : `formula ${ms(formula)}`);
  surface.put('text', { ...words, y: height - 4, fill: SOFT }, `every ${granularity[Math.min(done, runs - 1)]} items`);
}

// ---- A slice as a bar: plain up to the quantum, hatched beyond it, with a stroke at each look at the clock. Many bars
// are one drawing.

const HATCH = 4, APART = 2.5; // px between two strokes; least px between two looks that are drawn
const NOTHING = 'M0 0';

/** The path of strokes from one place to another, so that hatching does not move while a bar grows.
 * @param {{ from: number, to: number, y: number, tall: number, step?: number }} where */
export function hatchPath({ from, to, y, tall, step = HATCH }) {
  let d = '';
  for (let x = Math.ceil(from / step) * step; x < to - 1; x += step) {
    d += `M${x} ${y + tall}L${px(Math.min(x + step, to))} ${y}`;
  }
  return d;
}

/** @param {{ from: number, to: number, y: number, tall: number }} where */
export function boxPath({ from, to, y, tall }) {
  return to > from ? `M${px(from)} ${y}H${px(to)}v${tall}H${px(from)}z` : '';
}

class Bars {
  /** @param {{ x: (time: number) => number, quantum: number, over: number }} scale over: px of a look above the bar */
  constructor({ x, quantum, over }) {
    this.x = x;
    this.rule = x(quantum);
    this.over = over;
    this.paths = { plain: '', beyond: '', strokes: '', looks: '' };
  }

  /** @param {number} length @param {number[]} looks @param {{ y: number, tall: number }} row */
  add(length, looks, { y, tall }) {
    const { paths, rule, over } = this, from = this.x(0), to = this.x(length);
    const beyond = { from: rule, to, y, tall };
    paths.plain += boxPath({ from, to: Math.min(to, rule), y, tall });
    paths.beyond += boxPath(beyond);
    paths.strokes += hatchPath(beyond);
    let next = to; // from the last look, which ends the slice
    for (const look of looks.slice().reverse()) {
      const x = this.x(look);
      if (x > next) continue;
      paths.looks += `M${px(x)} ${y - over}v${tall + over}`;
      next = x - APART;
    }
  }

  /** @param {Surface} surface @param {number} wide px of a look */
  put(surface, wide) {
    const { plain, beyond, strokes, looks } = this.paths;
    surface.put('path', { d: plain || NOTHING, fill: MODEL });
    surface.put('path', { d: beyond || NOTHING, fill: MISS_GROUND });
    surface.put('path', { d: strokes || NOTHING, stroke: MISS, 'stroke-width': 1.2 });
    surface.put('path', { d: looks || NOTHING, stroke: INK, 'stroke-width': wide });
  }
}

// ---- The drawing: the current slice, the last one, and those before it as rows; x is the time since a slice began

const NARROW = 480, LEFT = 74; // px
const ROW = 5, BAR = 4, TALL = 18, GAP = 5, TOP = 18, LANE = 17, FOOT = 18, ASIDE = 14, OVER = 3;
const MARK = 6; // least px between two timers that are drawn
const AXES_MS = [[30, 5], [220, 50], [700, 200]]; // the ends of the axes, and their ticks

/** @param {number} width */
const rowsOf = (width) => (width < NARROW ? 18 : 30);

/** @param {number} width */
function heightOf(width) {
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

/** The slices before the last that have a row, with their places. @param {SlicesState} state @param {Plan} at */
function rowsBefore({ done }, { rows }) {
  const first = Math.max(0, done - 1 - rows), count = Math.max(0, done - 1 - first);
  return Array.from({ length: count }, (_, n) => ({ run: first + n, y: TOP + (rows - count + n) * ROW }));
}

/** Draw the slices before the last, later ones lower.
 * @param {SlicesState} state @param {Plan} at @param {Surface} surface */
function drawHistory(state, at, surface) {
  const { trace } = state, bars = new Bars({ ...at, quantum: trace.quantum, over: 0 });
  for (const { run, y } of rowsBefore(state, at)) bars.add(trace.length[run], looksOf(trace, run), { y, tall: BAR });
  bars.put(surface, 1);
}

/** Draw the number of items between two looks: a stair beside the slices, which never goes down.
 * @param {SlicesState} state @param {Plan} at @param {Surface} surface */
function drawStair(state, { aside, width, ...at }, surface) {
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
function drawLabels({ trace, done }, at, surface) {
  const words = { x: LEFT - 6, 'text-anchor': 'end', 'font-size': 12, fill: INK };
  const first = done - at.rows, next = done < trace.runs ? `run ${done + 1}` : '';
  surface.put('text', { ...words, y: TOP + 9, fill: SOFT }, first > 0 ? `run ${first}` : '');
  surface.put('text', { ...words, y: at.past + 13 }, done ? `run ${done}` : '');
  surface.put('text', { ...words, y: at.on + 13, 'font-weight': 600 }, next);
}

/** Draw the last slice, tall enough to count its looks, and its length.
 * @param {SlicesState} state @param {Plan} at @param {Surface} surface */
function drawLast({ trace, done }, at, surface) {
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

/** Draw what changes with each event. @param {SlicesState} state @param {number} width @param {Surface} surface */
function drawDone(state, width, surface) {
  const at = plan(width, state.trace);
  drawHistory(state, at, surface);
  drawStair(state, at, surface);
  drawLabels(state, at, surface);
  drawLast(state, at, surface);
}

/** Draw what does not move: the axis, and the quantum.
 * @param {Slices} trace @param {number} width @param {Surface} surface */
function drawAxis(trace, width, surface) {
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

/** The paths of the timers that wait for the end of the turn, as far as they can be distinguished, and of their wait.
 * @param {SlicesState} state @param {Plan} at */
function waitPaths({ waiting, t, since }, { x, lane }) {
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

/** @param {number | null} late */
function latenessText(late) {
  if (late === null) return '';
  return `${late < 100 * MS ? ms(late) : Math.round(late / MS)} ms late`;
}

/** Draw the current slice, and what waits for it.
 * @param {SlicesState} state @param {number} width @param {Surface} surface */
function drawCurrent(state, width, surface) {
  const { trace, done, since, waiting, late } = state, at = plan(width, trace);
  const bars = new Bars({ ...at, quantum: trace.quantum, over: OVER });
  const looks = done < trace.runs ? looksOf(trace, done).filter((look) => look <= since) : [];
  bars.add(since, looks, { y: at.on, tall: TALL });
  bars.put(surface, 1.5);
  const { marks, line } = waitPaths(state, at);
  surface.put('path', { d: marks, fill: 'none', stroke: INK, 'stroke-width': 1.3 });
  surface.put('path', { d: line, stroke: SOFT, 'stroke-dasharray': '2 2' });
  const words = { y: at.lane + 12, 'font-size': 12, fill: INK };
  surface.put('text', { ...words, x: LEFT - 6, 'text-anchor': 'end' }, plural(waiting.length || 'no', 'timer'));
  surface.put('text', { ...words, x: at.aside }, latenessText(late));
}

/** @type {Renderer<Slices, SlicesState>} */
export const slices = {
  prepare, state: stateAt, sentence, height: heightOf, tape,
  backdrop(trace, width, tall, surface) {
    drawTape(trace, width, tall, surface);
    drawAxis(trace, width, surface);
  },
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawCurrent(at, width, surface);
  },
  scene: (at, width, tall, surface) => drawDone(at, width, surface),
  measure: 'run', // the number of slices done, and the part of the next, to the thousandth
  timeOf({ begins, runs }, at) {
    const done = Math.min(runs, Math.max(0, Math.floor(at)));
    return done < runs ? begins[done] + (Math.max(0, at - done)) * (begins[done + 1] - begins[done]) : begins[runs];
  },
  atOf(trace, t) {
    const { done, since } = stateAt(trace, t);
    return done < trace.runs ? done + Math.floor((1000 * since) / trace.length[done]) / 1000 : done;
  },
  words: { start: 'To the start', event: 'run' },
  begins: ({ begins }) => begins,
  round: ({ done }, { begins, runs }) => begins[Math.min(runs, done)],
  rule: () => '',
  pace: [
    { each: 10e6, words: '1 s here is 10 ms' },
    { each: 50e6, words: '1 s here is 50 ms' },
    { each: 500e6, words: '1 s here is 500 ms' },
  ],
};
