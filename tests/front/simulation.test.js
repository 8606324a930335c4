import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standIn } from './page.js';

standIn();
const { CANCELLED, NotSimulated, Simulation } = await import('../../book/_static/explorer/simulation.js');

const STATE = { clients: 50 };

/** A host whose runs wait for their answers. */
function slowHost() {
  /** @type {{ state: State, assumptions: State, seed: number, replication: number }[]} */
  const asked = [];
  /** @type {((reply: any) => void)[]} */
  const waiting = [];
  /** @type {string[]} */
  const ended = [];
  let opened = 0;
  const ask = (/** @type {any} */ { simulate }) => {
    asked.push(simulate);
    return new Promise((resolve) => waiting.push(resolve));
  };
  const simulation = () => {
    opened += 1;
    return { ask, end: (/** @type {string} */ what) => ended.push(what) };
  };
  const host = /** @type {any} */ ({ simulation });
  return { host, asked, waiting, ended, opens: () => opened };
}

/** A simulation that needs three runs, which are answered when the test says so. */
function begun(needed = 3) {
  const { host, waiting, ...noted } = slowHost();
  /** @type {[number, number][]} */
  const told = [];
  const simulation = new Simulation(host, /** @type {any} */ ({}));
  const answer = async (/** @type {any} */ reply = {}) => {
    waiting.shift()?.({ needed, intervals: { x: [noted.asked.length, 0] }, texts: {}, predicted: {}, ...reply });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const run = (/** @type {object} */ more = {}) => simulation.run(
    { state: STATE, seed: 7, ...more },
    (_, done, count) => told.push([done, count]),
  );
  return { ...noted, simulation, run, answer, told };
}

test('nothing is opened before the first run; then replications are asked for one after the other', async () => {
  const { run, asked, answer, told, opens } = begun();
  assert.equal(opens(), 0);
  const running = run();
  assert.deepEqual(asked, [{ state: STATE, assumptions: {}, seed: 7, replication: 0 }]);
  for (let i = 0; i < 3; i += 1) await answer();
  assert.deepEqual((await running).intervals, { x: [3, 0] });
  assert.deepEqual(asked.map(({ replication }) => replication), [0, 1, 2]);
  assert.deepEqual(told, [[1, 3], [2, 3], [3, 3]]);
  run();
  assert.equal(opens(), 1);
});

test('it runs as often as requested, but only once without randomness', async () => {
  const often = begun();
  const running = often.run({ replications: 5 });
  for (let i = 0; i < 5; i += 1) await often.answer();
  await running;
  assert.deepEqual(often.told.at(-1), [5, 5]);
  const once = begun(1);
  const alone = once.run({ replications: 5 });
  await once.answer();
  await alone;
  assert.deepEqual(once.told, [[1, 1]]);
});

test('cancelled, it ends at once, reports nothing more, and can run again', async () => {
  const { simulation, run, answer, ended, told } = begun(2);
  const running = run();
  await answer();
  simulation.cancel();
  await assert.rejects(running, new NotSimulated(CANCELLED));
  assert.deepEqual(ended, [CANCELLED]);
  await answer(); // to nobody
  assert.deepEqual(told, [[1, 2]]);
  const again = run();
  await answer();
  await answer();
  assert.deepEqual((await again).needed, 2);
});

test('cancelling ends nothing if nothing runs', async () => {
  const { simulation, run, answer, ended } = begun(1);
  const running = run();
  await answer();
  await running;
  simulation.cancel();
  assert.deepEqual(ended, []);
});

test('a new run stops the one before', async () => {
  const { run, answer, ended } = begun(1);
  const first = run();
  const second = run({ seed: 8 });
  await assert.rejects(first, new NotSimulated(CANCELLED));
  assert.deepEqual(ended, [CANCELLED]);
  await answer();
  await answer();
  assert.equal((await second).needed, 1);
});

test('a refusal is reported in its own words', async () => {
  const { run, answer } = begun();
  const sentence = 'seed = -1: must be a whole number at least 0';
  const refused = assert.rejects(run(), new NotSimulated(sentence));
  await answer({ refusal: sentence });
  await refused;
});
