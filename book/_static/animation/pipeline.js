// Chapter 5: four stages of a replication, and what waits between them.
import { capitalise, withCommas } from '../quantity.js';
import { bySecond, countAt } from './events.js';
import {
  FORMULA_LINE, GROUND, HELD, HIT, HIT_GROUND, INK, RAISED, SOFT, WAIT, WORK, listWords, plural, px,
} from './surface.js';

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
  const queues = waiting.map(({ stage, count }) => `${plural(count, 'waits', 'wait')} for ${withArticle(stage)}`);
  const between = queues.length ? listWords(queues) : 'none on the way';
  return `${counts[0]} of ${MARKS} marks in the log, ${between}, ${counts[stages.length]} done`;
}

/** Describe the state in a sentence, for all readers. @param {PipelineState} at */
function sentence(at) {
  const { trace, t, soFar } = at, { site, compress, stages, pace } = trace;
  const slowest = stages.filter((_, j) => trace.rates[j] === pace), one = slowest.length === 1;
  const limit = `slowest: ${listWords(slowest.map(withArticle))}, at ${withCommas(pace)} records a second`
    + (one ? '' : ' each');
  const speed = soFar === null ? '' : `${withCommas(soFar)} records a second so far; `;
  const where = `${site}${compress === 'on' ? ', COMPRESS' : ''}${ROOMS[trace.room] ?? ''}, after ${withCommas(t)} s`;
  return `${where}: ${describeQueues(at)}. ${speed ? speed + limit : capitalise(limit)}.`;
}

/** The numbers of the run so far. @param {PipelineState} at @returns {Figure[]} */
function figures({ trace: { pace, served_ms: varies, stages }, soFar, works }) {
  const slowest = stages.filter((_, j) => works[j].slowest);
  const bound = varies ? 'records a second at the slowest stage' : 'records a second according to the formula';
  return [
    { label: 'records a second so far', short: '/s so far', value: soFar === null ? '–' : withCommas(soFar) },
    { label: bound, short: varies ? '/s slowest' : '/s formula', value: withCommas(pace), tone: 'model' },
    {
      label: slowest.length === 1 ? 'slowest stage' : 'slowest stages', short: 'slowest',
      value: slowest.length === 1 ? capitalise(slowest[0]) : `${slowest.length} stages`,
    },
  ];
}

// ---- The tape: the run from end to end, with how many marks have left the log, passed each stage, and are done:
// what is between two lines waits there

const WIDE = 500; // px: below, a phone
const TOP = 5, STEP = 3; // px

/** @param {number} width */
export const tapeHeight = (width) => (width < WIDE ? 46 : 62);

/** The size of the time axis. @param {number} width */
const tape = (width) => ({ width, height: tapeHeight(width) });

/** @param {Pipeline} trace @param {number} width @param {number} height */
function tapePlan({ end, batches }, width, height) {
  const top = height - tapeHeight(width) + TOP, base = height - 1;
  return {
    width, top, base,
    x: (/** @type {number} */ t) => (t / end) * width,
    y: (/** @type {number} */ count) => base - (count / batches) * (base - top),
  };
}

/** The number of batches that have left a stage, at every few pixels.
 * @param {Float64Array} departed @param {ReturnType<typeof tapePlan>} at */
function departuresPath(departed, { width, x, y }) {
  let path = '', n = 0;
  for (let pixel = 0; pixel <= width; pixel += STEP) {
    while (n < departed.length && x(departed[n]) <= pixel) n += 1;
    path += `L${pixel} ${px(y(n))}`;
  }
  return `${path}L${width} ${px(y(departed.length))}`;
}

/** Draw what does not move.
 * @param {Pipeline} trace @param {number} width @param {number} height @param {Surface} surface */
export function drawTape(trace, width, height, surface) {
  const at = tapePlan(trace, width, height), { top, base, x, y } = at;
  const lines = trace.parts.map(({ departed }) => departuresPath(departed, at));
  const start = `M0 ${base}`, [log] = lines, done = lines[lines.length - 1];
  surface.put('path', { d: `${start}${log}V${base}z`, fill: RAISED });
  surface.put('path', { d: `${start}${done}V${base}z`, fill: HIT_GROUND });
  const inner = lines.slice(0, -1).map((each) => `${start}${each}`).join('');
  surface.put('path', { d: inner, fill: 'none', stroke: SOFT, 'stroke-opacity': 0.6 });
  surface.put('path', { d: `${start}${done}`, fill: 'none', stroke: HIT, 'stroke-width': 2.2 });
  const closed = `${start}L${px(x(trace.closed))} ${px(y(trace.batches))}`;
  surface.put('path', { d: closed, ...FORMULA_LINE });
  surface.put('text', { x: 5, y: top + 11, 'font-size': 12, fill: SOFT }, 'left the log');
  surface.put('text', { x: width - 5, y: base - 6, 'font-size': 12, 'text-anchor': 'end', fill: INK }, 'done');
}

