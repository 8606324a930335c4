import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, wrapSpec } from '../../book/_static/chart/vega.js';

const LEGEND = { stroke: 'colour' };
const SCALES = [{ name: 'colour', domain: ['least recently used', 'most recently used', 'segmented'] }];

/** @param {Partial<Spec>} changes */
function spec(changes) {
  return { data: [], scales: SCALES, height: 200, ...changes };
}

test('a text that fits is left as it is', () => {
  assert.equal(lines('Batches a second', 400), 'Batches a second');
});

test('a text that does not fit is broken between words, without losing any', () => {
  const made = lines('Mean response time of the requests that came in time', 150);
  assert.ok(Array.isArray(made) && made.length > 1);
  assert.ok(made.every((line) => line.length * 7.2 <= 150));
  assert.equal(made.join(' '), 'Mean response time of the requests that came in time');
});

test('a word longer than a line has its own line', () => {
  assert.deepEqual(lines('a telecommunications b', 10), ['a', 'telecommunications', 'b']);
});

test('the title of a vertical axis has the height, that of a horizontal one the width beside it', () => {
  const title = 'Requests that were answered in time';
  const axes = ['left', 'bottom'].map((orient) => ({ orient, title }));
  const [left, bottom] = wrapSpec(spec({ axes, height: 1000 }), 200).axes ?? [];
  assert.equal(left.title, title);
  assert.ok(Array.isArray(bottom.title));
});

test('an axis whose title is computed is left as it is', () => {
  const axes = [{ orient: 'left', title: { signal: 'words' } }];
  assert.deepEqual(wrapSpec(spec({ axes }), 200).axes, axes);
});

test('a legend has as many columns as fit, and the chart grows by its rows', () => {
  const wide = wrapSpec(spec({ legends: [LEGEND] }), 1000);
  assert.deepEqual([wide.legends[0].columns, wide.height], [3, 200]);
  const narrow = wrapSpec(spec({ legends: [LEGEND] }), 300);
  assert.deepEqual([narrow.legends[0].columns, narrow.height], [1, 232]);
});

test('a legend keeps a smaller number of columns that it asks for', () => {
  const made = wrapSpec(spec({ legends: [{ ...LEGEND, columns: 2 }] }), 1000);
  assert.equal(made.legends[0].columns, 2);
});

test('several legends are stacked', () => {
  const { config } = wrapSpec(spec({ legends: [LEGEND, LEGEND], config: { legend: { padding: 3 } } }), 1000);
  assert.deepEqual(config?.legend, { padding: 3, layout: { top: { direction: 'vertical' } } });
});

test('the specification itself is not changed', () => {
  const given = spec({ title: { text: 'A long title of many words' }, legends: [LEGEND] });
  const before = structuredClone(given);
  wrapSpec(given, 100);
  assert.deepEqual(given, before);
});

test('the end labels of an axis are not moved towards their neighbours', () => {
  const pushed = { data: [], scales: [], axes: [{ orient: 'bottom', labelFlush: true }, { orient: 'left' }] };
  assert.deepEqual(wrapSpec(pushed, 340).axes, [{ orient: 'bottom', labelFlush: false }, { orient: 'left' }]);
});
