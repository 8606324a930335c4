import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storm } from '../../book/_static/animation/storm.js';
import { markup } from '../../book/_static/animation/surface.js';
import { builtKernels } from './built.js';
import { assertApart, assertSameAtEachVisit, draws } from './drawings.js';

/** @import { Era, Storm, StormColumns, StormState } from '../../book/_static/animation/storm-run.js' */

const RATE = 30, CAPACITY = 100, TIMEOUT_S = 0.5, END_S = 120, ROWS = 24_000;
const SIZES = [294, 340, 358, 576, 600, 664, 728];
const SERVER = 0, DROP = 1, SKIP = 2;
const kernels = builtKernels('time_outs');

/** The run of the chapter's own kernel, as the page's Python returns it.
 * @param {number[][]} interventions of the kernel: time, kind, value
 * @param {number} [retries] @param {number} [request] watched */
function run(interventions, retries = 3, request = -1) {
  const columns = [0, 1, 2].map((n) => interventions.map((one) => one[n]));
  const settings = [1, RATE, CAPACITY, TIMEOUT_S, retries, END_S, 0, 10, ROWS];
  const [rows, ...found] = kernels.call('experiment.trace_storm', [...settings, ...columns]);
  const [asked, turn, left, who, tried, fate] = found.map((column) => (
    Array.from(/** @type {Float64Array} */ (column), Number)));
  assert.equal(rows, asked.length);
  const [a, b, c] = [asked, turn, left].map((times) => times.map((time) => Math.floor(1e6 * time + 0.5)));
  const outages = interventions.filter(([, kind]) => kind === SERVER);
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

/** The state at t, by all attempts from the beginning. @param {StormColumns} columns @param {number} t */
function replay({ gap, wait, service, fate, tried }, t) {
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
function draw(state, width) {
  return markup((surface) => storm.moving(state, width, storm.height(width), surface));
}

/** The number of places on the paths of a drawing: each is a dash of no length.
 * @param {string} svg @returns {number[]} */
function places(svg) {
  const paths = [...svg.matchAll(/<path d="([^"]*)"[^>]*stroke-dasharray="0 ([\d.]+)"/g)];
  return paths.map(([, d, pitch]) => [...d.matchAll(/h([\d.]+)/g)]
    .reduce((sum, [, length]) => sum + 1 + Math.floor((Number(length) + 0.05) / Number(pitch)), 0));
}

test('at 200 times of each run the state is that of a replay from the beginning', () => {
  for (const columns of runs) {
    const trace = storm.prepare(columns);
    for (const t of [0, 20, 22, 60, END_S, ...draws(200).map((share) => share * END_S)]) {
      const { first, waits, sent, now, served, inTime, asked, again } = storm.state(trace, t);
      const { gone, ...truth } = replay(columns, t);
      assert.deepEqual({ line: sent - first, waits: sent - waits, now, sent, served, inTime, asked, again }, truth);
      assert.equal(truth.line + Number(now >= 0) + gone, sent); // none is lost
    }
  }
});

/** @param {Storm} trace @param {number} t @param {number} width */
function assertAllDrawn(trace, t, width) {
  const state = storm.state(trace, t), svg = draw(state, width);
  const [left, inside, wait] = places(svg), [, more = '0'] = /and ([\d,]+) more/.exec(svg) ?? [];
  assert.equal(left + wait + Number(more.replace(',', '')), state.sent - state.first);
  assert.equal(inside, left);
  if (more === '0') assert.equal(wait, state.sent - state.waits);
  else assert.ok(wait > 0 || state.waits === state.sent); // the last are shown, whatever is left out
}

test('each attempt in the queue has a place in the drawing, and those whose clients wait look different', () => {
  for (const trace of runs.map((columns) => storm.prepare(columns))) {
    for (const share of draws(40)) SIZES.forEach((width) => assertAllDrawn(trace, share * END_S, width));
  }
});

test('a time shows the same after jumps, forward and backward', () => {
  const trace = storm.prepare(runs[3]);
  assertSameAtEachVisit((t) => {
    const state = storm.state(trace, t);
    return storm.sentence(state) + draw(state, SIZES[0]);
  }, END_S);
});

test('an intervention leaves the time before it the same', () => {
  const [, before, , , after] = runs.map((columns) => storm.prepare(columns));
  for (const t of draws(50).map((share) => share * 60)) {
    const [was, is] = [before, after].map((trace) => storm.state(trace, t));
    assert.equal(storm.sentence(is), storm.sentence(was));
    assert.equal(is.mean, was.mean);
  }
  assert.notEqual(storm.sentence(storm.state(after, 60)), storm.sentence(storm.state(before, 60)));
});

test('attempts per second approach the load of the closed form after an overload', () => {
  const storms = storm.prepare(runs[1]), rest = storm.prepare(runs[0]);
  for (const [trace, load] of /** @type {[Storm, number][]} */ ([[storms, 120], [rest, RATE]])) {
    assert.ok(Math.abs(Number(storm.state(trace, END_S).mean) / load - 1) < 0.03);
  }
  assert.equal(storm.state(storms, 24.5).mean, null); // earlier clients are still there
});

test('steps stop at full seconds, or at the events of the watched client', () => {
  const seconds = storm.begins(storm.prepare(runs[1])), watched = storm.prepare(runs[3]);
  assert.deepEqual([...seconds], Array.from({ length: END_S + 1 }, (_, n) => n));
  const sentences = [...storm.begins(watched)].map((time) => storm.sentence(storm.state(watched, time)));
  assert.equal(new Set(sentences).size, sentences.length); // each stop has another
  const end = /asked 4 times from 60\.03 s on, left at 62\.03 s, and was served 4 times, too late/;
  assert.match(sentences[sentences.length - 2], end);
});

test('the numbers above the drawing count the served, the line, and those who still wait', () => {
  for (const columns of runs) {
    const trace = storm.prepare(columns);
    for (const t of draws(40).map((share) => share * END_S)) {
      const { inTime, line, waits, served } = replay(columns, t);
      const figures = storm.figures?.(storm.state(trace, t)) ?? [];
      const counts = figures.map(({ value }) => Number(value.replace(',', '')));
      assert.deepEqual([...counts, figures[0].unit], [inTime, line, waits, `of ${served}`]);
    }
  }
});

test('labels are apart at every width', () => {
  for (const trace of runs.map((columns) => storm.prepare(columns))) {
    const times = [0, 21, ...draws(6).map((share) => share * END_S)];
    for (const t of times) SIZES.forEach((width) => assertApart(storm, trace, t, width));
  }
});

test('on a phone the drawing leaves room for the figures and the buttons', () => {
  for (const width of [294, 358]) assert.ok(storm.height(width) <= 194);
  for (const width of SIZES) assert.equal(storm.tape(width).width, width);
});
