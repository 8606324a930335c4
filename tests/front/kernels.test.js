import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { asArray, asWord, double, KernelError, slots } from '../../book/_static/engine/kernels.js';
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';
import { builtKernels } from './built.js';

const kernels = builtKernels('replication');

test('a two-dimensional array comes back in its shape: a line of three servers, computed by hand', () => {
  const services = [[2, 1, 3], [1, 4, 1], [2, 2, 2], [1, 1, 1]], rooms = new BigInt64Array([9n, 9n]);
  const table = { data: Float64Array.from(services.flat()), shape: [4, 3] };
  const [{ data, shape }] = /** @type {{ data: Float64Array, shape: number[] }[]} */ (
    kernels.call('tandem.departures', [table, rooms]));
  assert.deepEqual(shape, [4, 3]);
  // Each leaves a server when it is served there: after who was before it, and after it came.
  assert.deepEqual([...data], [2, 3, 6, 3, 7, 8, 5, 9, 11, 6, 10, 12]);
});

/** A pickled exception as a kernel leaves it: its strings, each with its length.
 * @param {string} text */
function refusalOf(text) {
  const strings = ['builtins', 'ValueError', ...text ? [text] : []].map((each) => new TextEncoder().encode(each));
  const bytes = Uint8Array.from(strings.flatMap((each) => [0x8c, each.length, ...each, 0x94]));
  const at = kernels.allocate(bytes.length), place = kernels.allocate(16);
  new Uint8Array(kernels.wasm.memory.buffer, at, bytes.length).set(bytes);
  kernels.words(place, 2).set([at, bytes.length].map(BigInt));
  return kernels.refusal(place);
}

test('a refusing kernel is quoted, and a lack of memory is reported in a sentence', () => {
  assert.equal(refusalOf('cap = 3: must be at least 4'), 'cap = 3: must be at least 4');
  assert.equal(refusalOf(''), 'builtins.ValueError');
  const full = 'The simulation needs more memory than it is allowed to use.';
  assert.equal(refusalOf('Allocation failed (probably too large).'), full);
});

test('arrays larger than the memory or its addresses are refused, and the kernels go on', () => {
  const start = kernels.wasm.mark(), bound = /needs more memory than it is allowed to use/;
  for (const bytes of [2 ** 31, 2 ** 32 - 8, 2 ** 32, 2 ** 32 + 8, 2 ** 53]) {
    assert.throws(() => kernels.allocate(bytes), bound, String(bytes));
  }
  assert.equal(kernels.wasm.mark(), start);
  const traced = (/** @type {number} */ batches) => kernels.call(
    'experiment.tandem_trace', [1, false, 3, batches, 1, 1, 1, 1, 1]);
  for (const batches of [10 ** 8, 10 ** 12, 10 ** 15]) assert.throws(() => traced(batches), bound, String(batches));
  assert.equal(/** @type {Float64Array[]} */ (traced(25))[0].length, 4 * 25);
});

const [NUMBER, INTEGER, TRUTH, LIST, RECORDS, TABLE] = slots('f8 i8 b1 f8[:] V24[:] i8[:,:]');

test('the words of an entry are its slots', () => {
  assert.deepEqual(NUMBER, { item: 'f8', dimensions: 0 });
  assert.deepEqual(RECORDS, { item: 'V24', dimensions: 1 });
  assert.deepEqual(TABLE, { item: 'i8', dimensions: 2 });
  assert.deepEqual(slots(''), []);
});

test('a number keeps all its bits, and numbers that are not finite have words', () => {
  for (const one of [0.1, -0, 5e-324, 1e308, Infinity, -Infinity]) {
    assert.ok(Object.is(double(asWord(one, NUMBER, 0)), one));
  }
  assert.equal(double(asWord('-Infinity', NUMBER, 0)), -Infinity);
  assert.ok(Number.isNaN(double(asWord('NaN', NUMBER, 0))));
  assert.equal(asWord(-3, INTEGER, 0), -3n);
  assert.equal(asWord(2n ** 64n - 1n, INTEGER, 0), 2n ** 64n - 1n);
  assert.equal(asWord(-(2n ** 63n), INTEGER, 0), -(2n ** 63n));
  assert.equal(asWord(true, TRUTH, 0), 1n);
});

