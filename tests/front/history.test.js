import assert from 'node:assert/strict';
import { test } from 'node:test';
import { History } from '../../book/_static/history.js';

/** @param {number} graphs */
const at = (graphs) => ({ graphs });

test('several changes of one gesture are one step, and the next gesture is another', () => {
  const history = new History();
  history.note(at(1), 'graphs');
  history.note(at(2), 'graphs');
  history.end();
  history.note(at(3), 'graphs');
  assert.deepEqual(history.back(at(4)), at(3));
  assert.deepEqual(history.back(at(3)), at(1));
  assert.equal(history.back(at(1)), undefined);
});

test('a change that was refused is no step', () => {
  const history = new History();
  history.note(at(1), '');
  history.note(at(2), '');
  assert.deepEqual(history.back(at(2)), at(1));
});

test('fifty steps are kept', () => {
  const history = new History();
  for (let n = 0; n < 60; n += 1) history.note(at(n), '');
  let steps = 0, last;
  for (let now = history.back(at(99)); now; now = history.back(now)) [steps, last] = [steps + 1, now.graphs];
  assert.deepEqual([steps, last], [50, 10]);
});
