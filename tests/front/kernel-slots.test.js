import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asArray, asWord, double, KernelError, slots } from '../../book/_static/kernel-slots.js';

const [NUMBER, WHOLE, TRUTH, LIST, RECORDS, TABLE] = slots('f8 i8 b1 f8[:] V24[:] i8[:,:]');

test('the words of an entry are its slots', () => {
  assert.deepEqual(NUMBER, { item: 'f8', dimensions: 0 });
  assert.deepEqual(RECORDS, { item: 'V24', dimensions: 1 });
  assert.deepEqual(TABLE, { item: 'i8', dimensions: 2 });
  assert.deepEqual(slots(''), []);
});

test('a number keeps all its bits, and what is not finite has its word', () => {
  for (const one of [0.1, -0, 5e-324, 1e308, Infinity, -Infinity]) {
    assert.ok(Object.is(double(asWord(one, NUMBER, 0)), one));
  }
  assert.equal(double(asWord('-Infinity', NUMBER, 0)), -Infinity);
  assert.ok(Number.isNaN(double(asWord('NaN', NUMBER, 0))));
  assert.equal(asWord(-3, WHOLE, 0), -3n);
  assert.equal(asWord(2n ** 64n - 1n, WHOLE, 0), 2n ** 64n - 1n);
  assert.equal(asWord(-(2n ** 63n), WHOLE, 0), -(2n ** 63n));
  assert.equal(asWord(true, TRUTH, 0), 1n);
});

test('what is no number is refused, and where it stands is told', () => {
  for (const odd of ['', '1', 'infinity', null, undefined, true, [], {}, 3n]) {
    assert.throws(() => asWord(/** @type {any} */ (odd), NUMBER, 0), KernelError, String(odd));
  }
  for (const odd of [0.5, NaN, Infinity, 2 ** 53, 2n ** 64n, -(2n ** 63n) - 1n, '1', null, []]) {
    const told = /^Error: Argument 3 = .*: must be an integer of 64 bits\.$/;
    assert.throws(() => asWord(/** @type {any} */ (odd), WHOLE, 2), told, String(odd));
  }
});

test('a list becomes an array of its kind', () => {
  assert.deepEqual(asArray([0.5, 'Infinity'], LIST, 0), { data: new Float64Array([0.5, Infinity]), shape: [2] });
  assert.deepEqual(asArray([1, 2], slots('i8[:]')[0], 0).data, new BigInt64Array([1n, 2n]));
  assert.deepEqual(asArray([3], slots('i4[:]')[0], 0).data, new Int32Array([3]));
  assert.deepEqual(asArray([true], slots('b1[:]')[0], 0).data, new Uint8Array([1]));
  assert.deepEqual(asArray([], LIST, 0).shape, [0]);
});

test('an array that is shorter than it says would be read past its end, and is refused', () => {
  const data = new BigInt64Array(6);
  assert.deepEqual(asArray({ data, shape: [2, 3] }, TABLE, 0).shape, [2, 3]);
  for (const shape of [[2, 4], [2, 2], [6], [-2, -3], [0.5, 12], [2, 3, 1], [], 'ab', [NaN, 1]]) {
    const odd = /** @type {any} */ ({ data, shape });
    assert.throws(() => asArray(odd, TABLE, 0), /must be an array of i8 in 2 dimensions/, String(shape));
  }
  const bytes = new Uint8Array(48);
  assert.equal(asArray({ data: bytes, shape: [2] }, RECORDS, 0).data, bytes);
  assert.throws(() => asArray({ data: bytes, shape: [3] }, RECORDS, 0), KernelError);
});

test('an array of another kind is refused, and so is none', () => {
  const others = [new Int32Array(2), new BigInt64Array(2), 3, 'ab', null, undefined, {}, { shape: [1] }, ['x'], [null]];
  for (const odd of others) {
    assert.throws(() => asArray(/** @type {any} */ (odd), LIST, 0), KernelError, String(odd));
  }
});
