import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batches } from '../../book/_static/animation/batches.js';
import { after, before } from '../../book/_static/animation/events.js';
import { markup } from '../../book/_static/animation/surface.js';
import { builtKernels } from './built.js';
import { assertSameAtEachVisit, draws, labels, touching } from './drawings.js';

/** @import { Batches, BatchColumns, BatchesState } from '../../book/_static/animation/batches.js' */

const SIZES = [294, 340, 358, 536, 600, 664, 728], PHONE_HIGH = 194;
const SECONDS = 64;
const KINDS = { asks: 0, waits: 1, queries: 2, works: 3, held: 4, flushed: 5, answered: 6 };
/** @type {Record<number, number>} */
const DOES = { [KINDS.queries]: 0, [KINDS.waits]: 1, [KINDS.works]: 2, [KINDS.held]: 3, [KINDS.answered]: 4 };
const USUAL = {
  commits: 2, adaptive: false, stuck: 0, clients: 50, max_delay_s: 2, timeout_s: 1, retries: 3,
  base_s: 0.076, think_s: 0.0318, pool_threads: 50, commit_threads: 50,
};
const kernels = builtKernels('group_commit');

/** @typedef {{ time_s: number, kind: number, client: number, detail: number }} Event */

/** @param {typeof USUAL} rules @returns {Event[]} */
function eventsOf(rules) {
  const settings = [20, 3000, ...Object.values(rules), 50000];
  const [, time_s, kind, client, , detail] = kernels.call('experiment.trace_batches', settings);
  const rows = Array.from(/** @type {Float64Array} */ (time_s), (time, n) => {
    const [k, who, what] = [kind, client, detail].map((column) => Number(/** @type {BigInt64Array} */ (column)[n]));
    return { time_s: time, kind: k, client: who, detail: what };
  });
  return rows.filter((one) => one.time_s < SECONDS);
}

/** The events that last, as `play` returns them. @param {Event[]} events @param {typeof USUAL} rules
 * @returns {BatchColumns} */
function columns(events, rules) {
  const lasting = events.filter(({ kind }) => kind in DOES);
  const flushes = events.filter(({ kind }) => kind === KINDS.flushed);
  const flushOf = (/** @type {Event} */ held) => (
    flushes.find((one) => one.client === held.client && one.time_s >= held.time_s)?.detail ?? -1);
  return {
    ...rules, hypothesis: 'two caps', seconds: SECONDS, formula_s: 8.076, exact: true, mean_s: 8.077,
    begin_us: lasting.map(({ time_s }) => Math.round(1e6 * time_s)),
    client: lasting.map(({ client }) => client),
    does: lasting.map(({ kind }) => DOES[kind]),
    flush: lasting.map((one) => (one.kind === KINDS.held ? flushOf(one) : -1)),
  };
}

const runs = [
  {}, { max_delay_s: 0.025 }, { commits: 1, base_s: 0.101, commit_threads: 13 },
  { clients: 5, commits: 0, pool_threads: 3 }, { adaptive: true, stuck: 1, base_s: 0.096 },
  { commits: 1, commit_threads: 13, timeout_s: 0.5, retries: 1 },
].map((changes) => {
  const rules = { ...USUAL, ...changes }, events = eventsOf(rules);
  return { events, trace: batches.prepare(columns(events, rules)) };
});
const [twoCaps, , commitStage] = runs;

/** @typedef {{ does: number, asked_s: number, took_s: number }} Client */

/** What each client has done up to t. @param {Event[]} events @param {number} t */
function replay(events, t) {
  /** @type {Map<number, Client>} */
  const clients = new Map();
  /** @type {number[]} */
  const took = [];
  /** @type {Map<number, number[]>} */
  const freed = new Map();
  /** @type {Record<number, (one: Client, row: Event) => void>} */
  const acts = {
    [KINDS.asks]: (one, { time_s }) => Object.assign(one, { asked_s: time_s }),
    [KINDS.answered](one, { time_s }) {
      Object.assign(one, { took_s: time_s - one.asked_s });
      took.push(one.took_s);
    },
    [KINDS.flushed]: (_, { detail, client }) => freed.set(detail, [...freed.get(detail) ?? [], client]),
  };
  for (const row of events.filter(({ time_s }) => time_s <= t)) {
    const one = clients.get(row.client) ?? { does: -1, asked_s: 0, took_s: NaN };
    acts[row.kind]?.(one, row);
    one.does = DOES[row.kind] ?? one.does;
    clients.set(row.client, one);
  }
  return { clients, took, flush: [...freed.values()].pop() ?? null };
}

const near = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) < 2e-6;

/** A time that is not an event: there the rounding of rows to microseconds would matter.
 * @param {Batches} trace @param {number} share */
function timeIn(trace, share) {
  const t = share * SECONDS;
  return trace.begin_s.some((s) => near(s, t)) ? t + 1e-5 : t;
}

const same = (/** @type {number} */ a, /** @type {number} */ b) => near(a, b) || (Number.isNaN(a) && Number.isNaN(b));

/** @param {number[] | null} [numbers] */
const sorted = (numbers) => [...numbers ?? []].sort((a, b) => a - b);

/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** @param {BatchesState} state @param {ReturnType<typeof replay>} truth */
function assertClients({ trace, rows, counts }, { clients }) {
  for (const [client, { does, asked_s, took_s }] of clients) {
    const row = rows[client];
    assert.deepEqual([trace.does[row], trace.client[row]], [does, client]);
    assert.ok(near(trace.begin_s[trace.asked[row]], asked_s));
    assert.ok(same(trace.took_s[row], took_s));
  }
  const activities = [...clients.values()].map(({ does }) => does);
  assert.deepEqual(counts, [0, 1, 2, 3, 4].map((does) => activities.filter((one) => one === does).length));
  assert.equal(mean(counts) * counts.length, trace.clients); // no client is lost
}

