import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeIn, together } from '../../book/_static/animation/compare.js';
import { port } from '../../book/_static/animation/port.js';
import { markup } from '../../book/_static/animation/surface.js';
import { builtKernels } from './built.js';
import { assertSameAtEachVisit, assertSameFigures, draws, labels, touching } from './drawings.js';

/** @import { PortColumns, PortState } from '../../book/_static/animation/port.js' */

const ACK_MS = 0.1;
const US = 1e6, SECONDS = 3, PACKETS = [3, 8, 15], RATE = 2e8;
const WINDOW = 16;
const kernels = builtKernels('flow_priority');

/** The run of the chapter's own kernel.
 * @param {number} ahead @param {number} watched @param {number} gap @returns {PortColumns} */
function run(ahead, watched, gap) {
  const sizes = [2, 2, 2, 18e3, 64e3, 128e3, 4, (2 * RATE * SECONDS) / 8 / 4];
  const rest = [61, 0.1, 0.5, RATE, ahead, gap, 8948, WINDOW, 20e6, 10_000, 5000];
  const columns = kernels.call('experiment.trace', [1, ...sizes, ...rest]);
  const kept = columns.map((column) => Array.from(/** @type {Float64Array} */ (column), Number));
  const count = kept[0].filter((came) => came < SECONDS).length;
  const whole = (/** @type {number[]} */ times) => times.slice(0, count).map((time) => Math.floor(US * time + 0.5));
  const [came, onWire, left] = kept.slice(0, 3).map(whole);
  return {
    watched, ahead, users: 6, packets: PACKETS[watched >> 1], gap: `${gap * 1000} ms`, end: US * SECONDS,
    formula: gap < 0.045 ? null : 31.247,
    offered: came.map((time, n) => time - (came[n - 1] ?? 0)),
    waits: onWire.map((time, n) => time - came[n]),
    takes: left.map((time, n) => time - onWire[n]),
    user: kept[3].slice(0, count), number: kept[5].slice(0, count), lane: kept[6].slice(0, count),
  };
}

const runs = [
  run(14, 4, 0.045), run(15, 4, 0.045), run(0, 5, 0.045), run(5, 2, 0.045), run(20, 0, 0.045), run(14, 4, 0.015),
];

/** @param {PortState} state @param {number} width */
function draw(state, width) {
  return markup((surface) => {
    port.backdrop(state.trace, width, port.height(width), surface);
    port.moving(state, width, port.height(width), surface);
    port.scene(state, width, port.height(width), surface);
  });
}

/** The state at t of a port that sends the packets ahead first, each lane in order, from the arrival, lane and time of
 * each packet. @param {PortColumns} columns @param {number} t */
function replay({ offered, takes, lane }, t) {
  /** @type {number[][]} */
  const lanes = [[], []];
  const end = Math.floor(t * 1000);
  let wire = -1, free = 0, came = 0;
  /** @type {number[]} */
  const left = [];
  const serve = (/** @type {number} */ now) => {
    while (free <= now) {
      if (wire >= 0) left[wire] = free;
      wire = (lanes[0].length ? lanes[0] : lanes[1]).shift() ?? -1;
      if (wire < 0) return;
      free += takes[wire];
    }
  };
  for (let row = 0; row < offered.length && came + offered[row] <= end; row += 1) {
    came += offered[row];
    serve(came - 1);
    if (wire < 0) free = came;
    lanes[lane[row]].push(row);
    if (wire < 0) serve(came);
  }
  serve(end);
  return { lanes, wire, left };
}

test('at 200 times of each run the state is that of a port with the same arrivals', () => {
  for (const columns of runs) {
    const trace = port.prepare(columns);
    for (const t of draws(200).map((share) => share * trace.end)) {
      const state = port.state(trace, t), truth = replay(columns, t);
      assert.deepEqual(state.lanes.map((lane) => lane.map(({ row }) => row)), truth.lanes);
      assert.equal(state.wire?.row ?? -1, truth.wire);
      const rows = state.transaction?.rows ?? [];
      assert.equal(state.gone, rows.filter((row) => row in truth.left).length);
    }
  }
});

test('no packet is lost: each large flow has sixteen under way at any time', () => {
  const trace = port.prepare(runs[0]);
  for (const share of draws(100)) {
    const t = 1 + share * (trace.end - 1);
    for (let user = 6; user < 10; user += 1) {
      const mine = [...trace.user.keys()].filter((row) => trace.user[row] === user);
      const under = mine.filter((row) => trace.came[row] <= t && t < trace.left[row] + ACK_MS - 1e-3);
      assert.ok(under.length === WINDOW || under.length === WINDOW - 1, `${under.length} at ${t}`);
    }
  }
});

/** @param {(state: PortState) => void} check */
function atFiftyTimes(check) {
  for (const trace of runs.map(port.prepare)) {
    for (const share of [0, ...draws(50), 1]) check(port.state(trace, share * trace.end));
  }
}

test('the sentence says where the last packet is', () => atFiftyTimes((state) => {
  const { trace, lanes, gone, wire, transaction } = state, sentence = port.sentence(state);
  const place = /(\d+) of (\d+) packets through, packet (\d+) (.*?)\./.exec(sentence);
  assert.equal(place === null, !transaction || gone === trace.packets);
  if (!place || !transaction) return;
  assert.deepEqual(place.slice(1, 4).map(Number), [gone, trace.packets, trace.packets]);
  const [behind, count, where] = /behind (\d+) others? in the (\w+)/.exec(place[4]) ?? [];
  const found = behind ? lanes[where === 'ordinary' ? 1 : 0][Number(count)] : wire;
  assert.equal(found?.row, transaction.rows.at(-1));
}));

