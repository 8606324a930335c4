// Chapter 4: the first transactions of the watched user, a row each: a tick when a packet left the
// port, since its transaction began.
import { INK, MISS, MODEL, SOFT } from '../_static/stage/colours.js';
import { ORDINARY, ms } from '../_static/stage/port-state.js';
import { px } from '../_static/stage/surface.js';

const ROWS = 20, ROW = 4, TICK = 3; // px
const SPAN_MS = 40, STEP_MS = 10;

/** @param {number} width */
const scale = (width) => (/** @type {number} */ time) => px((time / SPAN_MS) * width);

/** @type {Whole<Port>} */
export const port = {
  tall: ROWS * ROW,
  unit: '',
  result({ transactions }) {
    const took = transactions.slice(0, ROWS).map(({ begun, done }) => done - begun);
    return `mean ${ms(took.reduce((sum, time) => sum + time, 0) / took.length)}`;
  },
  draw({ transactions, lane }, width, surface) {
    const x = scale(width), made = ['', '', '', ''];
    transactions.slice(0, ROWS).forEach(({ rows, left, begun }, n) => left.forEach((time, packet) => {
      const last = packet === left.length - 1 ? 2 : 0;
      made[lane[rows[packet]] + last] += `M${x(time - begun)} ${n * ROW}v${TICK}`;
    }));
    made.forEach((d, n) => {
      surface.put('path', { d: d || 'M0 0', stroke: n % 2 === ORDINARY ? MISS : MODEL, 'stroke-width': n < 2 ? 1 : 3 });
    });
    surface.put('path', { d: `M0 ${ROWS * ROW + 0.5}H${width}`, stroke: SOFT, 'stroke-opacity': 0.5 });
  },
  foot(width, surface) {
    const x = scale(width);
    for (let time = 0; time <= SPAN_MS; time += STEP_MS) {
      const anchor = time === 0 ? 'start' : time === SPAN_MS ? 'end' : 'middle';
      const words = time === SPAN_MS ? `${time} ms` : String(time);
      surface.put('text', { x: x(time), y: 10, 'text-anchor': anchor, fill: INK }, words);
    }
  },
};
