// Chapter 3: the first scans of each policy, a bar a request: hits thin, misses thick.
import { HIT, INK, MISS, SOFT } from '../_static/stage/colours.js';
import { px } from '../_static/stage/surface.js';
import { key } from './key.js';

const SCANS = 8; // the first is cold
const TALL = 8, THIN = 3; // px

/** @type {Whole<Scan>} */
export const scan = {
  tall: TALL + 2,
  unit: ' times as slow',
  result({ misses, files, cost }) {
    const counted = (SCANS - 1) * files;
    return `${(1 + (cost - 1) * (misses[SCANS * files] / counted)).toFixed(2)}`;
  },
  draw({ files, hit }, width, surface) {
    const wide = width / (SCANS * files), made = ['', ''];
    for (let k = 0; k < SCANS * files; k += 1) {
      const tall = hit[k] ? THIN : TALL, bar = px(wide - 0.8);
      made[hit[k]] += `M${px(k * wide)} ${TALL - tall}h${bar}v${tall}h${-bar}z`;
    }
    surface.put('path', { d: made[1] || 'M0 0', fill: HIT });
    surface.put('path', { d: made[0] || 'M0 0', fill: MISS });
    const starts = Array.from({ length: SCANS }, (_, n) => `M${px(n * files * wide)} 0v${TALL + 2}`);
    surface.put('path', { d: starts.join(''), stroke: SOFT, 'stroke-width': 0.5 });
  },
  foot(width, surface) {
    key([
      { word: '✓ hit', room: 50, look: { stroke: HIT, 'stroke-width': THIN } },
      { word: '✕ miss', room: 60, look: { stroke: MISS, 'stroke-width': TALL } },
    ], surface);
    const words = `times as slow in scans 2 to ${SCANS}`;
    surface.put('text', { x: width, y: 14, 'text-anchor': 'end', fill: INK }, words);
  },
};
