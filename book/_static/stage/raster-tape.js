// The run of chapter 3's second stage from end to end: the slowdown so far, and the closed form.
import { levels, plan } from './scan-tape.js';
import { slowdownOf } from './raster-state.js';
import { px } from './surface.js';

/** @param {Raster} trace @param {ReturnType<typeof plan>} at */
function running(trace, { x, y }) {
  const { rows, length, first, hits, begins } = trace;
  let line = '';
  for (let row = rows + 1; row <= length; row += 1) {
    const slowdown = slowdownOf(trace, first[row], hits[row]) ?? 1;
    line += `${line ? 'L' : 'M'}${px(x(begins[row]))} ${px(y(slowdown))}`;
  }
  return line;
}

/** @param {Raster} trace @param {number} width @param {number} height @param {Surface} surface */
export function backdrop(trace, width, height, surface) {
  const at = plan(trace, width, height);
  levels(trace, at, { cold: trace.begins[trace.rows], line: running(trace, at), foot: height }, surface);
}
