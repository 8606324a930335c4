// Chapter 1's second stage: clients who commit, and who shares a flush.
import { axes, height, machine } from './committers-draw.js';
import { prepare, sentence, state } from './committers-state.js';
import { backdrop, now, tape } from './committers-tape.js';
import { bySecond } from './events.js';

/** @type {Machine<Commits, CommitsState>} */
export const committers = {
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
  measure: 'ms', // as the clock counts
  words: { start: 'To the start, when all commit', event: 'flush' },
  begins: ({ begins }) => begins,
  round: ({ t }) => t,
  rule: () => '',
  pace: [2, 10, 50].map((each) => ({ each, words: `${each} ms a second` })),
};
