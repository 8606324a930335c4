// The last scans, a row each and a column a file: hits thin, misses thick, so that a pattern shows.
import { HIT, MISS, SOFT } from './colours.js';
import { px } from './surface.js';

const ROW = 9, HIGH = 7, THIN = 2.5, WIDEST = 24;

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Room */

/** @param {ScanState} state @param {Room} room @param {Surface} surface */
export function lastScans({ trace, k, scan }, { left, right, top, bottom }, surface) {
  const { files, file, hit } = trace, rows = Math.floor((bottom - top - 8) / ROW);
  if (rows < 2) return;
  const wide = Math.min(WIDEST, (right - left) / files), first = Math.max(0, scan - rows + 1);
  const made = ['', ''];
  for (let n = first * files; n <= k; n += 1) {
    const row = Math.floor(n / files) - first, high = hit[n] ? THIN : HIGH;
    const x = px(left + file[n] * wide), y = px(top + 8 + row * ROW + HIGH - high);
    made[hit[n]] += `M${x} ${y}h${px(wide - 2)}v${high}h${px(2 - wide)}z`;
  }
  surface.put('text', { x: left, y: top + 2, 'font-size': 12, fill: SOFT }, 'The last scans, file by file');
  surface.put('path', { d: made[1] || 'M0 0', fill: HIT });
  surface.put('path', { d: made[0] || 'M0 0', fill: MISS });
}
