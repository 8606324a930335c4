import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

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

test('numbers cross to a kernel and back with every bit, also those that JSON has no word for', async () => {
  const exact = [0.1, 1e-310, 1.7976931348623157e308, 5e-324, 2 ** 53, -0.30000000000000004, true];
  const scope = await calling((entry, values) => JSON.stringify({ numbers: JSON.parse(values) }));
  const back = scope.get('words')('x', JSON.stringify(exact)).slice(1, -1).split(', ');
  assert.deepEqual(back.slice(0, -1).map(Number), exact.slice(0, -1));
  assert.equal(back.at(-1), 'True');
  assert.equal(scope.get('endless')(), '(inf, -inf)');
});

test('one number comes alone, and a refusal as a ValueError', async () => {
  const one = await calling(() => '{"numbers": [2.5]}');
  assert.equal(one.get('words')('x', '[]'), '2.5');
  const refusing = await calling(() => '{"refusal": "cap = 3: must be more"}');
  assert.throws(() => refusing.get('words')('x', '[]'), /ValueError: cap = 3: must be more/);
});

test('a list crosses as one, with what JSON has no word for in it', async () => {
  /** @type {unknown[]} */
  const heard = [];
  const scope = await calling((entry, values) => {
    heard.push(...JSON.parse(values));
    return '{"numbers": [1]}';
  });
  scope.get('listed')();
  assert.deepEqual(heard, [2, [0.5, 'Infinity'], []]);
});
