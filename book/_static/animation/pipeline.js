// Chapter 5: four stages of a replication, and what waits between them.
import { withCommas } from '../quantity.js';
import { bySecond, countAt } from './events.js';
import { FORMULA_LINE, GROUND, HIT, HIT_GROUND, INK, MISS, MODEL, RAISED, SOFT, listWords, px } from './surface.js';

/**
 * The run of a pipeline, by stage and then by batch, as the chapter's `play` returns it.
 * @typedef {object} PipelineColumns
 * @property {string} site
 * @property {string} compress
 * @property {string} room 'steady': all batches take the same time; otherwise times vary, and this many may wait
 * @property {number} lcrs records in all
 * @property {number} batches
 * @property {string[]} stages
 * @property {number[]} rates of the stages, by the closed form, in records per second
 * @property {number[]} departed_ms when each batch leaves each stage
 * @property {number[] | null} served_ms when its work there is done; null: when it leaves
 */

/**
 * The run of one stage, one number per batch, in seconds.
 * @typedef {object} PipelinePart
 * @property {Float64Array} begun
 * @property {Float64Array} served
 * @property {Float64Array} departed
 * @property {Float64Array} worked the time spent at work on all batches before each
 * @property {Float64Array} held the time for which the finished batches before each blocked the stage
 */

/**
 * @typedef {object} PipelineIndex
 * @property {PipelinePart[]} parts
 * @property {Float64Array} begins when each mark is done, from the start
 * @property {number} end
 * @property {number} pace of the slowest stage
 * @property {number} closed the total time by the closed form, in seconds
 */
/** @typedef {PipelineColumns & PipelineIndex} Pipeline */

/**
 * @typedef {object} PipelineState
 * @property {Pipeline} trace
 * @property {number} t
 * @property {number[]} where the number of batches at each stage or waiting for it, and of those done
 * @property {{ busy: number, blocked: number, slowest: boolean }[]} works shares of the last while, by stage
 * @property {number} done batches
 * @property {number | null} soFar records per second
 */

// ---- The trace, its state at time t, in seconds, and the sentence. A batch waits for a stage, is worked on, and
// stays there, blocked, while the next stage has no room.

const MARKS = 100; // all records

/** When a stage begins each batch: once the batch has arrived and the one before has left.
 * @param {Float64Array} departed @param {Float64Array | undefined} arrived */
function beginsOf(departed, arrived) {
  return departed.map((_, n) => Math.max(arrived ? arrived[n] : 0, n ? departed[n - 1] : 0));
}

/** The sum of the spans before each. @param {Float64Array} from @param {Float64Array} to */
function runningSums(from, to) {
  const totals = new Float64Array(from.length + 1);
  for (let n = 0; n < from.length; n += 1) totals[n + 1] = totals[n] + to[n] - from[n];
  return totals;
}

/** Return a run with all that is looked up in it. @param {PipelineColumns} columns @returns {Pipeline} */
function prepare(columns) {
  const { batches, departed_ms: left, served_ms: served, stages, lcrs, rates } = columns;
  const seconds = (/** @type {number[]} */ all, /** @type {number} */ j) => (
    Float64Array.from(all.slice(j * batches, (j + 1) * batches), (ms) => ms / 1000));
  const departed = stages.map((_, j) => seconds(left, j));
  const parts = departed.map((gone, j) => {
    const begun = beginsOf(gone, departed[j - 1]), done = served ? seconds(served, j) : gone;
    return { departed: gone, begun, served: done, worked: runningSums(begun, done), held: runningSums(done, gone) };
  });
  const last = departed[departed.length - 1], each = batches / MARKS;
  const marks = Float64Array.from({ length: MARKS + 1 }, (_, n) => (n ? last[n * each - 1] : 0));
  const pace = Math.min(...rates);
  return { ...columns, parts, begins: marks, end: marks[MARKS], pace, closed: lcrs / pace };
}

/** The seconds that a stage has spent in such spans, by t. @param {Float64Array} before each batch
 * @param {{ from: Float64Array, to: Float64Array }} spans @param {number} n the current batch @param {number} t */
function timeSpent(before, { from, to }, n, t) {
  return n < from.length ? before[n] + Math.min(Math.max(0, t - from[n]), to[n] - from[n]) : before[n];
}

/** The shares of the last while in which a stage was at work, and was blocked because the next had no room.
 * @param {PipelinePart} part @param {number} t @param {number} while_s */
