import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standIn } from './page.js';

const { shown } = standIn();
const { entriesOf, NOTHING, readChosen } = await import('../../book/_static/audit/link.js');
const fragment = await import('../../book/_static/audit/fragment.js');

const TABLE = '| clients | % |\n|-|-|\n| 8 | 4 & 5 # ü שלום |';

test('a link holds a text with its corrections, and a sample by its name alone', () => {
  const chosen = [{ columns: { 1: 'latency' }, turned: false }];
  const kept = entriesOf('', { text: TABLE, name: 'x.csv', chosen });
  assert.deepEqual([kept.text, kept.name, readChosen(kept.read ?? '')], [TABLE, 'x.csv', chosen]);
  const sample = entriesOf('etcd-reads', { text: TABLE, name: 'x.csv', chosen: [null] });
  assert.deepEqual(sample, { ...NOTHING, sample: 'etcd-reads' });
  assert.deepEqual(entriesOf('', { text: ' \n', name: '', chosen }), NOTHING);
});

test('corrections that are none are left out', () => {
  for (const text of ['', '{', '7', 'null', '{"0":1}', undefined]) assert.deepEqual(readChosen(text), []);
  assert.deepEqual(readChosen('[null, {"columns": {"1": "size", "x": "size", "2": 7}, "turned": "yes"}]'), [
    null,
    { columns: { 1: 'size' }, turned: null },
  ]);
});

test('the address holds a table after the #, which no server is sent, and leaves other fragments alone', () => {
  shown.hash = '#the-laws';
  fragment.write({ 'audit.text': null });
  assert.equal(shown.hash, '#the-laws');
  fragment.write({ 'audit.text': TABLE, 'audit.name': null });
  assert.equal(shown.search, '');
  assert.match(shown.hash, /^#audit\?text=/);
  assert.deepEqual([fragment.read('audit.text'), fragment.readAll()], [TABLE, [['text', TABLE]]]);
  fragment.write({ 'audit.text': null });
  assert.equal(shown.hash, '');
});
