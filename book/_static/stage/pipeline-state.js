// What stands on chapter 5's stage at time t: a pure function of (trace, t), and its sentence.
// A batch waits for a stage, is worked on, and stays there, blocked, while the next has no room.
import { countAt } from './events.js';
import { grouped } from '../quantity.js';
import { listed } from './words.js';

export const MARKS = 100; // all that is sent

/** When each batch begins at a stage: it is there, and the one before has left.
 * @param {Float64Array} departed @param {Float64Array | undefined} arrived */
function begins(departed, arrived) {
  return departed.map((_, n) => Math.max(arrived ? arrived[n] : 0, n ? departed[n - 1] : 0));
}

/** The sum of spans, before each. @param {Float64Array} from @param {Float64Array} to */
function sums(from, to) {
  const made = new Float64Array(from.length + 1);
  for (let n = 0; n < from.length; n += 1) made[n + 1] = made[n] + to[n] - from[n];
  return made;
}

/** What may be looked up of a run. @param {PipelineColumns} columns @returns {Pipeline} */
export function prepare(columns) {
  const { batches, departed_ms: left, served_ms: served, stages, lcrs, rates } = columns;
  const seconds = (/** @type {number[]} */ all, /** @type {number} */ j) => (
    Float64Array.from(all.slice(j * batches, (j + 1) * batches), (ms) => ms / 1000));
  const departed = stages.map((_, j) => seconds(left, j));
  const parts = departed.map((gone, j) => {
    const begun = begins(gone, departed[j - 1]), done = served ? seconds(served, j) : gone;
    return { departed: gone, begun, served: done, worked: sums(begun, done), held: sums(done, gone) };
  });
  const last = departed[departed.length - 1], each = batches / MARKS;
  const marks = Float64Array.from({ length: MARKS + 1 }, (_, n) => (n ? last[n * each - 1] : 0));
  const pace = Math.min(...rates);
  return { ...columns, parts, begins: marks, end: marks[MARKS], pace, closed: lcrs / pace };
}

/** The seconds that a stage has spent so, by t. @param {Float64Array} before of each batch
 * @param {{ from: Float64Array, to: Float64Array }} spans @param {number} n the batch on @param {number} t */
function spent(before, { from, to }, n, t) {
  return n < from.length ? before[n] + Math.min(Math.max(0, t - from[n]), to[n] - from[n]) : before[n];
}

/** The shares of the last while that a stage was at work, and held its batch for want of room.
 * @param {PipelinePart} part @param {number} t @param {number} while_s */
function shares({ departed, begun, served, worked, held }, t, while_s) {
  const start = Math.max(0, t - while_s), span = t - start;
  const sum = (/** @type {number} */ when) => {
    const n = countAt(departed, when);
    return [
      spent(worked, { from: begun, to: served }, n, when),
      spent(held, { from: served, to: departed }, n, when),
    ];
  };
  const now = sum(t), then = sum(start);
  return now.map((seconds, k) => (span > 0 ? Math.min(1, (seconds - then[k]) / span) : 0));
}

/** @param {Pipeline} trace @param {number} t @returns {PipelineState} */
export function state(trace, t) {
  const { parts, batches, lcrs, closed, rates, pace } = trace;
  const left = parts.map(({ departed }) => countAt(departed, t));
  const where = [batches, ...left].map((come, j) => come - (left[j] ?? 0));
  const works = parts.map((part, j) => {
    const [busy, blocked] = shares(part, t, closed / MARKS);
    return { busy, blocked, slowest: rates[j] === pace };
  });
  const done = left[left.length - 1];
  return { trace, t, where, works, done, soFar: t > 0 ? (done * lcrs) / batches / t : null };
}

/** How many marks so many batches are. @param {Pipeline} trace @param {number} count */
export const marksOf = ({ batches }, count) => Math.round((count * MARKS) / batches);

/** A stage as a sentence names it. @param {string} stage */
export const the = (stage) => (stage === 'apply' ? stage : `the ${stage}`);

/** @type {Record<string, string>} */
const ROOMS = { any: ', times vary', 0: ', no room', 1: ', room for 1', 4: ', room for 4', 16: ', room for 16' };

/** @param {PipelineState} at */
function piles({ trace, where }) {
  const { stages } = trace, trails = stages.slice(1);
  const counts = where.map((count) => marksOf(trace, count));
  const waiting = trails.map((stage, j) => ({ stage, count: counts[j + 1] })).filter(({ count }) => count > 0);
  const said = waiting.map(({ stage, count }) => `${count} wait for ${the(stage)}`);
  const between = said.length ? listed(said) : 'none on the way';
  return `${counts[0]} of ${MARKS} marks in the log, ${between}, ${counts[stages.length]} done`;
}

/** What is on the stage, for those who do not see it, and for those who do. @param {PipelineState} at */
export function sentence(at) {
  const { trace, t, soFar } = at, { site, compress, stages, pace } = trace;
  const slowest = stages.filter((_, j) => trace.rates[j] === pace), one = slowest.length === 1;
  const limit = `slowest: ${listed(slowest.map(the))}, ${grouped(pace)}${one ? '' : ' each'}`;
  const speed = soFar === null ? '' : `${grouped(soFar)} records a second so far; `;
  const where = `${site}${compress === 'on' ? ', COMPRESS' : ''}${ROOMS[trace.room] ?? ''}, after ${grouped(t)} s`;
  return `${where}: ${piles(at)}. ${speed ? speed + limit : limit[0].toUpperCase() + limit.slice(1)}.`;
}
