// Chapter 6: an event loop, the slices of its queues, and the timers that wait for them.
import { countAt, eventAt } from './events.js';
import {
  FORMULA_LINE, GROUND, INK, MISS, MISS_GROUND, MODEL, RAISED, SOFT, WAIT, WORK, listWords, plural, px,
} from './surface.js';

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
  if (g === 1) return 'a check after each';
  if (!count) return 'no clock check';
  if (count === 1 && g === items[run]) return 'one check, after the last';
  if (count > MOST_LISTED) return `a check after every ${g}, ${count} in all`;
  const after = listWords(Array.from({ length: count }, (_, n) => String((n + 1) * g)));
  return `${count === 1 ? 'a check' : 'checks'} after ${after}`;
}

/** @param {Slices} trace @param {number} run */
function describeNext({ granularity, runs, queue }, run) {
  const next = queue.indexOf(queue[run], run + 1);
  if (next < 0) return run === runs - 1 ? 'All items are done' : 'This queue is empty';
  const g = granularity[next], every = g === 1 ? 'item' : `${g} items`;
  return `${g > granularity[run] ? 'From now on the clock is' : 'The clock is still'} checked after every ${every}`;
}

/** Describe the state in a sentence, for all readers. @param {SlicesState} at */
function sentence({ trace, done, mean }) {
  if (mean === null) return 'Run 1 begins; it checks the clock after each item.';
  const { length, items, quantum, queues, queue } = trace, run = done - 1;
  const whose = queues > 1 ? `, of queue ${queue[run] + 1}` : '', over = length[run] - quantum;
  const beyond = over > 0 ? `, ${ms(over)} ms more than the quantum of ${quantum / MS} ms` : ', and the queue is empty';
  const many = `${items[run]} item${items[run] === 1 ? '' : 's'}`;
  const meanOfAll = done === 1 ? '' : ` Mean of the first ${done} runs: ${ms(mean)} ms.`;
  return `Run ${done}${whose}: ${many}, ${describeLooks(trace, run)}; it took ${ms(length[run])} ms${beyond}. `
    + `${describeNext(trace, run)}.${meanOfAll}`;
}

// ---- The numbers: how long a slice is, how rarely the loop looks at the clock, and how late its timers are

/** The numbers of the run. @param {SlicesState} state @returns {Figure[]} */
function figuresOf({ trace: { formula, granularity, runs }, done, mean, late }) {
  const inMs = (/** @type {number | null} */ each) => ({ value: each === null ? '–' : ms(each), unit: 'ms' });
  const between = String(granularity[Math.min(done, runs - 1)]);
  return [
    { label: 'mean slice so far', short: 'mean slice', ...inMs(mean) },
    { label: 'mean slice according to the formula', short: 'formula', tone: 'model', ...inMs(formula) },
    { label: 'items between checks', short: 'granularity', value: between },
    { label: 'lateness of a timer', short: 'late', tone: 'wait', ...inMs(late) },
  ];
}

// ---- The tape: the run from end to end, with the mean slice so far, the closed form, and how many items are between
// two looks at the clock, which is a stair

const WIDE = 500; // px; narrower is a phone, or one of two runs
const ROOM = 5; // px
const LEAST = 0.12; // of the axis of the mean, above what it shows

/** @param {number} width */
const sizeOf = (width) => (width < WIDE ? 12 : 13);

/** The height of the stair. @param {number} width */
const stairHeight = (width) => (width < WIDE ? 17 : 24);

/** The size of the time axis. @param {number} width */
const tape = (width) => ({ width, height: width < WIDE ? 46 : 64 });

/** @param {Slices} trace @param {number} width @param {number} height */
function tapePlan({ begins, runs, quantum, formula, widest, highest }, width, height) {
  const stair = stairHeight(width), top = height - tape(width).height + ROOM, base = height - stair - ROOM;
  const high = (Math.max(formula ?? 0, quantum, highest) - quantum) * (1 + LEAST) || quantum;
  return {
    top, base,
    x: (/** @type {number} */ t) => (t / begins[runs]) * width,
    y: (/** @type {number} */ mean) => base - (Math.max(0, mean - quantum) / high) * (base - top),
    stair: (/** @type {number} */ g) => height - 1 - (g / widest) * (stair - 1),
  };
}

