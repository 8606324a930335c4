import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evidence } from '../../book/_static/curve/evidence.js';
import { frame } from '../../book/_static/curve/scales.js';
import { GRAPHS, PLOTTED, SCHEME, shapes } from './curves.js';

const ROW = {
  label: 'Slowdown', output: 'slowdown', settings: { graphs: 40_000, scheme: 'lru' }, value: 20, resolution: 10,
  relation: '=', published_text: '20', unit: '1', digits: 2, status: 'calibrated', remark: '',
};
const PLACE = { x: 40_000, y: 20, low: 15, high: 25, way: 0 };
const CASE = {
  defaults: { graphs: 40_000, scheme: 'lru' },
  parameters: [GRAPHS, SCHEME], rows: [ROW, { ...ROW, relation: 'at least' }, { ...ROW, output: 'other' }],
};

test('a published number holds where its conditions, but for the place on the axis, are those of the curve', () => {
  const view = { x: 'graphs', y: 'slowdown' };
  const [here, bound] = evidence(CASE, view, { graphs: 1000, scheme: 'lru' });
  const { x, y, low, high, way, holds, short } = here;
  assert.deepEqual({ x, y, low, high, way, holds, short }, { ...PLACE, holds: true, short: '' });
  assert.equal(bound.way, 1);
  const [elsewhere] = evidence(CASE, view, { graphs: 1000, scheme: 'opt' });
  assert.deepEqual([elsewhere.holds, elsewhere.short], [false, 'oldest first']);
  assert.equal(elsewhere.told, 'Published: Slowdown, 20 (calibrated), for oldest first');
});

test('a number that nothing was fitted to has a bar of what the digits allow the model', () => {
  const allowed = { allowed: /** @type {[number, number]} */ ([17, 21]), allowed_text: '17.0 to 21.0' };
  const rows = [{ ...ROW, ...allowed }];
  const [item] = evidence({ ...CASE, rows }, { x: 'graphs', y: 'slowdown' }, { graphs: 1000, scheme: 'lru' });
  assert.match(item.told, /The digits allow the model 17\.0 to 21\.0$/);
  const plot = frame(PLOTTED.axes, 560, 260);
  const bar = shapes({ ...PLOTTED, evidence: [item] }, 560).find(({ attributes }) => attributes.class === 'allowed');
  assert.equal(bar?.attributes.d, `M${plot.x(40_000)} ${plot.y(21)}V${plot.y(17)}`);
});
