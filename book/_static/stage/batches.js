// Chapter 1's stage: fifty clients, and what each has done since it asked.
import { bySecond } from './events.js';
import { axes, height, machine } from './batches-draw.js';
import { sentence, state } from './batches-state.js';
import { backdrop, now, tape } from './batches-tape.js';
import { prepare } from './batches-trace.js';

/** @type {Machine<Batches, BatchesState>} */
export const batches = {
  prepare, state, sentence, height, tape,
  backdrop(trace, width, tall, surface) {
    axes(trace, width, surface);
    backdrop(trace, width, tall, surface);
  },
  moving(at, width, tall, surface) {
    now(at, width, tall, surface);
    machine(at, width, surface);
  },
  scene() {}, // all of it moves
  ...bySecond,
  measure: 'second',
  words: { start: 'To the start, when all ask', event: 'event of client 1' },
  begins: ({ watched_s }) => watched_s,
  round: ({ t }) => t,
  rule: () => 'steps follow client 1',
  pace: [
    { each: 0.5, words: '½ s a second' },
    { each: 2, words: '2 s a second' },
    { each: 8, words: '8 s a second' },
  ],
};
