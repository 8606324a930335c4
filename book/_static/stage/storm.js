// Chapter 2's stage: a server, the line before it, and clients who ask again.
import { bySecond } from './events.js';
import { axis, height, scene } from './storm-draw.js';
import { state } from './storm-state.js';
import { backdrop, now, tape } from './storm-tape.js';
import { prepare } from './storm-trace.js';
import { sentence } from './storm-words.js';

/** @type {Machine<Storm, StormState>} */
export const storm = {
  prepare, state, sentence, height, tape,
  backdrop(trace, width, tall, surface) {
    axis(trace, width, surface);
    backdrop(trace, width, tall, surface);
  },
  moving(at, width, tall, surface) {
    now(at, width, tall, surface);
    scene(at, width, surface);
  },
  scene() {}, // all of it moves
  ...bySecond,
  measure: 'second',
  words: { start: 'To the start', event: 'moment' },
  begins: ({ begins }) => begins,
  round: ({ t }) => t,
  rule: ({ capacity }) => `server: ${capacity} a second`,
  pace: [
    { each: 0.5, words: '½ s a second' },
    { each: 2, words: '2 s a second' },
    { each: 8, words: '8 s a second' },
  ],
};
