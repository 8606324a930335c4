import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describePlace, indexOnAxis, nearest, stateOfCell } from '../../book/_static/explorer/validity-grid.js';

const WORDS = { label: 'Disorder', short: 'disorder', unit: '', unit_text: '', assumed: null };
const X = { ...WORDS, name: 'graphs', values: [10, 100, 1000], texts: ['10', '100', '1,000'] };
const Y = { ...WORDS, name: 'spread', values: [0, 0.5, 1], texts: ['0', '0.5', '1'] };

test('the nearest value is found by ratios if all values are positive, else by differences', () => {
  assert.deepEqual([20, 40, 200, 400].map((x) => nearest(X.values, x)), [0, 1, 1, 2]);
  assert.deepEqual([0, 0.2, 0.3, 0.8].map((x) => nearest(Y.values, x)), [0, 0, 1, 2]);
});

test('half a step beyond the edge is still on the axis, more is not', () => {
  assert.deepEqual([4, 3, 3100, 3200].map((x) => nearest(X.values, x)), [0, -1, 2, -1]);
  assert.deepEqual([-0.25, -0.3, 1.25, 1.3].map((x) => nearest(Y.values, x)), [0, -1, 2, -1]);
});

test('on an axis without a parameter of the closed form, a state is at the assumed value', () => {
  assert.equal(indexOnAxis({ ...Y, assumed: 0.5 }, { graphs: 10 }), 1);
  assert.equal(indexOnAxis(X, { graphs: 100 }), 1);
});

test('a cell sets both parameters and those off the axes, and names what it cannot set', () => {
  const map = { x: X, y: { ...Y, assumed: 0 }, settings: { scheme: 'lru' } };
  assert.deepEqual(stateOfCell(map, 2, 0), { state: { scheme: 'lru', graphs: 1000 }, missing: [] });
  assert.deepEqual(stateOfCell(map, 0, 2), { state: { scheme: 'lru', graphs: 10 }, missing: ['Disorder'] });
  assert.deepEqual(stateOfCell({ ...map, y: Y }, 0, 2).state, { scheme: 'lru', graphs: 10, spread: 1 });
});

test('a place is described with its unit, if it has one', () => {
  assert.equal(describePlace(Y, 1), 'Disorder: 0.5');
  assert.equal(describePlace({ ...X, unit_text: ' ms' }, 2), 'Disorder: 1,000 ms');
});