/** Draw what does not move.
 * @param {Slices} trace @param {number} width @param {number} height @param {Surface} surface */
function drawTape(trace, width, height, surface) {
  const { begins, runs, granularity, formula } = trace, { base, x, y, stair } = tapePlan(trace, width, height);
  let line = `M${px(x(begins[1]))} ${px(y(begins[1]))}`, steps = `M0 ${height - 1}`;
  for (let run = 0; run < runs; run += 1) {
    if (run) line += `H${px(x(begins[run + 1]))}V${px(y(begins[run + 1] / (run + 1)))}`;
    if (granularity[run] !== granularity[run - 1]) steps += `H${px(x(begins[run]))}V${px(stair(granularity[run]))}`;
  }
  surface.put('path', { d: `${steps}H${width}V${height - 1}z`, fill: RAISED });
  surface.put('path', { d: `${steps}H${width}`, fill: 'none', stroke: SOFT, 'stroke-width': 1.5 });
  surface.put('path', { d: `M0 ${base + 0.5}H${width}`, stroke: SOFT, 'stroke-opacity': 0.5 });
  surface.put('path', { d: line, fill: 'none', stroke: INK, 'stroke-width': 2 });
  surface.put('path', { d: formula === null ? 'M0 0' : `M0 ${px(y(formula))}H${width}`, ...FORMULA_LINE });
}

/** Draw the current time.
 * @param {SlicesState} state @param {number} width @param {number} height @param {Surface} surface */
function drawNow({ trace, t, mean }, width, height, surface) {
  const { top, base, x, y } = tapePlan(trace, width, height), here = px(Math.min(width - 1, x(t)));
  const veil = { x: here, y: top - 2, width: px(width - here), height: base - top + 2 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.72 });
  const right = { x: width - 6, 'text-anchor': 'end', 'font-size': sizeOf(width) };
  surface.put('text', { ...right, y: base - 3, fill: SOFT }, 'mean slice');
  surface.put('text', { ...right, y: height - ROOM, fill: INK }, 'items between two checks');
  surface.put('path', { d: `M${here} ${top - 4}V${height}`, stroke: INK, 'stroke-width': 2 });
  const spot = { cx: Math.max(5, Math.min(width - 5, here)), cy: px(mean === null ? base - 4 : y(mean)), r: 4.5 };
  surface.put('circle', { ...spot, fill: mean === null ? GROUND : INK, stroke: INK, 'stroke-width': 2 });
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
    surface.put('path', { d: plain || NOTHING, fill: WORK, 'fill-opacity': 0.4 });
    surface.put('path', { d: beyond || NOTHING, fill: MISS_GROUND });
    surface.put('path', { d: strokes || NOTHING, stroke: MISS, 'stroke-width': 1.2 });
    surface.put('path', { d: looks || NOTHING, stroke: INK, 'stroke-width': wide });
  }
}

// ---- The drawing: the current slice, the last one, and those before it as rows; x is the time since a slice began

const OVER = 3; // px of a look above its bar
const MARK = 6; // least px between two timers that are drawn
const LETTER = 0.62; // of the size of the type: room for a letter
const AXES_MS = [[30, 5], [220, 50], [700, 200]]; // the ends of the axes, and their ticks

/** The sizes: of the names, the rows of the slices before, the bars of the last and the current one, and the room for
 * timers and axis. @param {number} width */
const sizesOf = (width) => (width < WIDE
  ? { size: 12, left: 74, top: 16, rows: 14, row: 4, thin: 3, tall: 14, gap: 4, lane: 16, axis: 17 }
  : { size: 13, left: 88, top: 20, rows: 20, row: 5, thin: 4, tall: 20, gap: 6, lane: 18, axis: 19 });

/** @param {number} width */
function heightOf(width) {
  const { top, rows, row, tall, gap, lane, axis } = sizesOf(width);
  return top + rows * row + 2 * (tall + gap) + lane + axis + tape(width).height;
}

