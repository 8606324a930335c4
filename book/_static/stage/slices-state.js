// What stands on chapter 6's stage at time t: a pure function of (trace, t), and its sentence.
// Time counts nanoseconds. The loop runs one slice after another; a timer that falls due waits for
// the end of a turn, which is one slice of each queue.
import { countAt, eventAt } from './events.js';
import { listed } from './words.js';

const MS = 1e6;
const MOST_LISTED = 4; // looks that a sentence names

/** Sums of the values before each, and of all. @param {number[]} values */
function sums(values) {
  const before = new Float64Array(values.length + 1);
  values.forEach((value, n) => {
    before[n + 1] = before[n] + value;
  });
  return before;
}

/** The longest mean slice so far, of any moment. @param {Float64Array} begins */
const highestMean = (begins) => begins.reduce((most, at, done) => (done ? Math.max(most, at / done) : most), 0);

/** What may be looked up of a run. @param {SliceColumns} columns @returns {Slices} */
export function prepare(columns) {
  const { length, looks, due, late } = columns, begins = sums(length);
  return {
    ...columns,
    runs: length.length,
    begins,
    highest: highestMean(begins),
    looksBefore: sums(looks),
    lateBefore: sums(late),
    served: Float64Array.from(due, (at, n) => at + late[n]),
    longest: Math.max(...length),
    widest: Math.max(...columns.granularity),
  };
}

/** When a run looked at the clock, from its beginning. @param {Slices} trace @param {number} run */
export function looksOf({ look, looksBefore }, run) {
  return look.slice(looksBefore[run], looksBefore[run + 1]);
}

/** @param {Slices} trace @param {number} t @returns {SlicesState} */
export function state(trace, t) {
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
function looksIn({ looks, granularity, items }, run) {
  const count = looks[run], g = granularity[run];
  if (g === 1) return 'a look after each';
  if (!count) return 'no look';
  if (count === 1 && g === items[run]) return 'one look, after the last';
  if (count > MOST_LISTED) return `a look after every ${g}, ${count} in all`;
  const after = listed(Array.from({ length: count }, (_, n) => String((n + 1) * g)));
  return `${count === 1 ? 'a look' : 'looks'} after ${after}`;
}

/** @param {Slices} trace @param {number} run */
function nextLooks({ granularity, runs, queue }, run) {
  const next = queue.indexOf(queue[run], run + 1);
  if (next < 0) return run === runs - 1 ? 'All is done' : 'This queue is empty';
  const g = granularity[next], every = g === 1 ? 'item' : `${g} items`;
  return `${g > granularity[run] ? 'From now on' : 'Still'} a look every ${every}`;
}

/** What is on the stage, for those who do not see it, and for those who do. @param {SlicesState} at */
export function sentence({ trace, done, mean }) {
  if (mean === null) return 'Run 1 begins; it looks at the clock after each item.';
  const { length, items, quantum, queues, queue } = trace, run = done - 1;
  const whose = queues > 1 ? `, of queue ${queue[run] + 1}` : '', over = length[run] - quantum;
  const beyond = over > 0 ? `, ${ms(over)} beyond the quantum` : ', and the queue is empty';
  return `Run ${done}${whose}: ${items[run]} items, ${looksIn(trace, run)}; ${ms(length[run])} ms${beyond}. `
    + `${nextLooks(trace, run)}. Mean of ${done}: ${ms(mean)} ms.`;
}
