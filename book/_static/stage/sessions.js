// Chapter 6's second stage: ten neighbours, whose hold timers burn down while the loop is busy.
import { bySecond } from './events.js';
import { bars, frames, height } from './sessions-draw.js';
import { prepare, sentence, state } from './sessions-state.js';
import { backdrop, now, tape } from './sessions-tape.js';

/** @type {Machine<Sessions, SessionsState>} */
export const sessions = {
  prepare, state, sentence, height, tape,
  backdrop(trace, width, tall, surface) {
    backdrop(trace, width, tall, surface);
    frames(trace, width, surface);
  },
  moving(at, width, tall, surface) {
    now(at, width, tall, surface);
    bars(at, width, surface);
  },
  scene() {}, // all of it moves
  ...bySecond,
  measure: 'second',
  words: { start: 'To the start', event: 'event' },
  begins: ({ begins }) => begins,
  round: ({ t }, { begins }) => Math.min(t, begins[begins.length - 1]),
  rule: () => '',
  pace: [
    { each: 1, words: '1 s here is 1 s' },
    { each: 5, words: '1 s here is 5 s' },
    { each: 20, words: '1 s here is 20 s' },
  ],
};