/** Draw the current time.
 * @param {PipelineState} state @param {number} width @param {number} height @param {Surface} surface */
function drawNow({ trace, t, done }, width, height, surface) {
  const { top, base, x, y } = tapePlan(trace, width, height), here = px(x(Math.min(t, trace.end)));
  const veil = { x: here, y: top - 2, width: px(width - here), height: base - top + 3 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.6 });
  surface.put('path', { d: `M${here} ${top - 4}V${base}`, stroke: INK, 'stroke-width': 2 });
  surface.put('circle', { cx: here, cy: px(y(done)), r: 5, fill: INK });
}

// ---- The drawing: a pipe from the log at CERN to the copy. What waits for a stage is piled up before it, a mark for
// each hundredth of all records. A stage is as full as it is busy, and hatched as far as it is blocked.

const COLUMN = 16, MOST_COLUMNS = Math.ceil(MARKS / COLUMN); // marks, one above the other; columns of all marks
const MIDDLE = { 'text-anchor': 'middle' };
const WIDEST = 9, HATCH = 5; // px from mark to mark, and from line to line

/** What depends on the width alone: the boxes of the stages, and the lines of words below them.
 * @param {number} width */
function sizesOf(width) {
  const wide = width >= WIDE;
  const box = wide ? 0.145 * Math.min(width, 662) : width < 340 ? 46 : 52;
  if (!wide) return { wide, box, deep: 92, line: 96, letters: 12, large: 14, first: 16, second: 31 };
  return { wide, box, deep: 148, line: 154, letters: 13, large: 18, first: 20, second: 37 };
}

