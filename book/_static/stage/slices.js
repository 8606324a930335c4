// Chapter 6's stage: an event loop, the slices of its queues, and the timers that wait for them.
import { axis, height, machine, running } from './slices-draw.js';
import { prepare, sentence, state } from './slices-state.js';
import { backdrop, now, tape } from './slices-tape.js';

/** @type {Machine<Slices, SlicesState>} */
export const slices = {
  prepare, state, sentence, height, tape,
  backdrop(trace, width, tall, surface) {
    backdrop(trace, width, tall, surface);
    axis(trace, width, surface);
  },
  moving(at, width, tall, surface) {
    now(at, width, tall, surface);
    running(at, width, surface);
  },
  scene: (at, width, tall, surface) => machine(at, width, surface),
  measure: 'run', // how many are done, and how much of the next, to the thousandth
  timeOf({ begins, runs }, at) {
    const done = Math.min(runs, Math.max(0, Math.floor(at)));
    return done < runs ? begins[done] + (Math.max(0, at - done)) * (begins[done + 1] - begins[done]) : begins[runs];
  },
  atOf(trace, t) {
    const { done, since } = state(trace, t);
    return done < trace.runs ? done + Math.floor((1000 * since) / trace.length[done]) / 1000 : done;
  },
  words: { start: 'To the start', event: 'run' },
  begins: ({ begins }) => begins,
  round: ({ done }, { begins, runs }) => begins[Math.min(runs, done)],
  rule: () => '',
  pace: [
    { each: 10e6, words: '1 s here is 10 ms' },
    { each: 50e6, words: '1 s here is 50 ms' },
    { each: 500e6, words: '1 s here is 500 ms' },
  ],
};