/** @param {number} width @param {Slices} trace */
function plan(width, { longest }) {
  const sizes = sizesOf(width), { left, top, rows, row, gap, tall, lane } = sizes, right = width - 2;
  const [end_ms, tick_ms] = AXES_MS.find(([end]) => longest <= end * MS) ?? [longest / MS, longest / MS];
  const past = top + rows * row + gap, on = past + tall + gap;
  return {
    ...sizes, right, end_ms, tick_ms,
    past, on, waits: on + tall + 2, foot: on + tall + lane, // the tops of the bars, the timers and the axis
    x: (/** @type {number} */ time) => left + (time / MS / end_ms) * (right - left),
  };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** The slices before the last that have a row, with their places. @param {SlicesState} state @param {Plan} at */
function rowsBefore({ done }, { rows, row, top }) {
  const first = Math.max(0, done - 1 - rows), count = Math.max(0, done - 1 - first);
  return Array.from({ length: count }, (_, n) => ({ run: first + n, y: top + (rows - count + n) * row }));
}

/** Draw the slices before the last, later ones lower.
 * @param {SlicesState} state @param {Plan} at @param {Surface} surface */
function drawHistory(state, at, surface) {
  const { trace } = state, bars = new Bars({ ...at, quantum: trace.quantum, over: 0 });
  for (const { run, y } of rowsBefore(state, at)) {
    bars.add(trace.length[run], looksOf(trace, run), { y, tall: at.thin });
  }
  bars.put(surface, 1);
}

/** @param {SlicesState} state @param {Plan} at @param {Surface} surface */
function drawLabels({ trace, done }, { left, top, rows, past, on, tall, size }, surface) {
  const words = { x: left - 8, 'text-anchor': 'end', 'font-size': size, fill: INK }, middle = tall / 2 + size / 3;
  const first = done - rows, next = done < trace.runs ? `run ${done + 1}` : '';
  surface.put('text', { ...words, y: top + size - 3, fill: SOFT }, first > 0 ? `run ${first}` : '');
  surface.put('text', { ...words, y: px(past + middle) }, done ? `run ${done}` : '');
  surface.put('text', { ...words, y: px(on + middle), 'font-weight': 600 }, next);
}

/** Draw the last slice, tall enough to count its looks, and its length.
 * @param {SlicesState} state @param {Plan} at @param {Surface} surface */
function drawLast({ trace, done }, at, surface) {
  if (!done) return;
  const length = trace.length[done - 1], bars = new Bars({ ...at, quantum: trace.quantum, over: OVER });
  bars.add(length, looksOf(trace, done - 1), { y: at.past, tall: at.tall });
  bars.put(surface, 1.5);
  const end = at.x(length), words = `${ms(length)} ms`, size = at.size + 1;
  const y = px(at.past + at.tall / 2 + size / 3);
  const beside = at.right - end > words.length * size * LETTER + 16;
  const halo = { 'paint-order': 'stroke', stroke: GROUND, 'stroke-width': beside ? 0 : 4 };
  const place = { x: px(beside ? end + 7 : end - 6), y, 'text-anchor': beside ? 'start' : 'end' };
  surface.put('text', { ...place, 'font-size': size, 'font-weight': 600, fill: INK, ...halo }, words);
}

/** Draw what changes with each event. @param {SlicesState} state @param {number} width @param {Surface} surface */
function drawDone(state, width, surface) {
  const at = plan(width, state.trace);
  drawHistory(state, at, surface);
  drawLabels(state, at, surface);
  drawLast(state, at, surface);
}

/** Draw what does not move: the axis, and the quantum.
 * @param {Slices} trace @param {number} width @param {Surface} surface */
function drawAxis(trace, width, surface) {
  const at = plan(width, trace), { left, right, top, foot, on, tall, size } = at, rule = px(at.x(trace.quantum));
  const words = { 'font-size': size, fill: SOFT }, middle = { 'text-anchor': 'middle' };
  surface.put('rect', { x: left, y: on, width: right - left, height: tall, fill: RAISED });
  surface.put('path', { d: `M${left} ${foot + 0.5}H${right}`, stroke: SOFT });
  for (let tick = 0; tick <= at.end_ms; tick += at.tick_ms) {
    const x = px(at.x(tick * MS)), anchor = x + 2 * size > width ? 'end' : 'middle';
    surface.put('path', { d: `M${x} ${foot}v4`, stroke: SOFT });
    surface.put('text', { ...words, x, y: foot + size + 3, 'text-anchor': anchor }, String(tick));
  }
  surface.put('text', { ...words, x: left - 12, y: foot + size + 3, 'text-anchor': 'end' }, 'ms');
  const line = { stroke: INK, 'stroke-width': 1.5, 'stroke-dasharray': '4 3' };
  surface.put('path', { ...line, d: `M${rule} ${top - 3}V${foot}` });
  surface.put('text', { ...words, ...middle, x: rule, y: size - 1, fill: INK }, `${trace.quantum / MS} ms`);
  drawLateFormula(trace, at, surface);
}

/** Draw how late a timer is by the closed form, where there is room.
 * @param {Slices} trace @param {Plan} at @param {Surface} surface */
function drawLateFormula({ late_formula: late, quantum }, { x, right, size }, surface) {
  if (late === null) return;
  const room = right - x(quantum) - 2.5 * size;
  const words = [`formula: a timer is ${ms(late)} ms late`, `formula ${ms(late)} ms late`]
    .find((each) => each.length * size * LETTER < room);
  if (!words) return;
  surface.put('text', { x: right, y: size - 1, 'text-anchor': 'end', 'font-size': size, fill: MODEL }, words);
}

/** The paths of the timers that wait for the end of the turn, as far as they can be distinguished, and of their wait.
 * @param {SlicesState} state @param {Plan} at */
function waitPaths({ waiting, t, since }, { x, waits, left }) {
  if (!waiting.length) return { marks: 'M0 0', line: 'M0 0' };
  let marks = '', last = left - 2 * MARK;
  for (const due of waiting) {
    const place = x(due - t + since), apart = place >= Math.max(left, last + MARK);
    marks += apart ? `M${px(place - 4)} ${waits}h8l-4 7z` : '';
    last = apart ? place : last;
  }
  const from = px(Math.max(left, x(waiting[0] - t + since)));
  return { marks: marks || 'M0 0', line: `M${from} ${waits + 10}H${px(x(since))}` };
}

/** Draw the current slice, and what waits for it.
 * @param {SlicesState} state @param {number} width @param {Surface} surface */
function drawCurrent(state, width, surface) {
  const { trace, done, since, waiting } = state, at = plan(width, trace);
  const bars = new Bars({ ...at, quantum: trace.quantum, over: OVER });
  const looks = done < trace.runs ? looksOf(trace, done).filter((look) => look <= since) : [];
  bars.add(since, looks, { y: at.on, tall: at.tall });
  bars.put(surface, 1.5);
  const { marks, line } = waitPaths(state, at), look = { 'font-size': at.size, fill: waiting.length ? WAIT : SOFT };
  surface.put('path', { d: marks, fill: WAIT });
  surface.put('path', { d: line, stroke: WAIT, 'stroke-width': 1.5, 'stroke-dasharray': '2 2' });
  const words = { ...look, x: at.left - 8, y: at.waits + at.size - 1, 'text-anchor': 'end' };
  surface.put('text', words, plural(waiting.length || 'no', 'timer'));
}

/** @type {Renderer<Slices, SlicesState>} */
export const slices = {
  prepare, state: stateAt, sentence, figures: figuresOf, height: heightOf, tape,
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
  words: { start: 'Back to the start', event: 'run' },
  begins: ({ begins }) => begins,
  round: ({ done }, { begins, runs }) => begins[Math.min(runs, done)],
  rule: () => '',
  pace: [
    { each: 10e6, words: '10 ms a second' },
    { each: 50e6, words: '50 ms a second' },
    { each: 500e6, words: '500 ms a second' },
  ],
};