function sharesOf({ departed, begun, served, worked, held }, t, while_s) {
  const start = Math.max(0, t - while_s), span = t - start;
  const sum = (/** @type {number} */ when) => {
    const n = countAt(departed, when);
    return [
      timeSpent(worked, { from: begun, to: served }, n, when),
      timeSpent(held, { from: served, to: departed }, n, when),
    ];
  };
  const now = sum(t), then = sum(start);
  return now.map((seconds, k) => (span > 0 ? Math.min(1, (seconds - then[k]) / span) : 0));
}

/** @param {Pipeline} trace @param {number} t @returns {PipelineState} */
function stateAt(trace, t) {
  const { parts, batches, lcrs, closed, rates, pace } = trace;
  const left = parts.map(({ departed }) => countAt(departed, t));
  const where = [batches, ...left].map((come, j) => come - (left[j] ?? 0));
  const works = parts.map((part, j) => {
    const [busy, blocked] = sharesOf(part, t, closed / MARKS);
    return { busy, blocked, slowest: rates[j] === pace };
  });
  const done = left[left.length - 1];
  return { trace, t, where, works, done, soFar: t > 0 ? (done * lcrs) / batches / t : null };
}

/** A number of batches in marks. @param {Pipeline} trace @param {number} count */
const marksOf = ({ batches }, count) => Math.round((count * MARKS) / batches);

/** The name of a stage in a sentence. @param {string} stage */
const withArticle = (stage) => (stage === 'apply' ? stage : `the ${stage}`);

/** @type {Record<string, string>} */
const ROOMS = { any: ', times vary', 0: ', no room', 1: ', room for 1', 4: ', room for 4', 16: ', room for 16' };

/** @param {PipelineState} at */
function describeQueues({ trace, where }) {
  const { stages } = trace, trails = stages.slice(1);
  const counts = where.map((count) => marksOf(trace, count));
  const waiting = trails.map((stage, j) => ({ stage, count: counts[j + 1] })).filter(({ count }) => count > 0);
  const queues = waiting.map(({ stage, count }) => `${count} wait for ${withArticle(stage)}`);
  const between = queues.length ? listWords(queues) : 'none on the way';
  return `${counts[0]} of ${MARKS} marks in the log, ${between}, ${counts[stages.length]} done`;
}

/** Describe the state in a sentence, for all readers. @param {PipelineState} at */
function sentence(at) {
  const { trace, t, soFar } = at, { site, compress, stages, pace } = trace;
  const slowest = stages.filter((_, j) => trace.rates[j] === pace), one = slowest.length === 1;
  const limit = `slowest: ${listWords(slowest.map(withArticle))}, ${withCommas(pace)}${one ? '' : ' each'}`;
  const speed = soFar === null ? '' : `${withCommas(soFar)} records a second so far; `;
  const where = `${site}${compress === 'on' ? ', COMPRESS' : ''}${ROOMS[trace.room] ?? ''}, after ${withCommas(t)} s`;
  return `${where}: ${describeQueues(at)}. ${speed ? speed + limit : limit[0].toUpperCase() + limit.slice(1)}.`;
}

// ---- The tape: the run from end to end, with how many marks have left the log, passed each stage, and are done:
// what is between two lines waits there

export const TAPE_HEIGHT = 58;
const TOP = 5, STEP = 3; // px

/** The size of the time axis. @param {number} width */
export function tape(width) {
  return { width: width - 116, height: TAPE_HEIGHT };
}

/** @param {Pipeline} trace @param {number} width @param {number} height */
function tapePlan({ end, batches }, width, height) {
  const { width: plot } = tape(width), top = height - TAPE_HEIGHT + TOP, base = height - 1;
  return {
    plot, top, base,
    x: (/** @type {number} */ t) => (t / end) * plot,
    y: (/** @type {number} */ count) => base - (count / batches) * (base - top),
  };
}

/** The number of batches that have left a stage, at every few pixels.
 * @param {Float64Array} departed @param {ReturnType<typeof tapePlan>} at */
function departuresPath(departed, { plot, x, y }) {
  let path = '', n = 0;
  for (let pixel = 0; pixel <= plot; pixel += STEP) {
    while (n < departed.length && x(departed[n]) <= pixel) n += 1;
    path += `L${pixel} ${px(y(n))}`;
  }
  return `${path}L${plot} ${px(y(departed.length))}`;
}

/** Draw what does not move.
 * @param {Pipeline} trace @param {number} width @param {number} height @param {Surface} surface */
