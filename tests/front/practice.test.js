import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standIn } from './page.js';

standIn();
const { parseProblemName } = await import('../../book/_static/page/practice.js');

test('a link names a kind and a number or word, separated by the last dot', () => {
  assert.deepEqual(parseProblemName('zigzag.17'), { kind: 'zigzag', seed: '17' });
  assert.deepEqual(parseProblemName('zigzag.s1234567'), { kind: 'zigzag', seed: 's1234567' });
  assert.deepEqual(parseProblemName('zig.zag.17'), { kind: 'zig.zag', seed: '17' });
});

test('what is not a name is left for Python to refuse', () => {
  assert.deepEqual(parseProblemName('zigzag'), { kind: 'zigzag', seed: '' });
  assert.deepEqual(parseProblemName(''), { kind: '', seed: '' });
});
