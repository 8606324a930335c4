import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAt, scaleFor, shareOf } from '../../book/_static/page/dial.js';

const NAMES = ['rrd.slowdown-after-overflow', 'rdu.both-response', 'a', 'b'];
const ANSWERS = [1e-4, 0.02, 1, 1.131, 9.99, 10, 20, 29, 541.6, 7632, 90_000, 1e9];

test('an answer is on its scale, not at an end', () => {
  for (const name of NAMES) {
    for (const answer of ANSWERS) {
      const share = shareOf(answer, scaleFor(answer, name));
      assert.ok(share > 0.15 && share < 0.8, `${name}: ${answer} at ${share}`);
    }
  }
});

test('where an answer is on its scale depends on the name of the question', () => {
  assert.notDeepEqual(scaleFor(4000, 'a'), scaleFor(4000, 'b'));
});

test('where tens are counted, the scale does not begin below one', () => {
  for (const name of NAMES) assert.ok(scaleFor(12, name).low >= 0);
});

test('a number set on the scale has two digits and leads back to its place', () => {
  const scale = { low: 3, high: 6 };
  assert.deepEqual([0, 0.5, 1].map((share) => numberAt(share, scale)), [1000, 32_000, 1e6]);
  for (let share = 0; share <= 1; share += 0.05) {
    assert.ok(Math.abs(shareOf(numberAt(share, scale), scale) - share) < 0.01);
  }
});

test('the greater of two numbers is further right, and numbers beyond the scale are at its ends', () => {
  const scale = { low: 0, high: 3 };
  assert.ok(shareOf(5, scale) < shareOf(20, scale));
  assert.deepEqual([1e-6, 1e12].map((value) => shareOf(value, scale)), [0, 1]);
});
