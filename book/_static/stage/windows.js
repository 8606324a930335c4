// Chapter 5's second stage: TCP's window on two long paths.
import { backdrop, height, now, tape } from './windows-draw.js';
import { prepare, sentence, state } from './windows-state.js';

/** @type {Machine<Windows, WindowState>} */
export const windows = {
  prepare, state, sentence, height, tape, backdrop,
  moving: now,
  scene() {}, // all that changes, changes between rounds too
  measure: 'second',
  timeOf: ({ first_s: from, span_s: span }, at) => Math.min(span, Math.max(0, at - from)),
  atOf: ({ first_s: from }, t) => Math.round((from + t) * 1000) / 1000,
  words: { start: 'To the start', event: 'round trip to TRIUMF' },
  begins: ({ begins }) => begins,
  round: ({ t }) => t,
  rule: () => '',
  pace: [0.5, 2, 8].map((each) => ({ each, words: `${each} s a second` })),
};
