// Chapter 6: the longest slice at each place of the run, plain to the quantum and dark beyond, and
// how many items lie between two looks: a stair.
import { INK, MISS, MODEL, SOFT } from '../_static/stage/colours.js';
import { ms } from '../_static/stage/slices-state.js';
import { px } from '../_static/stage/surface.js';
import { key } from './key.js';

const TALL = 52, COLUMN = 2; // px

/** The longest slice in each column. @param {Slices} trace @param {number} columns */
function longestIn({ length, runs }, columns) {
  const most = new Float64Array(columns);
  length.forEach((time, run) => {
    const column = Math.floor((run / runs) * columns);
    most[column] = Math.max(most[column], time);
  });
  return most;
}

/** @type {Whole<Slices>} */
export const slices = {
  tall: TALL,
  unit: '',
  result: ({ longest }) => `longest ${ms(longest)} ms`,
  draw(trace, width, surface) {
    const { quantum, granularity, runs, widest } = trace, columns = Math.floor(width / COLUMN);
    const most = longestIn(trace, columns), highest = Math.max(...most);
    const y = (/** @type {number} */ time) => px(TALL - (time / highest) * TALL), made = ['', ''];
    most.forEach((time, n) => {
      made[0] += `M${n * COLUMN} ${TALL}V${y(Math.min(time, quantum))}`;
      if (time > quantum) made[1] += `M${n * COLUMN} ${y(quantum)}V${y(time)}`;
    });
    surface.put('path', { d: made[0], stroke: MODEL, 'stroke-width': COLUMN - 0.4 });
    surface.put('path', { d: made[1] || 'M0 0', stroke: MISS, 'stroke-width': COLUMN - 0.4 });
    let stair = `M0 ${TALL}`;
    granularity.forEach((g, run) => {
      if (g === granularity[run - 1]) return;
      stair += `H${px((run / runs) * width)}V${px(TALL - (g / widest) * TALL)}`;
    });
    surface.put('path', { d: `${stair}H${width}`, fill: 'none', stroke: INK, 'stroke-width': 1.5 });
    surface.put('path', { d: `M0 ${TALL + 0.5}H${width}`, stroke: SOFT });
  },
  foot(width, surface) {
    key([
      { word: 'to 10 ms', room: 78, look: { stroke: MODEL, 'stroke-width': 8 } },
      { word: 'beyond', room: 70, look: { stroke: MISS, 'stroke-width': 8 } },
      { word: 'items between looks', room: 130, look: { stroke: INK, 'stroke-width': 1.5 } },
    ], surface);
  },
};
