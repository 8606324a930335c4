import assert from 'node:assert/strict';
import { test } from 'node:test';
import { after, before, byNumber, bySecond, countAt, eventAt } from '../../book/_static/animation/events.js';

const BEGINS = Float64Array.of(0, 1, 1, 21, 22); // of four events, the second of which takes no time

test('an event is on from its begin until the next begins', () => {
  assert.deepEqual([-1, 0, 0.9, 1, 20, 21, 22, 99].map((t) => countAt(BEGINS, t)), [0, 1, 1, 3, 3, 4, 5, 5]);
  assert.deepEqual([-1, 0, 0.9, 1, 20, 21, 22, 99].map((t) => eventAt(BEGINS, t)), [0, 0, 0, 2, 2, 3, 3, 3]);
});

test('steps lead to the next begin and to the one before', () => {
  assert.deepEqual([0, 0.5, 1, 21, 22].map((t) => after(BEGINS, t)), [1, 1, 21, 22, 22]);
  assert.deepEqual([0, 0.5, 1, 5, 21, 22].map((t) => before(BEGINS, t)), [0, 0, 1, 1, 1, 21]);
});

test('a moment is the number of its event and how much of that is over, there and back', () => {
  const run = { begins: BEGINS };
  const moments = [[0, 1], [0.25, 1.25], [1, 3], [11, 3.5], [21, 4], [21.5, 4.5], [22, 5]];
  for (const [t, at] of moments) {
    assert.equal(byNumber.atOf(run, t), at);
    assert.equal(byNumber.timeOf(run, at), t);
  }
  assert.deepEqual([-3, 0, 99].map((at) => byNumber.timeOf(run, at)), [0, 0, 22]);
  assert.equal(byNumber.atOf({ begins: Float64Array.of(0, 1, 1) }, 1), 3); // the last takes no time
});

test('by the clock a moment is told to the thousandth', () => {
  assert.equal(bySecond.atOf(null, 1.23456), 1.235);
  assert.equal(bySecond.timeOf(null, 1.235), 1.235);
});
