// Chapter 1: a row a client, and along the clock what it does, each batch's parts end to end.
import { INK } from '../_static/stage/colours.js';
import { LOOKS } from '../_static/stage/batches-draw.js';
import { ms, state } from '../_static/stage/batches-state.js';
import { grouped } from '../_static/quantity.js';
import { px } from '../_static/stage/surface.js';
import { key } from './key.js';

const ROW = 3; // px
const CLIENTS = 50;

/** @type {Whole<Batches>} */
export const batches = {
  tall: CLIENTS * ROW,
  unit: '',
  result(trace) {
    const { answers, mean_s: mean } = state(trace, trace.seconds);
    return `${grouped(answers)} answers, mean ${mean === null ? '–' : ms(mean)}`;
  },
  draw(trace, width, surface) {
    const { begin_s: begins, end_s: ends, client, does, seconds } = trace, made = LOOKS.map(() => '');
    const x = (/** @type {number} */ s) => px((s / seconds) * width);
    does.forEach((doing, row) => {
      const from = x(begins[row]), to = x(Math.min(seconds, ends[row]));
      if (doing in made && to > from) made[doing] += `M${from} ${px((client[row] + 0.5) * ROW)}H${to}`;
    });
    for (const { doing, stroke, width: share, dash } of LOOKS) {
      const look = { stroke, 'stroke-width': px(share * ROW), 'stroke-dasharray': dash };
      surface.put('path', { d: made[doing] || 'M0 0', fill: 'none', ...look });
    }
  },
  foot(width, surface, { seconds }) {
    const signs = LOOKS.map(({ short, stroke, width: share, dash }) => (
      { word: short, room: 62, look: { stroke, 'stroke-width': px(share * ROW), 'stroke-dasharray': dash } }));
    key(signs, surface);
    surface.put('text', { x: width, y: 14, 'text-anchor': 'end', fill: INK }, `${seconds} s`);
  },
};