/** @param {BatchesState} state @param {ReturnType<typeof replay>} truth */
function assertAnswers({ answers, mean_s }, { took }) {
  assert.equal(answers, took.length);
  assert.ok(same(mean_s ?? NaN, mean(took)));
}

test('at 200 times of each run the state is that of a replay from the beginning', () => {
  for (const { events, trace } of runs) {
    for (const share of [0.001, ...draws(200), 0.9999]) {
      const t = timeIn(trace, share), state = batches.state(trace, t), truth = replay(events, t);
      assertClients(state, truth);
      assertAnswers(state, truth);
      assert.deepEqual(sorted(state.flush?.clients), sorted(truth.flush));
    }
  }
});

test('one flush frees all clients if the flusher waits for a stuck transaction, and one client under caps', () => {
  const sizes = runs.map(({ trace }) => Math.max(0, ...trace.flushes.map(({ clients }) => clients.length)));
  assert.deepEqual(sizes, [1, 1, 1, 0, 50, 1]);
});

/** @param {BatchesState} state */
function assertSentence(state) {
  const sentence = batches.sentence(state);
  const counts = [...sentence.matchAll(/(\d+) (?:in the lease|waiting|working|held|between)/g)];
  assert.deepEqual(counts.map(([, count]) => Number(count)), state.counts.filter(Boolean));
  const [, ...numbers] = /Mean of ([\d,]+) answers?: ([\d,]+) ms/.exec(sentence) ?? [];
  const truth = state.answers ? [state.answers, Math.round(1000 * (state.mean_s ?? NaN))] : [];
  assert.deepEqual(numbers.map((number) => Number(number.replace(',', ''))), truth);
}

test('the sentence describes the state', () => {
  for (const { trace } of runs) for (const share of draws(40)) assertSentence(batches.state(trace, share * SECONDS));
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

test('the numbers above the drawing are the mean so far, that of the closed form, and the answers', () => {
  const [early, late] = [2, 30].map((t) => batches.figures?.(batches.state(twoCaps.trace, t)) ?? []);
  assert.deepEqual(early.map(({ value }) => value), ['–', '8,076', '0']);
  assert.deepEqual(late.map(({ label }) => label), early.map(({ label }) => label));
  const { took } = replay(twoCaps.events, 30), numbers = late.map(({ value }) => Number(value.replace(',', '')));
  assert.deepEqual(numbers, [Math.round(1000 * mean(took)), 8076, took.length]);
});

/** @param {BatchesState} state @param {number} width */
function draw(state, width) {
  const tall = batches.height(width);
  return markup((surface) => {
    batches.backdrop(state.trace, width, tall, surface);
    batches.moving(state, width, tall, surface);
  });
}

test('a time shows the same after jumps, forward and backward', () => {
  const { trace } = commitStage;
  assertSameAtEachVisit((t) => {
    const state = batches.state(trace, t);
    return batches.sentence(state) + draw(state, 536);
  }, SECONDS);
});

/** The right end of the longest bar in each row of a drawing, by its height. @param {string} svg */
function barEnds(svg) {
  /** @type {Map<number, number>} */
  const ends = new Map();
  for (const [, y, x] of svg.matchAll(/M[\d.]+ ([\d.]+)H([\d.]+)/g)) {
    ends.set(Number(y), Math.max(Number(x), ends.get(Number(y)) ?? 0));
  }
  return ends;
}

test('a bar is as long as the time since its client asked, for some clients that stand for all', () => {
  const { trace } = commitStage, state = batches.state(trace, 20), { asked } = trace, left = 68;
  const ends = barEnds(draw(state, 664)), scale = (664 - 12 - left) / 13;
  const others = Array.from({ length: 24 }, (_, n) => (
    { client: 1 + Math.floor((n * 49) / 24), y: 62.5 + 6 * n }));
  for (const { client, y } of [{ client: 0, y: 44 }, ...others]) {
    const since_s = 20 - trace.begin_s[asked[state.rows[client]]];
    assert.ok(Math.abs((ends.get(y) ?? 0) - (left + since_s * scale)) < 0.06, `client ${client + 1} at ${y}`);
  }
});

test('on a phone the drawing leaves room for the figures and the buttons', () => {
  for (const width of [294, 358]) assert.ok(batches.height(width) <= PHONE_HIGH);
  for (const width of SIZES) assert.equal(batches.tape(width).width, width);
});

/** @param {Batches} trace @param {number} t @param {number} width */
function assertLabels(trace, t, width) {
  const found = labels(draw(batches.state(trace, t), width)).filter(({ words }) => words);
  assert.ok(found.length > 10);
  const out = found.filter(({ size, x, right, y }) => (
    size < 12 || x < 0 || right > width || y > batches.height(width)));
  assert.deepEqual([out, touching(found)], [[], []]);
}

test('every line and mark has its name, on a phone too', () => {
  const state = batches.state(runs[0].trace, 20);
  for (const width of SIZES) {
    const names = labels(markup((surface) => {
      batches.backdrop(runs[0].trace, width, batches.height(width), surface);
      batches.moving(state, width, batches.height(width), surface);
    })).map(({ words }) => words);
    for (const word of [/answer/, /mean/, /formula/, /held$/]) {
      assert.ok(names.some((name) => word.test(name)), `${word} at ${width} px`);
    }
  }
});

test('labels are apart at all sizes', () => {
  for (const { trace } of runs) {
    for (const share of draws(20)) SIZES.forEach((width) => assertLabels(trace, share * SECONDS, width));
  }
});
