// Chapter 7: the rows of a table of times, as `count` in tunables/chapters/file_or_row/calibration.py makes them; and
// a sample.
import { randomNumbers } from '../../statistics.js';
import { InputError } from '../text.js';

/** @typedef {Record<string, Float64Array>} Values the columns */

/**
 * @param {Values} values
 * @param {{ most: number }} wanted
 */
export function count({ page_bytes, blob_bytes, file_s, row_s }, { most }) {
  const columns = [page_bytes, blob_bytes, file_s, row_s];
  if (page_bytes.length > most) {
    throw new InputError(
      `For this fit the page takes at most ${most} rows; use the command line for more.`,
    );
  }
  return { rows: Array.from(page_bytes, (_, row) => columns.map((column) => column[row])) };
}

/** Returns times by four costs: 150 kB for opening, 30 for the look-up, 5 for a page, 1.5 for its bytes. */
export function sample() {
  const random = randomNumbers(), about = (/** @type {number} */ time) => (time * (0.97 + 0.06 * random())).toFixed(1);
  const rows = [1024, 2048, 4096, 8192, 16384].flatMap((page) => [10, 30, 100, 300, 1000].map((kb) => {
    const pages = Math.max(1, Math.ceil((1000 * kb + 36 - page) / (page - 4)) + 1);
    return `${page},${1000 * kb},${about(150 + kb)},${about(30 + pages * (5 + 1.5 * page / 1000))}`;
  }));
  return ['page_bytes,blob_bytes,file_us,row_us', ...rows];
}
