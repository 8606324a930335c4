// Chapter 4: counts of a flow log, as `count` in tunables/chapters/flow_priority/calibration.py makes them; a sample.
import { mean, median, quantile, randomNumbers } from '../../statistics.js';

/**
 * @typedef {Record<string, Float64Array>} Values the columns
 * @typedef {{ windows: number, sizes: number, out: number[], ahead: number }} Wanted
 */

/**
 * Returns the rows of each window, in order of time.
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
export function count({ start_s, size_bytes, duration_s }, { windows, sizes: classes, out, ahead }) {
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

/**
 * Returns the end of each flow on a port that serves all present flows equally.
 * @param {number[]} starts in seconds, in order
 * @param {number[]} works seconds that each would take alone
 */
function endsOfSharedFlows(starts, works) {
  const ends = new Array(starts.length).fill(0);
  /** @type {{ flow: number, left: number }[]} */
  let there = [];
  let now = 0;
  /** @param {number} until */
  const serve = (until) => {
    while (there.length) {
      const least = there.reduce((a, b) => (b.left < a.left ? b : a));
      const end = now + least.left * there.length;
      const gone = (Math.min(end, until) - now) / there.length;
      for (const each of there) each.left -= gone;
      now += gone * there.length;
      if (end > until) return;
      ends[least.flow] = end;
      there = there.filter((each) => each !== least);
    }
    now = until;
  };
  starts.forEach((start, flow) => {
    serve(start);
    now = start;
    there.push({ flow, left: works[flow] });
  });
  serve(Infinity);
  return ends;
}

/** Returns flows on a port of 100 Mbit/s, at nine loads. */
export function sample() {
  const random = randomNumbers();
  /** @type {number[]} */
  const starts = [];
  /** @type {number[]} */
  const sizes = [];
  let now = 0;
  for (const load of [0.2, 0.5, 0.7, 0.3, 0.75, 0.4, 0.6, 0.25, 0.55]) {
    for (let flow = 0; flow < 1000; flow += 1) {
      now -= 0.02 * Math.log(random()) / load;
      starts.push(now);
      sizes.push(Math.round(100_000 * -Math.log(random()) * (random() < 0.3 ? 6 : 1)));
    }
  }
  const ends = endsOfSharedFlows(starts, sizes.map((bytes) => 8 * (bytes + 1) / 100e6));
  const rows = starts.map((start, flow) => {
    return `${start.toFixed(4)},${sizes[flow] + 1},${(ends[flow] - start + 0.005).toFixed(5)}`;
  });
  return ['start_s,size_bytes,duration_s', ...rows];
}
