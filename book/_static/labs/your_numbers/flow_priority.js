// What chapter 4's fit asks of a flow log: `counted` in tunables/chapters/flow_priority/own.py.
import { mean, median, quantile } from './sums.js';

/**
 * @typedef {Record<string, Float64Array>} Values the columns
 * @typedef {{ windows: number, sizes: number, out: number[], ahead: number }} Wanted
 */

/**
 * The rows of each window, in order of time.
 * @param {Float64Array} start_s
 * @param {number} windows
 */
function windowsOf(start_s, windows) {
  const order = Uint32Array.from(start_s, (_, row) => row).sort((a, b) => start_s[a] - start_s[b] || a - b);
  return Array.from({ length: windows }, (_, window) => {
    const [first, next] = [window, window + 1].map((place) => Math.ceil(place * order.length / windows));
    return order.subarray(first, next);
  });
}

/**
 * @param {Values} values
 * @param {Wanted} wanted
 */
export function counted({ start_s, size_bytes, duration_s }, { windows, sizes: classes, out, ahead }) {
  const rows = windowsOf(start_s, windows);
  const firsts = rows.map(([row]) => start_s[row]);
  const last = rows[windows - 1];
  firsts.push(start_s[last[last.length - 1]]);
  const window_s = rows.map((_, window) => firsts[window + 1] - firsts[window]);
  const of = (/** @type {Iterable<number>} */ those, /** @type {Float64Array} */ column) => {
    return Float64Array.from(those, (row) => column[row]);
  };
  const kept = rows.filter((_, window) => !out.includes(window)).flatMap((those) => [...of(those, size_bytes)]);
  const edges = Array.from({ length: classes - 1 }, (_, edge) => quantile(kept, (edge + 1) / classes));
  const cells = rows.map((those) => Array.from({ length: classes }, (_, size) => those.filter((row) => {
    return edges.filter((edge) => edge < size_bytes[row]).length === size;
  })));
  const sum = (/** @type {Float64Array} */ values) => mean(values) * values.length;
  return {
    least_s: Math.min(...window_s),
    fewest: Math.min(...cells.flat().map((cell) => cell.length)),
    sizes: cells.map((cell) => cell.map((those) => mean(of(those, size_bytes)))),
    durations: cells.map((cell) => cell.map((those) => mean(of(those, duration_s)))),
    loads: rows.map((those, window) => 8 * sum(of(those, size_bytes)) / window_s[window]),
    size: median(size_bytes),
    ahead: sum(size_bytes.map((bytes) => Math.min(bytes, ahead))) / sum(size_bytes),
  };
}
