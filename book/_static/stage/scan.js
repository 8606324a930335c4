// Chapter 3's stage: a scan over a few files, and a cache that they may not fit into.
import { byNumber } from './events.js';
import { height, machine, reading } from './scan-draw.js';
import { prepare, sentence, state } from './scan-state.js';
import { backdrop, now, tape } from './scan-tape.js';

/** @type {Machine<Scan, ScanState>} */
export const scan = {
  prepare, state, sentence, height, tape, backdrop,
  moving(at, width, tall, surface) {
    now(at, width, tall, surface);
    reading(at, width, tall, surface);
  },
  scene: machine,
  ...byNumber,
  measure: 'request',
  words: { start: 'To the start, cold', event: 'request' },
  begins: ({ begins }) => begins,
  round: (at, { begins, files, length }) => begins[Math.min(length - 1, at.scan * files)],
  rule: ({ cost }) => `a miss takes ${cost}`,
  pace: [
    { each: 5, words: '5 hits a second' },
    { each: 20, words: '20 hits a second' },
    { each: 80, words: '80 hits a second' },
  ],
};
