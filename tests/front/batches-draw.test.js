import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batches } from '../../book/_static/stage/batches.js';
import { markup } from '../../book/_static/stage/surface.js';
import { SECONDS, commitStage, runs } from './batch-runs.js';
import { draws, labels, touching } from './drawings.js';

const SIZES = [340, 536, 688];

/** @param {BatchesState} state @param {number} width */
function drawn(state, width) {
  const tall = batches.height(width);
  return markup((surface) => {
    batches.backdrop(state.trace, width, tall, surface);
    batches.moving(state, width, tall, surface);
  });
}

test('forward, backward and jumped to, a time shows the same', () => {
  const { trace } = commitStage;
  const seen = (/** @type {number} */ t) => {
    const state = batches.state(trace, t);
    return batches.sentence(state) + drawn(state, 536);
  };
  const jumps = draws(20).map((share) => share * SECONDS), there = jumps.map(seen);
  const order = [...jumps.keys()].sort((a, b) => jumps[a] - jumps[b]);
  for (const n of [...order, ...order.reverse()]) assert.equal(seen(jumps[n]), there[n]);
});

test('a bar is as long as it is since its client asked', () => {
  const { trace } = commitStage, state = batches.state(trace, 20);
  const ends = [...drawn(state, 688).matchAll(/M[\d.]+ ([\d.]+)H([\d.]+)/g)].map(([, y, x]) => [Number(y), Number(x)]);
  for (const [client, row] of state.rows.entries()) {
    const level = Math.round(10 * (40 + (client + 0.5) * 3.6)) / 10;
    const longest = Math.max(...ends.filter(([y]) => y === level).map(([, x]) => x));
    const since_s = 20 - trace.begin_s[trace.asked[row]];
    assert.ok(Math.abs(longest - (20 + (since_s / 13) * (688 - 120 - 20))) < 0.06);
  }
});

/** @param {Batches} trace @param {number} t @param {number} width */
function holdLabels(trace, t, width) {
  const found = labels(drawn(batches.state(trace, t), width)).filter(({ words }) => words);
  assert.ok(found.length > 10);
  const out = found.filter(({ size, x, y }) => size < 12 || x <= -4 || y > batches.height(width));
  assert.deepEqual([out, touching(found)], [[], []]);
}

test('labels stand apart at all sizes', () => {
  for (const { trace } of runs) {
    for (const share of draws(20)) SIZES.forEach((width) => holdLabels(trace, share * SECONDS, width));
  }
});
