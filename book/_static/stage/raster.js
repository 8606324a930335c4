// Chapter 3's second stage: every write of three scans, a pixel each, at the size of the report.
import { byNumber } from './events.js';
import { frames, height, moving, picture } from './raster-draw.js';
import { prepare, sentence, state } from './raster-state.js';
import { backdrop } from './raster-tape.js';
import { now, tape } from './scan-tape.js';

/** @type {Machine<Raster, RasterState>} */
export const raster = {
  prepare, state, sentence, height, tape,
  backdrop(trace, width, tall, surface) {
    backdrop(trace, width, tall, surface);
    frames(trace, width, surface);
  },
  moving(at, width, tall, surface) {
    now(at, width, tall, surface);
    moving(at, width, surface);
  },
  scene: (at, width, tall, surface) => picture(at, width, surface),
  ...byNumber,
  measure: 'row',
  words: { start: 'To the start, cold', event: 'row' },
  begins: ({ begins }) => begins,
  round: ({ scan, row, trace }, { begins, rows }) => begins[scan * rows + Math.min(rows - 1, row - scan * trace.rows)],
  rule: ({ cost }) => `a miss takes ${cost}`,
  pace: [
    { each: 1e4, words: '10,000 hits a second' },
    { each: 4e4, words: '40,000 hits a second' },
    { each: 1.6e5, words: '160,000 hits a second' },
  ],
};
