import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fieldText, isDirect, labelText, originOf, parseTyped, readingText, toPosition, toValue, valueText,
} from '../../book/_static/explorer/controls.js';

/** @type {Bounds} */
const LINEAR = { low: 10, high: 50, scale: 'linear', integer: false };
/** @type {Bounds} */
const LOG = { low: 0.001, high: 1000, scale: 'log', integer: false };
const RANGES = { LINEAR, LOG };

for (const [name, range] of Object.entries(RANGES)) {
  test(`a slider reaches both ends of its range: ${name}`, () => {
    assert.deepEqual([0, 200].map((position) => toValue(position, range)), [range.low, range.high]);
    assert.deepEqual([range.low, range.high].map((value) => toPosition(value, range)), [0, 200]);
  });

  test(`each position has its own value, which leads back to the position: ${name}`, () => {
    for (let position = 0; position <= 200; position += 1) {
      assert.equal(toPosition(toValue(position, range), range), position);
    }
  });
}

test('the middle of a linear range is its mean, of a logarithmic one its geometric mean', () => {
  assert.deepEqual([toValue(100, LINEAR), toValue(100, LOG)], [30, 1]);
});

test('a value has four significant digits', () => {
  assert.equal(toValue(1, { ...LOG, low: 1 }), 1.035);
});

test('an integer parameter gets integers within its range', () => {
  const range = { ...LOG, low: 1, high: 7, integer: true };
  const values = new Set(Array.from({ length: 201 }, (_, position) => toValue(position, range)));
  assert.deepEqual([...values], [1, 2, 3, 4, 5, 6, 7]);
});

test('rounding never leads out of the range', () => {
  const range = { ...LINEAR, low: 0.12344, high: 0.98766 };
  assert.deepEqual([toValue(0, range), toValue(200, range)], [0.12344, 0.98766]);
});

test('the slider moves by one if the range has few integers, and over its positions otherwise', () => {
  const integer = { ...LINEAR, integer: true };
  assert.ok(isDirect(integer));
  assert.ok(isDirect({ ...integer, low: 0, high: 200 }));
  assert.ok(!isDirect({ ...integer, low: 0, high: 201 }));
  assert.ok(!isDirect({ ...integer, scale: 'log' }));
  assert.ok(!isDirect(LINEAR));
});

test('a field shows its unit, and bytes unscaled; its label does not say the unit again', () => {
  assert.deepEqual([fieldText(0.5, 's'), fieldText(4096, 'B'), fieldText(30, '1/s'), fieldText(40_000, 'graphs')],
    ['500 ms', '4,096 bytes', '30/s', '40,000']);
  assert.equal(valueText({ unit: 'B', choices: [] }, 4096), '4,096 bytes');
  const label = (/** @type {string} */ name, /** @type {string} */ unit) => (
    labelText({ label: name, title: `${name} (${unit})`, unit }));
  assert.equal(label('Timeout of one attempt', 's'), 'Timeout of one attempt');
  assert.equal(label('New requests', '1/s'), 'New requests');
  assert.equal(label('Graphs updated in each scan', 'graphs'), 'Graphs updated in each scan');
  assert.equal(label('Granularity at the start', 'items'), 'Granularity at the start (items)');
});

test('a number typed without a unit has the unit that the field shows', () => {
  assert.equal(parseTyped(' 300 ', 0.5, 's'), '300 ms');
  assert.equal(parseTyped('3', 2, 's'), 3);
  assert.equal(parseTyped('120000', 95_443.7, 'B'), 120_000);
  assert.equal(parseTyped('4', 3.25, 'GiB'), 4);
  assert.equal(parseTyped('2 s', 0.5, 's'), '2 s');
  assert.equal(parseTyped('', 0.5, 's'), '');
});

test('a field says what it read a text as, unless the text says so itself', () => {
  assert.equal(readingText('300', 0.3, 's'), '300 means 300 ms');
  assert.equal(readingText('300', 300, 's'), '300 means 300 s');
  assert.equal(readingText(' 800/s ', 1.25, 'ms'), '800/s means 1.25 ms');
  assert.equal(readingText('40k', 40_000, 'graphs'), '40k means 40,000 graphs');
  for (const [typed, value, unit] of /** @type {[string, number, string][]} */ ([
    ['300 ms', 0.3, 's'], ['300ms', 0.3, 's'], ['40000', 40_000, 'graphs'], ['40,000', 40_000, 'graphs'], ['4', 4, '1'],
  ])) assert.equal(readingText(typed, value, unit), '');
});

test('a control says whose its value is', () => {
  const parameter = /** @type {Parameter} */ ({
    default: 0.5, unit: 's', choices: /** @type {string[]} */ ([]), origin: 'published', source: 'the report, table 1',
  });
  assert.deepEqual(originOf(parameter, 0.5), { status: 'published', words: 'the report, table 1' });
  assert.deepEqual(originOf(parameter, 0.3), { status: 'yours', words: 'instead of 500 ms (published)' });
});