test('what is not a number is refused, with its position', () => {
  for (const odd of ['', '1', 'infinity', null, undefined, true, [], {}, 3n]) {
    assert.throws(() => asWord(/** @type {any} */ (odd), NUMBER, 0), KernelError, String(odd));
  }
  for (const odd of [0.5, NaN, Infinity, 2 ** 53, 2n ** 64n, -(2n ** 63n) - 1n, '1', null, []]) {
    const sentence = /^Error: Argument 3 = .*: must be a 64-bit integer\.$/;
    assert.throws(() => asWord(/** @type {any} */ (odd), INTEGER, 2), sentence, String(odd));
  }
});

test('a list becomes an array of its type', () => {
  assert.deepEqual(asArray([0.5, 'Infinity'], LIST, 0), { data: new Float64Array([0.5, Infinity]), shape: [2] });
  assert.deepEqual(asArray([1, 2], slots('i8[:]')[0], 0).data, new BigInt64Array([1n, 2n]));
  assert.deepEqual(asArray([3], slots('i4[:]')[0], 0).data, new Int32Array([3]));
  assert.deepEqual(asArray([true], slots('b1[:]')[0], 0).data, new Uint8Array([1]));
  assert.deepEqual(asArray([], LIST, 0).shape, [0]);
});

test('an array shorter than its shape is refused, because it would be read past its end', () => {
  const data = new BigInt64Array(6);
  assert.deepEqual(asArray({ data, shape: [2, 3] }, TABLE, 0).shape, [2, 3]);
  for (const shape of [[2, 4], [2, 2], [6], [-2, -3], [0.5, 12], [2, 3, 1], [], 'ab', [NaN, 1]]) {
    const odd = /** @type {any} */ ({ data, shape });
    assert.throws(() => asArray(odd, TABLE, 0), /must be a 2-dimensional array of i8 whose length/, String(shape));
  }
  const bytes = new Uint8Array(48);
  assert.equal(asArray({ data: bytes, shape: [2] }, RECORDS, 0).data, bytes);
  assert.throws(() => asArray({ data: bytes, shape: [3] }, RECORDS, 0), KernelError);
});

test('an array of another type is refused, and so is anything else', () => {
  const others = [new Int32Array(2), new BigInt64Array(2), 3, 'ab', null, undefined, {}, { shape: [1] }, ['x'], [null]];
  for (const odd of others) {
    assert.throws(() => asArray(/** @type {any} */ (odd), LIST, 0), KernelError, String(odd));
  }
});

/** @typedef {{ globals: { get(name: string): (...values: any[]) => any } }} Scope */

const KERNELS = fs.readFileSync('tunables/page/kernels.py', 'utf8');

/** @param {(entry: string, values: string) => string} kernel */
async function calling(kernel) {
  const engine = await loadMicroPython({ url: '' });
  engine.registerJsModule('tunables_kernels', { call: kernel });
  engine.runPython(`${KERNELS}
def words(entry, text):
    return repr(call(entry, json.loads(text)))
def endless():
    return repr(call("x", [float("inf"), -float("inf")]))
def listed():
    return repr(call("x", [2, [0.5, float("inf")], []]))
`);
  return /** @type {Scope} */ (/** @type {unknown} */ (engine)).globals;
}

test('numbers cross to a kernel and back with every bit, even those that JSON cannot express', async () => {
  const exact = [0.1, 1e-310, 1.7976931348623157e308, 5e-324, 2 ** 53, -0.30000000000000004, true];
  const scope = await calling((entry, values) => JSON.stringify({ numbers: JSON.parse(values) }));
  const back = scope.get('words')('x', JSON.stringify(exact)).slice(1, -1).split(', ');
  assert.deepEqual(back.slice(0, -1).map(Number), exact.slice(0, -1));
  assert.equal(back.at(-1), 'True');
  assert.equal(scope.get('endless')(), '(inf, -inf)');
});

test('a single number comes as a number, and a refusal as a ValueError', async () => {
  const one = await calling(() => '{"numbers": [2.5]}');
  assert.equal(one.get('words')('x', '[]'), '2.5');
  const refusing = await calling(() => '{"refusal": "cap = 3: must be more"}');
  assert.throws(() => refusing.get('words')('x', '[]'), /ValueError: cap = 3: must be more/);
});

test('a list crosses as a list, even with numbers that JSON cannot express', async () => {
  /** @type {unknown[]} */
  const heard = [];
  const scope = await calling((entry, values) => {
    heard.push(...JSON.parse(values));
    return '{"numbers": [1]}';
  });
  scope.get('listed')();
  assert.deepEqual(heard, [2, [0.5, 'Infinity'], []]);
});
