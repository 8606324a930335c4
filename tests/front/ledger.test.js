import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSort, selectLines, toCsv, USUAL } from '../../book/_static/ledger/view.js';

const LINES = [
  { text: 'slowdown lru', record: { label: 'n 10', chapter: 3, status: 'predicted', error: -0.5, agrees: false } },
  { text: 'rate', record: { label: 'n 9', chapter: 1, status: 'calibrated', error: 0.1, agrees: true } },
  { text: 'mean rate', record: { label: 'N 1', chapter: 1, status: 'unexplained', error: null, agrees: null } },
  { text: 'batches', record: { label: 'n 100', chapter: 2, status: 'predicted', error: 0, agrees: true } },
];

/** @param {Partial<import('../../book/_static/ledger/view.js').View>} view */
function labels(view) {
  return selectLines(LINES, { ...USUAL, ...view }).map(({ record }) => record.label);
}

test('without a choice all lines are shown in their order', () => {
  assert.deepEqual(labels({}), ['n 10', 'n 9', 'N 1', 'n 100']);
});

test('filters by status, chapter and words are combined', () => {
  assert.deepEqual(labels({ status: 'predicted' }), ['n 10', 'n 100']);
  assert.deepEqual(labels({ chapter: '1' }), ['n 9', 'N 1']);
  assert.deepEqual(labels({ text: 'RATE' }), ['n 9', 'N 1']);
  assert.deepEqual(labels({ chapter: '1', text: 'mean', status: 'unexplained' }), ['N 1']);
  assert.deepEqual(labels({ chapter: '2', text: 'mean' }), []);
});

test('a misfit is a number that should agree and does not, not one without a model', () => {
  assert.deepEqual(labels({ status: 'misfits' }), ['n 10']);
});

test('numbers within words are sorted as numbers', () => {
  assert.deepEqual(labels({ sort: 'label' }), ['N 1', 'n 9', 'n 10', 'n 100']);
  assert.deepEqual(labels({ sort: '-label' }), ['n 100', 'n 10', 'n 9', 'N 1']);
});

test('errors are sorted by size; lines without one are last in both directions', () => {
  assert.deepEqual(labels({ sort: 'error' }), ['n 100', 'n 9', 'n 10', 'N 1']);
  assert.deepEqual(labels({ sort: '-error' }), ['n 10', 'n 9', 'n 100', 'N 1']);
});

test('equal lines keep their order, up and down', () => {
  assert.deepEqual(labels({ sort: 'chapter' }), ['n 9', 'N 1', 'n 100', 'n 10']);
  assert.deepEqual(labels({ sort: '-chapter' }), ['n 10', 'n 100', 'n 9', 'N 1']);
});

test('a header sorts up, then down, then not at all; errors the greatest first', () => {
  assert.deepEqual(['', 'unit', '-unit', 'error'].map((sort) => nextSort(sort, 'unit')), ['unit', '-unit', '', 'unit']);
  assert.deepEqual(['', '-error', 'error'].map((sort) => nextSort(sort, 'error')), ['-error', 'error', '']);
});

test('CSV is as Python writes it: quotes where needed, True and False, nothing for null', () => {
  const records = [{ a: 'x, "y"', b: true, c: null }, { a: 'two\nlines', b: false, c: 0.1 }];
  assert.equal(toCsv(records, ['b', 'a', 'c']), 'b,a,c\r\nTrue,"x, ""y""",\r\nFalse,"two\nlines",0.1\r\n');
});
