// What stands on chapter 3's second stage at time t: a pure function of (trace, t), and its sentence.
// Time counts hits, as on the first stage; an event is a row of the picture.
import { eventAt } from './events.js';
import { grouped } from '../quantity.js';

/** Whether each write is a hit. @param {number[]} run @param {number} length */
function hitsOf(run, length) {
  const hit = new Uint8Array(length);
  let k = 0;
  run.forEach((count, n) => {
    hit.fill(n % 2, k, k + count);
    k += count;
  });
  return hit;
}

/** What may be looked up of a run, at the beginning of each row.
 * @param {RasterColumns} columns @returns {Raster} */
export function prepare(columns) {
  const { files, scans, cost, run, columns: wide } = columns, rows = Math.ceil(files / wide), length = rows * scans;
  const hit = hitsOf(run, files * scans);
  const first = Int32Array.from({ length: length + 1 }, (_, row) => (
    Math.floor(row / rows) * files + Math.min(files, (row % rows) * wide)));
  const begins = new Float64Array(length + 1), hits = new Int32Array(length + 1);
  for (let row = 0; row < length; row += 1) {
    const here = hit.subarray(first[row], first[row + 1]).reduce((sum, each) => sum + each, 0);
    hits[row + 1] = hits[row] + here;
    begins[row + 1] = begins[row] + here + cost * (first[row + 1] - first[row] - here);
  }
  return { ...columns, rows, length, hit, first, begins, hits };
}

/** How many times as slow the scans after the first were, when so many writes were done.
 * @param {Raster} trace @param {number} done @param {number} hits */
export function slowdownOf({ files, rows, hits: before, cost }, done, hits) {
  const counted = done - files;
  return counted > 0 ? 1 + (cost - 1) * (1 - (hits - before[rows]) / counted) : null;
}

/** @param {Raster} trace @param {number} t @returns {RasterState} */
export function state(trace, t) {
  const { begins, first, hits, hit, files, rows, cost } = trace, row = eventAt(begins, t);
  let done = first[row], found = hits[row], left = t - begins[row];
  while (done < first[row + 1] && left >= (hit[done] ? 1 : cost)) {
    left -= hit[done] ? 1 : cost;
    found += hit[done];
    done += 1;
  }
  const scan = Math.floor(row / rows);
  return {
    trace, t, row, scan, done,
    here: done - scan * files,
    found: found - hits[scan * rows],
    slowdown: slowdownOf(trace, done, found),
  };
}

/** What is on the stage, for those who do not see it, and for those who do. @param {RasterState} at */
export function sentence({ trace, scan, here, found, slowdown }) {
  const { files, scans } = trace;
  const where = `Scan ${scan + 1} of ${scans}: ${grouped(here)} of ${grouped(files)} graphs written`;
  const verdict = `${grouped(found)} found in the cache, ${grouped(here - found)} not`;
  const sum = slowdown === null
    ? 'The first scan fills the cache and does not count.'
    : `Since scan 2: ${slowdown.toFixed(2)} times as slow.`;
  return `${where}, ${verdict}. ${sum}`;
}
