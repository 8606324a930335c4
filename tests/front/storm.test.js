import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storm } from '../../book/_static/stage/storm.js';
import { markup } from '../../book/_static/stage/surface.js';
import { builtKernels } from './built.js';
import { draws } from './drawings.js';

const RATE = 30, CAPACITY = 100, TIMEOUT_S = 0.5, END_S = 120, ROWS = 24_000, SIZES = [340, 576];
const SERVER = 0, DROP = 1, SKIP = 2;
const kernels = builtKernels('time_outs');

/** The run of the chapter's own kernel, as the page's Python tells it.
 * @param {number[][]} deeds of the kernel: time, deed, value
 * @param {number} [retries] @param {number} [request] watched */
function run(deeds, retries = 3, request = -1) {
  const columns = [0, 1, 2].map((n) => deeds.map((deed) => deed[n]));
  const settings = [1, RATE, CAPACITY, TIMEOUT_S, retries, END_S, 0, 10, ROWS];
  const [rows, ...found] = kernels.call('storm_experiment.trace', [...settings, ...columns]);
  const [asked, turn, left, who, tried, fate] = found.map((column) => (
    Array.from(/** @type {Float64Array} */ (column), Number)));
  assert.equal(rows, asked.length);
  const [a, b, c] = [asked, turn, left].map((times) => times.map((time) => Math.floor(1e6 * time + 0.5)));
  const outages = deeds.filter(([, deed]) => deed === SERVER);
  return {
    rate: RATE, capacity: CAPACITY, timeout: TIMEOUT_S, tries: retries + 1, end: END_S,
    deeds: /** @type {StormColumns['deeds']} */ (
      outages.length ? [[outages[0][0], 'outage', outages[1][0] - outages[0][0]]] : []),
    eras: /** @type {Era[]} */ ([[0, RATE, 120], [22, RATE, 120]]),
    watched: who.flatMap((one, k) => (one === request ? [k] : [])),
    gap: a.map((time, k) => time - (k ? a[k - 1] : 0)),
    wait: b.map((time, k) => time - a[k]),
    service: c.map((time, k) => time - b[k]),
    fate: fate.join(''), tried: tried.join(''),
  };
}

const OUTAGE = [[20, SERVER, 0], [22, SERVER, 1]];
const runs = [
  run([]), run(OUTAGE), run(OUTAGE, 1), run(OUTAGE, 3, 1819),
  run([...OUTAGE, [60, DROP, 0]]), run([...OUTAGE, [60, SKIP, 1]]),
  run([...OUTAGE, [23, DROP, 0], [60, SERVER, 0], [61, SERVER, 1]]),
];

/** What stands there, by all attempts from the beginning. @param {StormColumns} columns @param {number} t */
function replayed({ gap, wait, service, fate, tried }, t) {
  let sum = 0;
  const all = gap.map((each, k) => {
    sum += each;
    const turn = sum + wait[k], times = { asked: sum / 1e6, turn: turn / 1e6, left: (turn + service[k]) / 1e6 };
    return { k, ...times, fate: fate[k], again: tried[k] > '0' };
  });
  const sent = all.filter(({ asked }) => asked <= t), line = sent.filter(({ turn }) => turn > t);
  const serves = sent.filter(({ turn, left }) => turn <= t && t < left).filter(({ fate: own }) => own <= '1');
  const asked = sent.filter((each) => each.asked > t - 5);
  const served = sent.filter(({ left, fate: own }) => left <= t && left > t - 5 && own <= '1');
  return {
    sent: sent.length, line: line.length, asked: asked.length, served: served.length,
    waits: line.filter((each) => each.asked > t - TIMEOUT_S).length,
    now: serves[0]?.k ?? -1,
    gone: sent.filter(({ turn, left }) => turn <= t && left <= t).length,
    inTime: served.filter(({ fate: own }) => own === '0').length,
    again: asked.filter((each) => each.again).length,
  };
}

/** @param {StormState} state @param {number} width */
function drawn(state, width) {
  return markup((surface) => storm.moving(state, width, storm.height(width), surface));
}