export function drawTape(trace, width, height, surface) {
  const at = tapePlan(trace, width, height), { plot, top, base, x, y } = at;
  const lines = trace.parts.map(({ departed }) => departuresPath(departed, at));
  const start = `M0 ${base}`, [log] = lines, done = lines[lines.length - 1];
  surface.put('path', { d: `${start}${log}V${base}z`, fill: RAISED });
  surface.put('path', { d: `${start}${done}V${base}z`, fill: HIT_GROUND });
  const inner = lines.slice(0, -1).map((each) => `${start}${each}`).join('');
  surface.put('path', { d: inner, fill: 'none', stroke: SOFT, 'stroke-opacity': 0.6 });
  surface.put('path', { d: `${start}${done}`, fill: 'none', stroke: HIT, 'stroke-width': 1.8 });
  const closed = `${start}L${px(x(trace.closed))} ${px(y(trace.batches))}`;
  surface.put('path', { d: closed, ...FORMULA_LINE });
  surface.put('text', { x: 3, y: top + 11, 'font-size': 12, fill: SOFT }, 'log');
  surface.put('text', { x: plot - 4, y: base - 5, 'font-size': 12, 'text-anchor': 'end', fill: INK }, 'done');
}

/** Draw the current time.
 * @param {PipelineState} state @param {number} width @param {number} height @param {Surface} surface */
function drawNow({ trace, t, done, soFar }, width, height, surface) {
  const { plot, top, base, x, y } = tapePlan(trace, width, height), here = px(x(Math.min(t, trace.end)));
  const words = { x: plot + 8, 'font-size': 12 };
  const veil = { x: here, y: top - 1, width: px(plot - here), height: base - top + 1 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.6 });
  surface.put('path', { d: `M${here} ${top - 3}V${base}`, stroke: INK, 'stroke-width': 1.5 });
  surface.put('circle', { cx: here, cy: px(y(done)), r: 3.5, fill: INK });
  const mean = soFar === null ? 'so far –' : `so far ${withCommas(soFar)}`;
  surface.put('text', { ...words, y: top + 11, fill: INK, 'font-weight': 600 }, mean);
  const bound = trace.served_ms ? 'slowest' : 'formula'; // which has neither room nor varying times
  surface.put('text', { ...words, y: top + 26, fill: MODEL }, `${bound} ${withCommas(trace.pace)}`);
  surface.put('text', { ...words, y: top + 41, fill: SOFT }, 'records/s');
}

// ---- The drawing: a row per stage, from the log at CERN down to the copy. On the left what waits for the stage, a
// mark for each hundredth of all records; on the right the stage, its rate, and how busy it is.

const NARROW = 400; // px: a phone
const FIRST = 4, ROWS = 5;
const LINES = 2, A_LINE = MARKS / LINES; // marks
const WIDEST = 8; // px from mark to mark
const GAUGE = 4, HATCH = 4;

