// Chapter 5: how many marks have left the log, passed each stage, and are done; all on one clock.
import { INK } from '../_static/stage/colours.js';
import { TAPE_HEIGHT, backdrop, tape } from '../_static/stage/pipeline-tape.js';
import { grouped } from '../_static/quantity.js';

const BESIDE = -tape(0).width; // px, for the words beside the time: here there are none

/** @type {Whole<Pipeline>} */
export const pipeline = {
  tall: TAPE_HEIGHT,
  unit: '',
  length: ({ end }) => end,
  result: ({ end }) => `done in ${grouped(end)} s`,
  draw(trace, width, surface, longest) {
    backdrop(trace, (trace.end / longest) * width + BESIDE, TAPE_HEIGHT, surface);
  },
  foot(width, surface) {
    const words = 'up: marks, 100 in all; right: time, one scale for all';
    surface.put('text', { x: 0, y: 12, fill: INK }, words);
  },
};
