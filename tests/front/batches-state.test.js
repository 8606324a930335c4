import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batches } from '../../book/_static/stage/batches.js';
import { after, before } from '../../book/_static/stage/events.js';
import { SECONDS, commitStage, near, replayed, runs, timeIn, twoCaps } from './batch-runs.js';
import { draws } from './drawings.js';

const RECENT = 50;
const same = (/** @type {number} */ a, /** @type {number} */ b) => near(a, b) || (Number.isNaN(a) && Number.isNaN(b));

/** @param {number[] | null} [numbers] */
const sorted = (numbers) => [...numbers ?? []].sort((a, b) => a - b);

/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** @param {BatchesState} state @param {ReturnType<typeof replayed>} truth */
function holdClients({ trace, rows, counts }, { clients }) {
  for (const [client, { does, asked_s, took_s }] of clients) {
    const row = rows[client];
    assert.deepEqual([trace.does[row], trace.client[row]], [does, client]);
    assert.ok(near(trace.begin_s[trace.asked[row]], asked_s));
    assert.ok(same(trace.took_s[row], took_s));
  }
  const doing = [...clients.values()].map(({ does }) => does);
  assert.deepEqual(counts, [0, 1, 2, 3, 4].map((does) => doing.filter((one) => one === does).length));
  assert.equal(mean(counts) * counts.length, trace.clients); // nobody is lost
}

/** @param {BatchesState} state @param {ReturnType<typeof replayed>} truth */
function holdAnswers({ answers, mean_s, recent_s }, { took }) {
  assert.equal(answers, took.length);
  assert.ok(same(mean_s ?? NaN, mean(took)));
  assert.ok(same(recent_s ?? NaN, took.length < RECENT ? NaN : mean(took.slice(-RECENT))));
}

test('at 200 times of each run the stage is what a replay from the beginning says', () => {
  for (const { happened, trace } of runs) {
    for (const share of [0.001, ...draws(200), 0.9999]) {
      const t = timeIn(trace, share), state = batches.state(trace, t), truth = replayed(happened, t);
      holdClients(state, truth);
      holdAnswers(state, truth);
      assert.deepEqual(sorted(state.flush?.clients), sorted(truth.flush));
    }
  }
});

test('one flush frees all where the flusher waits for a stuck transaction, and one client under caps', () => {
  const sizes = runs.map(({ trace }) => Math.max(0, ...trace.flushes.map(({ clients }) => clients.length)));
  assert.deepEqual(sizes, [1, 1, 1, 0, 50, 1]);
});

/** @param {BatchesState} state */
function holdSentence(state) {
  const said = batches.sentence(state);
  const told = [...said.matchAll(/(\d+) (?:in the lease|waiting|working|held|between)/g)];
  assert.deepEqual(told.map(([, count]) => Number(count)), state.counts.filter(Boolean));
  const [, ...numbers] = /([\d,]+) answers?: mean ([\d,]+) ms/.exec(said) ?? [];
  const truth = state.answers ? [state.answers, Math.round(1000 * (state.mean_s ?? NaN))] : [];
  assert.deepEqual(numbers.map((number) => Number(number.replace(',', ''))), truth);
}

test('the sentence says what the state holds', () => {
  for (const { trace } of runs) for (const share of draws(40)) holdSentence(batches.state(trace, share * SECONDS));
});

test('steps go to the next event of client 1, and back the same way', () => {
  const { trace } = twoCaps, begins = batches.begins(trace);
  assert.equal(begins[begins.length - 1], SECONDS);
  let t = 0;
  for (let k = 1; k < begins.length; k += 1) t = after(begins, t);
  assert.equal(t, SECONDS);
  for (let k = begins.length - 2; k >= 0; k -= 1) {
    t = before(begins, t);
    assert.equal(trace.begin_s[batches.state(trace, t).rows[0]], t);
  }
});

test('another run goes on at the same time', () => {
  assert.equal(batches.round(batches.state(twoCaps.trace, 12.5), commitStage.trace), 12.5);
});
