// Chapter 4's stage: the two lanes of a switch port, and the last packet of a transaction.
import { bySecond } from './events.js';
import { lanes, port as still } from './port-draw.js';
import { axis, elapsed, height, rows } from './port-rows.js';
import { beside, prepare, same, sentence, state } from './port-state.js';
import { backdrop, now, tape } from './port-tape.js';

/** @type {Machine<Port, PortState>} */
export const port = {
  prepare, state, sentence, height, tape,
  backdrop(trace, width, tall, surface) {
    still(trace, width, surface);
    axis(trace, width, surface);
    backdrop(trace, width, tall, surface);
  },
  moving(at, width, tall, surface) {
    now(at, width, tall, surface);
    elapsed(at, width, surface);
    lanes(at, width, surface);
  },
  scene(at, width, tall, surface) {
    rows(at, width, surface);
  },
  ...bySecond,
  measure: 'ms', // as the clock counts
  watches: 'user',
  words: { start: 'To the start', event: 'event' },
  begins: ({ begins }) => begins,
  round: same,
  beside,
  rule: ({ takes }) => `a packet takes ${(Math.max(...takes) / 1000).toFixed(2)} ms`,
  pace: [
    { each: 1, words: '1 ms a second' },
    { each: 5, words: '5 ms a second' },
    { each: 25, words: '25 ms a second' },
    { each: 100, words: '100 ms a second' },
  ],
};
