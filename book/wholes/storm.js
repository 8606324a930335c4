// Chapter 2: second by second what the server did, and how many attempts came.
import { HIT, INK, MISS } from '../_static/stage/colours.js';
import { TAPE_HEIGHT, backdrop, tape } from '../_static/stage/storm-tape.js';
import { key } from './key.js';

const AT_LAST_S = 10;
const BESIDE = -tape(0).width; // px, for the words beside the time: here there are none

/** @type {Whole<Storm>} */
export const storm = {
  tall: TAPE_HEIGHT,
  unit: ' answered in time in the last seconds',
  result({ seconds: { answered } }) {
    const last = answered.slice(-AT_LAST_S).reduce((sum, count) => sum + count, 0) / AT_LAST_S;
    return `${last.toFixed(1)}/s`;
  },
  draw(trace, width, surface) {
    backdrop(trace, width + BESIDE, TAPE_HEIGHT, surface);
  },
  foot(width, surface) {
    key([
      { word: '✓ in time', room: 76, look: { stroke: HIT, 'stroke-width': 8 } },
      { word: '✕ late', room: 58, look: { stroke: MISS, 'stroke-width': 4 } },
      { word: 'attempts', room: 80, look: { stroke: INK, 'stroke-width': 1.3 } },
    ], surface);
    surface.put('text', { x: width, y: 14, 'text-anchor': 'end', fill: INK }, `in time, last ${AT_LAST_S} s`);
  },
};