/** @param {number} width */
function plan(width) {
  const narrow = width < NARROW, box = narrow ? 132 : 156;
  const left = width - box - 1, pitch = Math.min(WIDEST, (left - 10) / A_LINE);
  const row = narrow ? 34 : 43, tall = row - (narrow ? 4 : 7); // px, of a stage's box
  const lines = { first: tall * 0.37, second: tall * 0.75 }; // the lines of its words
  return { box, tall, left, pitch, row, ...lines, y: (/** @type {number} */ n) => FIRST + n * row };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** @param {Pipeline} trace */
const rowsOf = ({ stages }) => stages.length + 1;

/** @param {number} width */
const heightOf = (width) => FIRST + ROWS * plan(width).row + TAPE_HEIGHT;

/** Draw the first line of each stage's box.
 * @param {Pipeline} trace @param {number} width @param {Surface} surface */
function drawBoxes({ stages, rates }, width, surface) {
  const at = plan(width);
  for (const [j, stage] of stages.entries()) {
    const name = { x: at.left + 6, y: at.y(j) + at.first, 'font-size': 12, 'font-weight': 700, fill: INK };
    surface.put('text', name, stage[0].toUpperCase() + stage.slice(1));
    const rate = { x: at.left + at.box - 6, y: name.y, 'font-size': 12, 'text-anchor': 'end', fill: SOFT };
    surface.put('text', rate, `${withCommas(rates[j])}/s`);
    const middle = at.left + at.box / 2, foot = at.y(j) + at.tall + 1;
    surface.put('path', { d: `M${middle - 4} ${foot}h8l-4 3z`, fill: SOFT });
  }
}

/** The path of a queue: marks in lines that end at the stage; the last mark is as wide as its fraction.
 * @param {number} marks @param {number} y @param {Plan} at */
function queuePath(marks, y, { left, pitch, row }) {
  const tall = row < 40 ? 6 : 7, line = tall + 2;
  let path = '';
  for (let n = 0; n < marks; n += 1) {
    const wide = (pitch - (pitch > 6 ? 2 : 1.4)) * Math.min(1, marks - n);
    const right = left - 7 - Math.floor(n / LINES) * pitch;
    path += `M${px(right - wide)} ${px(y + (n % LINES) * line)}h${px(wide)}v${tall}h${-px(wide)}z`;
  }
  return path || 'M0 0';
}

/** The path of slanted lines across a part of a gauge. @param {number} x @param {number} wide @param {number} y */
function hatchPath(x, wide, y) {
  let path = '';
  for (let at = 0; at + GAUGE <= wide; at += HATCH) path += `M${px(x + at)} ${y + GAUGE}l${GAUGE} ${-GAUGE}`;
  return path || 'M0 0';
}

/** Draw how busy a stage is: filled for work, hatched for blocked, hollow for idle.
 * @param {PipelineState} state @param {number} j @param {Plan} at @param {Surface} surface */
function drawGauge({ works }, j, at, surface) {
  const { busy, blocked, slowest } = works[j], x = at.left, y = at.y(j) + at.tall - GAUGE;
  const work = at.box * busy, hold = at.box * blocked;
  surface.put('rect', { x, y, width: px(work), height: GAUGE, fill: MODEL });
  surface.put('path', { d: hatchPath(x + work, hold, y), stroke: MISS, 'stroke-width': 1.5 });
  const frame = { x, y: at.y(j), width: at.box, height: at.tall, rx: 3, fill: 'none' };
  surface.put('rect', { ...frame, stroke: slowest ? INK : SOFT, 'stroke-width': slowest ? 2 : 1 });
  const line = { x: at.left + 6, y: at.y(j) + at.second, 'font-size': 12, fill: slowest ? INK : SOFT };
  surface.put('text', line, `${slowest ? 'slowest,' : 'busy'} ${Math.round(100 * busy)} %`);
}

/** @param {PipelineState} state @param {number} j @param {number} marks */
function queueText({ trace: { stages } }, j, marks) {
  if (j === 0) return `${marks} in the log`;
  return j === stages.length ? `✓ ${marks} done` : `${marks} for ${withArticle(stages[j])}`;
}

/** @param {PipelineState} state @param {number} width @param {Surface} surface */
function drawStages(state, width, surface) {
  const { trace, where } = state, at = plan(width), last = rowsOf(trace) - 1;
  for (const [j, count] of where.entries()) {
    const y = at.y(j), marks = marksOf(trace, count), fill = j === last ? HIT : SOFT;
    const line = { x: 0, y: y + at.first, 'font-size': 13, 'font-weight': marks ? 600 : 400, fill: marks ? INK : SOFT };
    surface.put('text', line, queueText(state, j, marks));
    surface.put('path', { d: queuePath((count * MARKS) / trace.batches, y + at.first + 4, at), fill });
    if (j < last) drawGauge(state, j, at, surface);
  }
}

/** Draw what a mark is. @param {number} width @param {Pipeline} trace @param {Surface} surface */
function drawKey(width, trace, surface) {
  const at = plan(width), y = at.y(rowsOf(trace) - 1) + at.first;
  const line = { x: at.left + at.box, y, 'font-size': 12, 'text-anchor': 'end', fill: SOFT };
  surface.put('text', line, `of ${MARKS} marks`);
}

/** @type {Renderer<Pipeline, PipelineState>} */
export const pipeline = {
  prepare, state: stateAt, sentence, height: heightOf, tape,
  backdrop(trace, width, tall, surface) {
    drawTape(trace, width, tall, surface);
    drawBoxes(trace, width, surface);
    drawKey(width, trace, surface);
  },
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawStages(at, width, surface);
  },
  scene() {}, // everything also changes between events
  ...bySecond,
  measure: 'second',
  words: { start: 'To the start', event: 'mark' },
  begins: ({ begins }) => begins,
  round: ({ t, trace: { end } }, trace) => (t / end) * trace.end,
  rule: ({ lcrs }) => `mark: ${withCommas(lcrs / MARKS)} records`,
  pace: [50, 200, 800].map((each) => ({ each, words: `${each} s a second` })),
};
