import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtKernels } from './built.js';

const kernels = builtKernels('replication');

test('an array in two dimensions comes back in its shape: a line of three servers, by hand', () => {
  const services = [[2, 1, 3], [1, 4, 1], [2, 2, 2], [1, 1, 1]], rooms = new BigInt64Array([9n, 9n]);
  const table = { data: Float64Array.from(services.flat()), shape: [4, 3] };
  const [{ data, shape }] = /** @type {{ data: Float64Array, shape: number[] }[]} */ (
    kernels.call('tandem.departures', [table, rooms]));
  assert.deepEqual(shape, [4, 3]);
  // Each leaves a server when it is served there: after who was before it, and after it came.
  assert.deepEqual([...data], [2, 3, 6, 3, 7, 8, 5, 9, 11, 6, 10, 12]);
});

/** What is told of an exception that a kernel leaves, pickled: its strings, each with its length.
 * @param {string} text */
function told(text) {
  const strings = ['builtins', 'ValueError', ...text ? [text] : []].map((each) => new TextEncoder().encode(each));
  const bytes = Uint8Array.from(strings.flatMap((each) => [0x8c, each.length, ...each, 0x94]));
  const at = kernels.allocate(bytes.length), place = kernels.allocate(16);
  new Uint8Array(kernels.wasm.memory.buffer, at, bytes.length).set(bytes);
  kernels.words(place, 2).set([at, bytes.length].map(BigInt));
  return kernels.refusal(place);
}

test('a kernel is quoted that refuses; where there is no memory left, a sentence says so', () => {
  assert.equal(told('cap = 3: must be at least 4'), 'cap = 3: must be at least 4');
  assert.equal(told(''), 'builtins.ValueError');
  assert.equal(told('Allocation failed (probably too large).'), 'The simulation needs more memory than it may use.');
});

test('what is larger than the memory is refused, also beyond its addresses, and the kernels go on', () => {
  const start = kernels.wasm.mark(), bound = /needs more memory than it may use/;
  for (const bytes of [2 ** 31, 2 ** 32 - 8, 2 ** 32, 2 ** 32 + 8, 2 ** 53]) {
    assert.throws(() => kernels.allocate(bytes), bound, String(bytes));
  }
  assert.equal(kernels.wasm.mark(), start);
  const traced = (/** @type {number} */ batches) => kernels.call(
    'stage_experiment.tandem_trace', [1, false, 3, batches, 1, 1, 1, 1, 1]);
  for (const batches of [10 ** 8, 10 ** 12, 10 ** 15]) assert.throws(() => traced(batches), bound, String(batches));
  assert.equal(/** @type {Float64Array[]} */ (traced(25))[0].length, 4 * 25);
});
