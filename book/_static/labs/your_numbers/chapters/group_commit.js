// Chapter 1: counts of a log or a table, as `count` in tunables/chapters/group_commit/own.py makes them; and a sample.
import { mean, randomNumbers } from '../../statistics.js';
import { InputError } from '../text.js';

/** @typedef {Record<string, Float64Array>} Values the columns */

/** @param {Values} values */
function stretches({ time_s, response_s, clients, delay_s }) {
  const order = Uint32Array.from(time_s, (_, row) => row).sort((a, b) => time_s[a] - time_s[b] || a - b);
  /** @type {number[][]} */
  const runs = [];
  for (let start = 0; start < order.length;) {
    const [n, delay, first] = [clients, delay_s, time_s].map((column) => column[order[start]]);
    let stop = start;
    while (stop < order.length && clients[order[stop]] === n && delay_s[order[stop]] === delay) stop += 1;
    const rows = order.subarray(start, stop);
    const later = rows.filter((row) => time_s[row] > first).length;
    const span_s = time_s[rows[rows.length - 1]] - first;
    runs.push([n, delay, mean(Float64Array.from(rows, (row) => response_s[row])), rows.length, later, span_s]);
    start = stop;
  }
  return runs;
}

/** @param {Values} values */
function table({ clients, delay_s, response_s, throughput_per_s }) {
  const columns = [clients, delay_s, response_s, throughput_per_s];
  return Array.from(clients, (_, row) => columns.map((column) => column[row]));
}

/**
 * @param {Values} values
 * @param {{ most: number, commits: number }} wanted
 */
export function count(values, { most, commits }) {
  /** @type {Values} */
  const columns = { delay_s: new Float64Array(values.clients.length), ...values };
  const found = {
    log: columns.time_s ? stretches(columns) : null,
    table: columns.throughput_per_s ? table(columns) : null,
  };
  if ((found.log ?? found.table ?? []).length <= most) return found;
  const unfit = found.log?.find((run) => run[3] < commits || run[5] <= 0);
  if (unfit) return { ...found, log: [unfit] }; // which is refused for this reason
  throw new InputError(`For this fit the page takes at most ${most} runs; use the command line for more.`);
}

/** Returns commits that share their flushes: D + 4 ms, or two flushes without a delay. */
export function sample() {
  const random = randomNumbers();
  const rows = [0, 2, 5, 10, 25].flatMap((delay_ms) => [2, 4, 8, 16].map((clients) => {
    const response_ms = (delay_ms ? delay_ms + 4 : 8) * (0.95 + 0.1 * random());
    const throughput = 1000 * clients / (response_ms + 0.9 + 0.2 * random());
    return `${clients},${delay_ms},${response_ms.toFixed(2)},${throughput.toFixed(1)}`;
  }));
  return ['clients,delay_ms,response_ms,throughput_per_s', ...rows];
}
