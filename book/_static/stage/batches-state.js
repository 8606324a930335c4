// What stands on chapter 1's stage at time t, in seconds: a pure function of (trace, t), and its
// sentence.
import { ANSWERED, DOINGS, HELD, QUERIES, WAITS, WORKS } from './batches-trace.js';
import { countAt } from './events.js';
import { grouped } from '../quantity.js';

const RECENT = 50; // answers

/** How many clients do what at t. @param {Batches} trace @param {number} t */
export function countsAt({ begin_s, counts }, t) {
  const after = countAt(begin_s, t) * DOINGS;
  return [...counts.subarray(after, after + DOINGS)];
}

/** The row in which each client is. @param {Batches} trace @param {number} t */
function rowsAt({ rows, begins }, t) {
  return rows.map((mine, client) => mine[countAt(begins[client], t) - 1]);
}

/** @param {Batches} trace @param {number} t @returns {BatchesState} */
export function state(trace, t) {
  const { answered_s, flushed_s, flushes, sum_s } = trace;
  const answers = countAt(answered_s, t), before = answers - RECENT;
  return {
    trace, t, answers,
    counts: countsAt(trace, t),
    rows: rowsAt(trace, t),
    mean_s: answers ? sum_s[answers] / answers : null,
    recent_s: before >= 0 ? (sum_s[answers] - sum_s[before]) / RECENT : null,
    flush: flushes[countAt(flushed_s, t) - 1] ?? null,
  };
}

/** A time as whole milliseconds: 8,072 ms. @param {number} seconds */
export const ms = (seconds) => `${grouped(1000 * seconds)} ms`;

/** The closed form, and whether it is one. @param {Batches} trace */
export function formula({ formula_s, exact }) {
  return `${exact ? '' : '≈ '}${ms(formula_s)}`;
}

const DOING = {
  [QUERIES]: 'in the lease query', [WAITS]: 'waiting for a thread', [WORKS]: 'working', [HELD]: 'held',
  [ANSWERED]: 'between calls',
};

/** @param {BatchesState} at */
function everybody({ counts }) {
  return counts.flatMap((count, doing) => (count ? [`${count} ${DOING[/** @type {0} */ (doing)]}`] : [])).join(', ');
}

/** @param {BatchesState} at */
function shared({ flush }) {
  return flush && flush.clients.length > 1 ? ` The last flush freed ${flush.clients.length} at once.` : '';
}

/** @param {BatchesState} at */
function sum({ trace, answers, mean_s }) {
  if (mean_s === null) return 'Nobody has an answer yet.';
  const count = answers === 1 ? '1 answer' : `${grouped(answers)} answers`;
  return `${count}: mean ${ms(mean_s)} (formula ${formula(trace)}).`;
}

/** What is on the stage, for those who do not see it, and for those who do. @param {BatchesState} at */
export function sentence(at) {
  const { trace, t, rows: [watched] } = at;
  const since = (t - trace.begin_s[watched]).toFixed(1);
  const first = `Client 1: ${DOING[/** @type {0} */ (trace.does[watched])]} for ${since} s.`;
  return `At ${t.toFixed(1)} s, ${trace.hypothesis}: ${everybody(at)}. ${first} ${sum(at)}${shared(at)}`;
}