/** How many places the paths of a drawing show: each is a dash of no length.
 * @param {string} svg @returns {number[]} */
function places(svg) {
  const paths = [...svg.matchAll(/<path d="([^"]*)"[^>]*stroke-dasharray="0 ([\d.]+)"/g)];
  return paths.map(([, d, pitch]) => [...d.matchAll(/h([\d.]+)/g)]
    .reduce((sum, [, length]) => sum + 1 + Math.floor((Number(length) + 0.05) / Number(pitch)), 0));
}

test('at 200 times of each run the stage is what a replay from the beginning says', () => {
  for (const columns of runs) {
    const trace = storm.prepare(columns);
    for (const t of [0, 20, 22, 60, END_S, ...draws(200).map((share) => share * END_S)]) {
      const { first, waits, sent, now, served, inTime, asked, again } = storm.state(trace, t);
      const { gone, ...truth } = replayed(columns, t);
      assert.deepEqual({ line: sent - first, waits: sent - waits, now, sent, served, inTime, asked, again }, truth);
      assert.equal(truth.line + Number(now >= 0) + gone, sent); // nobody is lost
    }
  }
});

/** @param {Storm} trace @param {number} t @param {number} width */
function assertAllDrawn(trace, t, width) {
  const state = storm.state(trace, t), svg = drawn(state, width);
  const [left, inside, wait] = places(svg), [, more = '0'] = /and ([\d,]+) more/.exec(svg) ?? [];
  assert.equal(left + wait + Number(more.replace(',', '')), state.sent - state.first);
  assert.equal(inside, left);
  if (more === '0') assert.equal(wait, state.sent - state.waits);
}

test('each attempt in line has a place in the drawing, and those who wait another sign', () => {
  for (const trace of runs.map((columns) => storm.prepare(columns))) {
    for (const share of draws(40)) SIZES.forEach((width) => assertAllDrawn(trace, share * END_S, width));
  }
});

test('forward, backward and jumped to, a time shows the same', () => {
  const trace = storm.prepare(runs[3]);
  const seen = (/** @type {number} */ t) => {
    const state = storm.state(trace, t);
    return storm.sentence(state) + drawn(state, SIZES[0]);
  };
  const jumps = draws(30).map((share) => share * END_S), there = jumps.map(seen);
  const order = [...jumps.keys()].sort((a, b) => jumps[a] - jumps[b]);
  for (const n of [...order, ...order.reverse()]) assert.equal(seen(jumps[n]), there[n]);
});

test('what lay before a deed stays the same', () => {
  const [, before, , , after] = runs.map((columns) => storm.prepare(columns));
  for (const t of draws(50).map((share) => share * 60)) {
    const [was, is] = [before, after].map((trace) => storm.state(trace, t));
    assert.equal(storm.sentence(is), storm.sentence(was));
    assert.equal(is.mean, was.mean);
  }
  assert.notEqual(storm.sentence(storm.state(after, 60)), storm.sentence(storm.state(before, 60)));
});

test('attempts a second near the load that the closed form has after an overload', () => {
  const storms = storm.prepare(runs[1]), rest = storm.prepare(runs[0]);
  for (const [trace, load] of /** @type {[Storm, number][]} */ ([[storms, 120], [rest, RATE]])) {
    assert.ok(Math.abs(Number(storm.state(trace, END_S).mean) / load - 1) < 0.03);
  }
  assert.equal(storm.state(storms, 24.5).mean, null); // clients of before are still about
});

test('one stops at whole seconds, or at what happens to the client that is watched', () => {
  const whole = storm.begins(storm.prepare(runs[1])), watched = storm.prepare(runs[3]);
  assert.deepEqual([...whole], Array.from({ length: END_S + 1 }, (_, n) => n));
  const told = [...storm.begins(watched)].map((time) => storm.sentence(storm.state(watched, time)));
  assert.equal(new Set(told).size, told.length); // each stop says something else
  const end = /asked 4 times from 60\.03 s on, left at 62\.03 s, was served 4 times, too late/;
  assert.match(told[told.length - 2], end);
});
