import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standIn } from './page.js';

standIn();
const { named } = await import('../../book/_static/practice.js');

test('a link names a kind and a number or word, parted by its last dot', () => {
  assert.deepEqual(named('zigzag.17'), { kind: 'zigzag', seed: '17' });
  assert.deepEqual(named('zigzag.s1234567'), { kind: 'zigzag', seed: 's1234567' });
  assert.deepEqual(named('zig.zag.17'), { kind: 'zig.zag', seed: '17' });
});

test('what is no name is left for Python to refuse', () => {
  assert.deepEqual(named('zigzag'), { kind: 'zigzag', seed: '' });
  assert.deepEqual(named(''), { kind: '', seed: '' });
});
