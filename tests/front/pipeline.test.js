import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pipeline } from '../../book/_static/animation/pipeline.js';
import { markup } from '../../book/_static/animation/surface.js';
import { builtKernels } from './built.js';
import { assertApart, assertSameAtEachVisit, draws } from './drawings.js';

/** @import { PipelineColumns, PipelineState } from '../../book/_static/animation/pipeline.js' */

const BATCHES = 1000, LCRS = 18e6, STAGES = ['source', 'pump', 'network', 'apply'];
const kernels = builtKernels('replication');

/** A run of the chapter's own kernel, and when its batches begin.
 * @param {number[]} rates @param {number} [room] @param {boolean} [varies] */
function run(rates, room = -1, varies = false) {
  const columns = kernels.call('experiment.tandem_trace', [
    7, varies, room, BATCHES, LCRS / BATCHES, rates[0], rates[1], rates[2], rates[3],
  ]);
  const [begun, served_ms, departed_ms] = columns.map((column) => (
    Array.from(/** @type {Float64Array} */ (column), (second) => Math.round(1000 * second))));
  const named = varies ? String(room) : 'steady';
  const settings = { site: 'BNL', compress: 'off', room: named, lcrs: LCRS, batches: BATCHES, stages: STAGES, rates };
  return { begun, columns: { ...settings, departed_ms, served_ms: varies ? served_ms : null }, served_ms };
}

const RATES = {
  far: [11842, 10714, 2295, 11842],
  near: [11842, 10714, 11610, 11842],
  compressed: [11842, 47527, 51500, 11842],
  slowApply: [11842, 47527, 51500, 11250],
};
const runs = [
  ...Object.values(RATES).map((rates) => run(rates)), run(RATES.near, 0, true), run(RATES.near, 4, true),
];

/** @param {PipelineState} state @param {number} width */
function draw(state, width) {
  const tall = pipeline.height(width);
  return markup((surface) => {
    pipeline.backdrop(state.trace, width, tall, surface);
    pipeline.moving(state, width, tall, surface);
  });
}

/** How much of a span is between two times. @param {number} from @param {number} to
 * @param {number} low @param {number} high */
const within = (from, to, low, high) => Math.max(0, Math.min(to, high) - Math.max(from, low));

/** Some states of each run, from its start to its end, and the run itself. @param {number} count */
function states(count) {
  return runs.flatMap((one) => {
    const trace = pipeline.prepare(one.columns);
    return [0, ...draws(count), 1].map((share) => ({ ...one, state: pipeline.state(trace, share * trace.end) }));
  });
}

/** The number of batches at each stage, counted one by one. @param {PipelineColumns} columns @param {number} t */
function countByStage({ departed_ms: left }, t) {
  const where = new Array(STAGES.length + 1).fill(0);
  for (let n = 0; n < BATCHES; n += 1) {
    where[STAGES.filter((_, j) => left[j * BATCHES + n] <= 1000 * t).length] += 1;
  }
  return where;
}

/** The share of a time that some spans of a stage fill. @param {number[]} from_ms @param {number[]} to_ms
 * @param {number} j @param {[number, number]} when */
function shareOf(from_ms, to_ms, j, [low, high]) {
  let sum = 0;
  for (let row = j * BATCHES; row < (j + 1) * BATCHES; row += 1) {
    sum += within(from_ms[row] / 1000, to_ms[row] / 1000, low, high);
  }
  return sum / (high - low);
}

test('at 200 times of each run every batch is where the run says, and none is lost', () => {
  for (const { state, columns } of states(200)) {
    assert.deepEqual(state.where, countByStage(columns, state.t));
    assert.equal(state.where.reduce((sum, count) => sum + count), BATCHES);
    assert.equal(state.done, state.where[STAGES.length]);
  }
});

test('how busy a stage is, and how long it was blocked, are sums over the run', () => {
  for (const { state: { t, works, trace }, begun, served_ms, columns } of states(60).filter((one) => one.state.t > 1)) {
    /** @type {[number, number]} */
    const when = [Math.max(0, t - trace.closed / 100), t];
    for (const [j, { busy, blocked }] of works.entries()) {
      assert.ok(Math.abs(busy - shareOf(begun, served_ms, j, when)) < 2e-3);
      assert.ok(Math.abs(blocked - shareOf(served_ms, columns.departed_ms, j, when)) < 2e-3);
    }
  }
});

test('the number of marks drawn is that of the batches', () => {
  for (const { state } of states(10)) {
    for (const width of [340, 662]) {
      const piles = [...draw(state, width).matchAll(/<path d="((?:M[\d.]+ [\d.]+h[\d.]+v-[\d.]+h-[\d.]+z)+)"/g)];
      const there = state.where.filter((count) => count > 0);
      assert.deepEqual(piles.map(([, d]) => d.split('M').length - 1), there.map((count) => Math.ceil(count / 10)));
    }
  }
});

test('a time shows the same after jumps, forward and backward', () => {
  const trace = pipeline.prepare(runs[4].columns);
  assertSameAtEachVisit((t) => {
    const state = pipeline.state(trace, t);
    return pipeline.sentence(state) + draw(state, 576);
  }, trace.end);
});

test('the rate so far approaches the pace of the slowest stage', () => {
  for (const { columns } of runs.slice(0, 4)) {
    const trace = pipeline.prepare(columns), { soFar } = pipeline.state(trace, trace.end);
    assert.ok(Math.abs(Number(soFar) / Math.min(...columns.rates) - 1) < 0.005);
  }
});

test('no two labels touch, and none leaves the drawing, on a phone and wide', () => {
  for (const width of [288, 340, 358, 415, 534, 662, 726]) {
    for (const { state: { trace, t } } of states(20)) assertApart(pipeline, trace, t, width);
  }
});

test('a phone shows the pipe and its tape in 194 px', () => {
  assert.ok(pipeline.height(358) <= 194);
});

test('the figures name the stage that sets the pace, or say how many do', () => {
  const values = Object.values(RATES).map((rates) => {
    const trace = pipeline.prepare(run(rates).columns);
    return pipeline.figures?.(pipeline.state(trace, trace.end)).slice(1).map(({ value }) => value);
  });
  assert.deepEqual(values, [['2,295', 'Network'], ['10,714', 'Pump'], ['11,842', '2 stages'], ['11,250', 'Apply']]);
});