test('the mean is that of the finished transactions', () => atFiftyTimes((state) => {
  const ended = state.trace.transactions.filter(({ done }) => done <= state.t);
  const mean = ended.reduce((sum, { begun, done }) => sum + done - begun, 0) / ended.length;
  const [, count, time] = / Mean of (\d+) transactions?: ([\d.]+) ms/.exec(port.sentence(state)) ?? [];
  assert.equal(Number(count ?? 0), ended.length);
  assert.equal(time, ended.length ? mean.toFixed(1) : undefined);
}));

test('its figures are the same at every moment, and the first is the mean so far', () => {
  for (const trace of runs.map(port.prepare)) {
    const states = draws(60).map((share) => port.state(trace, share * trace.end));
    assertSameFigures(port, states);
    for (const state of states) assert.equal(port.figures?.(state)[0].value, state.mean?.toFixed(1) ?? '–');
  }
});

test('it counts what is through, and what is before the last packet in its lane', () => {
  for (const columns of runs) {
    const trace = port.prepare(columns), states = draws(60).map((share) => port.state(trace, share * trace.end));
    for (const state of states.filter(({ transaction }) => transaction)) {
      const last = state.transaction?.rows.at(-1) ?? -1, { lanes } = replay(columns, state.t);
      const before = Math.max(...lanes.map((lane) => lane.indexOf(last)));
      const [, , through, waits] = (port.figures?.(state) ?? []).map(({ value }) => value);
      assert.deepEqual([through, waits], [String(state.gone), before < 0 ? '–' : String(before)]);
    }
  }
});

test('the sentence fits into two lines', () => atFiftyTimes((state) => {
  assert.ok(port.sentence(state).length <= 148, port.sentence(state));
}));

test('a tick is drawn for each packet of the last transactions that has left', () => {
  const trace = port.prepare(runs[0]);
  for (const share of draws(50)) {
    const state = port.state(trace, share * trace.end);
    const ticks = markup((surface) => port.scene(state, 662, port.height(662), surface)).match(/M[\d.]+ [\d.]+v/g);
    const shown = trace.transactions.slice(Math.max(0, state.nth - 10), state.nth + 1).flatMap(({ left }) => left);
    assert.equal(ticks?.length ?? 0, shown.filter((left) => left <= state.t).length);
  }
});

test('a time shows the same after jumps, forward and backward', () => {
  const trace = port.prepare(runs[0]);
  assertSameAtEachVisit((t) => draw(port.state(trace, t), 576), trace.end);
});

test('the rows of ticks stay the same from one event of the watched user to the next', () => {
  const trace = port.prepare(runs[0]), { begins } = trace;
  const seen = (/** @type {number} */ t) => markup((surface) => port.scene(port.state(trace, t), 576, 300, surface));
  for (const share of draws(50)) {
    const k = Math.floor(share * (begins.length - 1));
    assert.ok(begins[k] < begins[k + 1]);
    assert.equal(seen(begins[k]), seen(begins[k] + 0.999 * (begins[k + 1] - begins[k])));
  }
});

test('another setting shows the same transaction at the same age', () => {
  const [fourteen, fifteen] = runs.map(port.prepare);
  const state = port.state(fourteen, fourteen.begun[6] + 5);
  const there = port.state(fifteen, port.round(state, fifteen));
  assert.equal(there.nth, 6);
  assert.ok(Math.abs(there.since - 5) < 1e-9);
});

for (const width of [294, 323, 340, 358, 662, 704]) {
  test(`no two labels touch and none leaves the drawing, ${width} px wide`, () => atFiftyTimes((state) => {
    const words = labels(draw(state, width));
    assert.deepEqual(touching(words), []);
    assert.deepEqual(words.filter(({ x, right }) => x < -1 || right > width + 1), []);
  }));
}

test('side by side each run shows its own transaction at the same age', () => {
  const [fourteen, fifteen] = runs.map(port.prepare), clock = together(port, [fourteen, fifteen]);
  assert.equal(clock.at(-1), fourteen.end);
  for (const { begun, done } of fifteen.transactions.slice(0, fourteen.transactions.length - 1)) {
    assert.ok([begun, done].every((t) => clock.includes(timeIn(port, fifteen, t, fourteen))));
  }
  for (const share of draws(100)) {
    const here = port.state(fourteen, share * fourteen.end), t = timeIn(port, fourteen, here.t, fifteen);
    const there = port.state(fifteen, t), at = `at ${here.t}`;
    assert.equal(there.nth, here.nth, at);
    const next = fifteen.begun[there.nth + 1] - (fifteen.begun[there.nth] ?? 0);
    assert.ok(Math.abs(there.since - Math.min(here.since, next - 1e-3)) < 1e-9, at);
    if (here.since < next) assert.ok(Math.abs(timeIn(port, fifteen, t, fourteen) - here.t) < 1e-9, at);
  }
  assert.equal(timeIn(port, fifteen, fifteen.end, fourteen), fourteen.end);
});