/** @param {number} width @param {number} stages */
function plan(width, stages) {
  const sizes = sizesOf(width), { box, deep } = sizes, room = (width - stages * box) / (stages + 1);
  const pitch = Math.min(WIDEST, (room - 4) / MOST_COLUMNS, deep / COLUMN);
  return {
    ...sizes, width, room, pitch, mark: pitch - Math.min(1.8, 0.25 * pitch),
    pile: (/** @type {number} */ n) => n * (room + box), // where the room before a stage begins
  };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** @param {number} width */
const heightOf = (width) => sizesOf(width).line + sizesOf(width).second + 9 + tapeHeight(width);

/** The path of a pile: columns of marks before the stage that they wait for; the last mark is as high as its fraction.
 * What is done is piled from the left.
 * @param {number} marks @param {number} n @param {Plan} at @param {boolean} last */
function pilePath(marks, n, { pile, room, pitch, mark, line }, last) {
  let path = '';
  for (let m = 0; m < marks; m += 1) {
    const column = Math.floor(m / COLUMN), y = px(line - 2 - (m % COLUMN) * pitch);
    const x = px(last ? pile(n) + 4 + column * pitch : pile(n) + room - 4 - column * pitch - mark);
    path += `M${x} ${y}h${px(mark)}v${px(-mark * Math.min(1, marks - m))}h${px(-mark)}z`;
  }
  return path || 'M0 0';
}

/** What is said below a pile. @param {number} n @param {Plan} at @param {number} last */
function wordsBelow(n, { width, pile, room }, last) {
  if (n === 0) return { place: { x: 0, 'text-anchor': 'start' }, words: width < 600 ? 'in log' : 'in the log' };
  if (n === last) return { place: { x: width, 'text-anchor': 'end' }, words: '✓ done' };
  return { place: { ...MIDDLE, x: px(pile(n) + room / 2) }, words: 'waiting' };
}

/** @param {PipelineState} state @param {Plan} at @param {Surface} surface */
function drawPiles({ trace, where }, at, surface) {
  const last = trace.stages.length, { line, large } = at;
  surface.put('path', { d: `M0 ${line + 0.5}H${at.width}`, stroke: SOFT, 'stroke-width': 1.5 });
  for (const [n, count] of where.entries()) {
    const marks = marksOf(trace, count), fill = n === last ? HIT : n ? WAIT : SOFT;
    surface.put('path', { d: pilePath((count * MARKS) / trace.batches, n, at, n === last), fill });
    const { place, words } = wordsBelow(n, at, last);
    const number = { ...place, y: line + at.first, 'font-size': large, 'font-weight': 600 };
    surface.put('text', { ...number, fill: marks ? INK : SOFT }, String(marks));
    surface.put('text', { ...place, y: line + at.second, 'font-size': 12, fill: SOFT }, words);
  }
}

/** The path of lines across a stage, as far as it is blocked.
 * @param {number} x @param {number} y of the foot @param {number} wide @param {number} high */
function hatchPath(x, y, wide, high) {
  let path = '';
  for (let up = HATCH; up <= high; up += HATCH) path += `M${px(x)} ${px(y - up + HATCH)}l${px(wide)} ${-HATCH}`;
  return path || 'M0 0';
}

/** What is said about a stage's share: how far it is blocked, below; on a phone what the share is, in the stage.
 * @param {Plan} at @param {number} blocked */
function noteOn({ wide, line, second }, blocked) {
  if (!wide) return { words: 'busy', place: { y: line - 8, fill: SOFT } };
  const held = blocked >= 0.005 ? `held ${Math.round(100 * blocked)}%` : '';
  return { words: held, place: { y: line + second, fill: HELD } };
}

/** Draw how busy a stage is: filled for work, hatched for blocked, hollow for idle.
 * @param {PipelineState} state @param {number} j @param {Plan} at @param {Surface} surface */
function drawStage({ works }, j, at, surface) {
  const { busy, blocked, slowest } = works[j], { wide, box, deep, line } = at;
  const x = px(at.pile(j) + at.room), inside = deep - 4, fill = px(inside * busy);
  const work = { x: x + 2, y: px(line - 2 - fill), width: px(box - 4), height: fill, rx: 4, fill: WORK };
  surface.put('rect', { ...work, 'fill-opacity': slowest ? 0.28 : 0.12 });
  const d = hatchPath(x + 3, line - 2 - fill, box - 6, inside * blocked);
  surface.put('path', { d, fill: 'none', stroke: HELD, 'stroke-width': 2 });
  const frame = { x, y: line - deep, width: px(box), height: deep, rx: 7, fill: 'none' };
  surface.put('rect', { ...frame, stroke: slowest ? INK : SOFT, 'stroke-width': slowest ? 2.5 : 1.2 });
  const words = { ...MIDDLE, x: px(x + box / 2), 'font-size': at.letters }, share = `${Math.round(100 * busy)}%`;
  const first = { ...words, y: line + at.first, fill: slowest ? INK : SOFT };
  surface.put('text', first, wide ? `busy ${share}` : share);
  const note = noteOn(at, blocked);
  surface.put('text', { ...words, 'font-size': 12, ...note.place }, note.words);
}

/** Draw the names and rates of the stages. @param {Pipeline} trace @param {number} width @param {Surface} surface */
function drawNames({ stages, rates }, width, surface) {
  const at = plan(width, stages.length), { wide, letters } = at, top = at.line - at.deep;
  for (const [j, stage] of stages.entries()) {
    const words = { ...MIDDLE, x: px(at.pile(j) + at.room + at.box / 2), fill: INK };
    surface.put('text', { ...words, y: top + (wide ? 24 : 17), 'font-size': wide ? 15 : 12 }, capitalise(stage));
    const rate = { ...words, y: top + (wide ? 44 : 33), 'font-size': letters };
    surface.put('text', rate, `${withCommas(rates[j])}${wide ? '/s' : ''}`);
  }
}

/** @type {Renderer<Pipeline, PipelineState>} */
export const pipeline = {
  prepare, state: stateAt, sentence, figures, height: heightOf, tape,
  backdrop: drawTape,
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    const places = plan(width, at.trace.stages.length);
    drawPiles(at, places, surface);
    for (const j of at.trace.stages.keys()) drawStage(at, j, places, surface);
  },
  scene: ({ trace }, width, tall, surface) => drawNames(trace, width, surface), // all else changes between events, too
  ...bySecond,
  measure: 'second',
  words: { start: 'Back to the start', event: 'mark' },
  begins: ({ begins }) => begins,
  round: ({ t, trace: { end } }, trace) => (t / end) * trace.end,
  rule: ({ lcrs }) => `each mark stands for ${withCommas(lcrs / MARKS)} records`,
  pace: [50, 200, 800].map((each) => ({ each, words: `${each} s a second` })),
};
