// Chapter 5's stage: four stages of a replication, and what waits between them.
import { bySecond } from './events.js';
import { boxes, height, key, machine } from './pipeline-draw.js';
import { MARKS, prepare, sentence, state } from './pipeline-state.js';
import { grouped } from '../quantity.js';
import { backdrop, now, tape } from './pipeline-tape.js';

/** @type {Machine<Pipeline, PipelineState>} */
export const pipeline = {
  prepare, state, sentence, height, tape,
  backdrop(trace, width, tall, surface) {
    backdrop(trace, width, tall, surface);
    boxes(trace, width, surface);
    key(width, trace, surface);
  },
  moving(at, width, tall, surface) {
    now(at, width, tall, surface);
    machine(at, width, surface);
  },
  scene() {}, // all that changes, changes between events too
  ...bySecond,
  measure: 'second',
  words: { start: 'To the start', event: 'mark' },
  begins: ({ begins }) => begins,
  round: ({ t, trace: { end } }, trace) => (t / end) * trace.end,
  rule: ({ lcrs }) => `mark: ${grouped(lcrs / MARKS)} records`,
  pace: [50, 200, 800].map((each) => ({ each, words: `${each} s a second` })),
};
