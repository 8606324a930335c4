import assert from 'node:assert/strict';
import { test } from 'node:test';
import { port } from '../../book/_static/stage/port.js';
import { markup } from '../../book/_static/stage/surface.js';
import { draws, labels, touching } from './drawings.js';
import { runs, WINDOW } from './port-runs.js';

const ACK_MS = 0.1;

/** @param {PortState} state @param {number} width */
function drawn(state, width) {
  return markup((surface) => {
    port.backdrop(state.trace, width, port.height(width), surface);
    port.moving(state, width, port.height(width), surface);
    port.scene(state, width, port.height(width), surface);
  });
}

/** A port that sends those ahead first, each lane in order: what stands there at t, told only who
 * comes when, into which lane, and how long each takes. @param {PortColumns} columns @param {number} t */
function replayed({ offered, takes, lane }, t) {
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

test('at 200 times of each run the stage is what a port does that is told who comes when', () => {
  for (const columns of runs) {
    const trace = port.prepare(columns);
    for (const t of draws(200).map((share) => share * trace.end)) {
      const state = port.state(trace, t), truth = replayed(columns, t);
      assert.deepEqual(state.lanes.map((stand) => stand.map(({ row }) => row)), truth.lanes);
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

test('the sentence says where the last packet stands', () => atFiftyTimes((state) => {
  const { trace, lanes, gone, wire, transaction } = state, said = port.sentence(state);
  const stands = /(\d+) of (\d+) packets through, number (\d+) (.*?)\./.exec(said);
  assert.equal(stands === null, !transaction || gone === trace.packets);
  if (!stands || !transaction) return;
  assert.deepEqual(stands.slice(1, 4).map(Number), [gone, trace.packets, trace.packets]);
  const [behind, count, where] = /behind (\d+) others in the (\w+)/.exec(stands[4]) ?? [];
  const found = behind ? lanes[where === 'ordinary' ? 1 : 0][Number(count)] : wire;
  assert.equal(found?.row, transaction.rows.at(-1));
}));

test('the mean is that of the transactions which have ended', () => atFiftyTimes((state) => {
  const ended = state.trace.transactions.filter(({ done }) => done <= state.t);
  const mean = ended.reduce((sum, { begun, done }) => sum + done - begun, 0) / ended.length;
  const [, count, time] = / Mean of (\d+): ([\d.]+) ms/.exec(port.sentence(state)) ?? [];
  assert.equal(Number(count ?? 0), ended.length);
  assert.equal(time, ended.length ? mean.toFixed(1) : undefined);
}));

test('the sentence has room in its two lines', () => atFiftyTimes((state) => {
  assert.ok(port.sentence(state).length <= 148, port.sentence(state));
}));

test('a tick is drawn for each packet of the last transactions that has left', () => {
  const trace = port.prepare(runs[0]);
  for (const share of draws(50)) {
    const state = port.state(trace, share * trace.end);
    const ticks = markup((surface) => port.scene(state, 688, port.height(688), surface)).match(/M[\d.]+ [\d.]+v/g);
    const shown = trace.transactions.slice(Math.max(0, state.nth - 20), state.nth + 1).flatMap(({ left }) => left);
    assert.equal(ticks?.length ?? 0, shown.filter((left) => left <= state.t).length);
  }
});

test('forward, backward and jumped to, a time shows the same', () => {
  const trace = port.prepare(runs[0]);
  const seen = (/** @type {number} */ t) => drawn(port.state(trace, t), 576);
  const jumps = draws(30).map((share) => share * trace.end), there = jumps.map(seen);
  const order = [...jumps.keys()].sort((a, b) => jumps[a] - jumps[b]);
  for (const n of [...order, ...order.reverse()]) assert.equal(seen(jumps[n]), there[n]);
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

test('another setting shows the same transaction, as long after it began', () => {
  const [fourteen, fifteen] = runs.map(port.prepare);
  const state = port.state(fourteen, fourteen.begun[6] + 5);
  const there = port.state(fifteen, port.round(state, fifteen));
  assert.equal(there.nth, 6);
  assert.ok(Math.abs(there.since - 5) < 1e-9);
});

for (const width of [340, 360, 576, 688]) {
  test(`no two labels touch and none leaves the drawing, ${width} px wide`, () => atFiftyTimes((state) => {
    const words = labels(drawn(state, width));
    assert.deepEqual(touching(words), []);
    assert.deepEqual(words.filter(({ x, right }) => x < -1 || right > width + 1), []);
  }));
}
