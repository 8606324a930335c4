import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markup, px } from '../../book/_static/stage/surface.js';

test('what would be markup is text, in words and in attributes', () => {
  const made = markup((surface) => surface.put('text', { x: 1.5, 'aria-label': 'a "b" & <c>' }, 'a "b" & <c>'));
  assert.equal(made, '<text x="1.5" aria-label="a &quot;b&quot; &amp; &lt;c>">a &quot;b&quot; &amp; &lt;c></text>');
});

test('what holds no words is closed at once', () => {
  assert.equal(markup((surface) => surface.put('line', { x1: 0, x2: 9 })), '<line x1="0" x2="9"/>');
});

test('places are told to a tenth of a pixel', () => {
  assert.deepEqual([1.04, 1.05, -3.26, 7].map(px), [1, 1.1, -3.3, 7]);
});
