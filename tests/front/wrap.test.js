import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, wrapped } from '../../book/_static/wrap.js';

const LEGEND = { stroke: 'colour' };
const SCALES = [{ name: 'colour', domain: ['least recently used', 'most recently used', 'segmented'] }];

/** @param {Partial<Spec>} changes */
function spec(changes) {
  return { data: [], scales: SCALES, height: 200, ...changes };
}

test('a text that fits stays a text', () => {
  assert.equal(lines('Batches a second', 400), 'Batches a second');
});

test('a text that does not fit is broken between words, and no word is lost', () => {
  const made = lines('Mean response time of the requests that came in time', 150);
  assert.ok(Array.isArray(made) && made.length > 1);
  assert.ok(made.every((line) => line.length * 7.2 <= 150));
  assert.equal(made.join(' '), 'Mean response time of the requests that came in time');
});

test('a word longer than its line stands alone', () => {
  assert.deepEqual(lines('a telecommunications b', 10), ['a', 'telecommunications', 'b']);
});

test('an upright axis has the height for its title, the other the width beside it', () => {
  const title = 'Requests that were answered in time';
  const axes = ['left', 'bottom'].map((orient) => ({ orient, title }));
  const [left, bottom] = wrapped(spec({ axes, height: 1000 }), 200).axes ?? [];
  assert.equal(left.title, title);
  assert.ok(Array.isArray(bottom.title));
});

test('an axis whose title is computed is left as it is', () => {
  const axes = [{ orient: 'left', title: { signal: 'words' } }];
  assert.deepEqual(wrapped(spec({ axes }), 200).axes, axes);
});

test('a legend has as many columns as have room, and the chart grows by its rows', () => {
  const wide = wrapped(spec({ legends: [LEGEND] }), 1000);
  assert.deepEqual([wide.legends[0].columns, wide.height], [3, 200]);
  const narrow = wrapped(spec({ legends: [LEGEND] }), 300);
  assert.deepEqual([narrow.legends[0].columns, narrow.height], [1, 232]);
});

test('a legend keeps to fewer columns where it was told to', () => {
  const made = wrapped(spec({ legends: [{ ...LEGEND, columns: 2 }] }), 1000);
  assert.equal(made.legends[0].columns, 2);
});

test('several legends stand one above the other', () => {
  const { config } = wrapped(spec({ legends: [LEGEND, LEGEND], config: { legend: { padding: 3 } } }), 1000);
  assert.deepEqual(config?.legend, { padding: 3, layout: { top: { direction: 'vertical' } } });
});

test('the specification itself stays as it was', () => {
  const given = spec({ title: { text: 'A long title of many words' }, legends: [LEGEND] });
  const before = structuredClone(given);
  wrapped(given, 100);
  assert.deepEqual(given, before);
});

test('labels at the ends of an axis are not pushed towards their neighbours', () => {
  const pushed = { data: [], scales: [], axes: [{ orient: 'bottom', labelFlush: true }, { orient: 'left' }] };
  assert.deepEqual(wrapped(pushed, 340).axes, [{ orient: 'bottom', labelFlush: false }, { orient: 'left' }]);
});
