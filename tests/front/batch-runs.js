// Runs of chapter 1's own kernel, as the stage is given them and as they happened.
import { batches } from '../../book/_static/stage/batches.js';
import { builtKernels } from './built.js';

export const SECONDS = 64;
const KINDS = { asks: 0, waits: 1, queries: 2, works: 3, held: 4, flushed: 5, answered: 6 };
/** @type {Record<number, number>} */
const DOES = { [KINDS.queries]: 0, [KINDS.waits]: 1, [KINDS.works]: 2, [KINDS.held]: 3, [KINDS.answered]: 4 };
const USUAL = {
  commits: 2, adaptive: false, stuck: 0, clients: 50, max_delay_s: 2, timeout_s: 1, retries: 3,
  base_s: 0.076, think_s: 0.0318, pool_threads: 50, commit_threads: 50,
};
const kernels = builtKernels('group_commit');

/** @typedef {{ time_s: number, kind: number, client: number, detail: number }} Happening */

/** @param {typeof USUAL} rules @returns {Happening[]} */
function happenings(rules) {
  const settings = [20, 3000, ...Object.values(rules), 50000];
  const [, time_s, kind, client, , detail] = kernels.call('experiment.trace', settings);
  const rows = Array.from(/** @type {Float64Array} */ (time_s), (time, n) => {
    const [k, who, what] = [kind, client, detail].map((column) => Number(/** @type {BigInt64Array} */ (column)[n]));
    return { time_s: time, kind: k, client: who, detail: what };
  });
  return rows.filter((one) => one.time_s < SECONDS);
}

/** Those that last, as `play` tells them. @param {Happening[]} happened @param {typeof USUAL} rules
 * @returns {BatchColumns} */
function columns(happened, rules) {
  const lasting = happened.filter(({ kind }) => kind in DOES);
  const flushes = happened.filter(({ kind }) => kind === KINDS.flushed);
  const flushOf = (/** @type {Happening} */ held) => (
    flushes.find((one) => one.client === held.client && one.time_s >= held.time_s)?.detail ?? -1);
  return {
    ...rules, hypothesis: 'two caps', seconds: SECONDS, formula_s: 8.076, exact: true, mean_s: 8.077,
    begin_us: lasting.map(({ time_s }) => Math.round(1e6 * time_s)),
    client: lasting.map(({ client }) => client),
    does: lasting.map(({ kind }) => DOES[kind]),
    flush: lasting.map((one) => (one.kind === KINDS.held ? flushOf(one) : -1)),
  };
}

export const runs = [
  {}, { max_delay_s: 0.025 }, { commits: 1, base_s: 0.101, commit_threads: 13 },
  { clients: 5, commits: 0, pool_threads: 3 }, { adaptive: true, stuck: 1, base_s: 0.096 },
  { commits: 1, commit_threads: 13, timeout_s: 0.5, retries: 1 },
].map((changes) => {
  const rules = { ...USUAL, ...changes }, happened = happenings(rules);
  return { happened, trace: batches.prepare(columns(happened, rules)) };
});
export const [twoCaps, , commitStage] = runs;

/** @typedef {{ does: number, asked_s: number, took_s: number }} Done */

/** All that happened to each client up to t. @param {Happening[]} happened @param {number} t */
export function replayed(happened, t) {
  /** @type {Map<number, Done>} */
  const clients = new Map();
  /** @type {number[]} */
  const took = [];
  /** @type {Map<number, number[]>} */
  const freed = new Map();
  /** @type {Record<number, (one: Done, row: Happening) => void>} */
  const acts = {
    [KINDS.asks]: (one, { time_s }) => Object.assign(one, { asked_s: time_s }),
    [KINDS.answered](one, { time_s }) {
      Object.assign(one, { took_s: time_s - one.asked_s });
      took.push(one.took_s);
    },
    [KINDS.flushed]: (_, { detail, client }) => freed.set(detail, [...freed.get(detail) ?? [], client]),
  };
  for (const row of happened.filter(({ time_s }) => time_s <= t)) {
    const one = clients.get(row.client) ?? { does: -1, asked_s: 0, took_s: NaN };
    acts[row.kind]?.(one, row);
    one.does = DOES[row.kind] ?? one.does;
    clients.set(row.client, one);
  }
  return { clients, took, flush: [...freed.values()].pop() ?? null };
}

export const near = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) < 2e-6;

/** A time that is no event's, for there the microsecond to which a row is rounded would tell.
 * @param {Batches} trace @param {number} share */
export function timeIn(trace, share) {
  const t = share * SECONDS;
  return trace.begin_s.some((s) => near(s, t)) ? t + 1e-5 : t;
}
