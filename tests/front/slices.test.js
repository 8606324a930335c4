import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksOf, slices } from '../../book/_static/animation/slices.js';
import { markup } from '../../book/_static/animation/surface.js';
import { builtKernels } from './built.js';
import { assertApart, assertSameAtEachVisit, assertSameFigures, draws } from './drawings.js';

/** @import { SliceColumns, Slices } from '../../book/_static/animation/slices.js' */

const MS = 1e6, Q = 10 * MS, EVER = 2 ** 31, TIMERS = 400;
const APRIL = [2, 0], MAY = [2, 1];
const kernels = builtKernels('work_queues');

/** The run of the chapter's own kernel.
 * @param {number[]} work items, seconds an item, shape, from where dear, seconds a dear item
 * @param {number[]} rule @param {number} most @param {number} queues @returns {SliceColumns} */
function ran([items, mean, shape, dearFrom, dear], rule = APRIL, most = EVER, queues = 1) {
  const [, , ...columns] = kernels.call('experiment.slice_trace', [
    6, items, mean, Q, ...rule, 1, queues, shape, dearFrom, dear, most, TIMERS, 15_000,
  ]);
  const [, length, queue, count, granularity, looks, , look, due, late] = columns
    .map((column) => Array.from(/** @type {Float64Array} */ (column), Number));
  const [lengths, lookTimes, dues, lates] = [length, look, due, late]
    .map((times) => times.map((seconds) => Math.round(1e9 * seconds)));
  const own = { length: lengths, queue, items: count, granularity, looks, look: lookTimes, due: dues, late: lates };
  return { quantum: Q, queues, formula: null, late_formula: null, ...own };
}

const DRAWN = [40_000, 358e-6, 0.8, 40_000, 0], CHEAP_THEN_DEAR = [202_000, 5e-6, 0, 200_000, 1e-3];
const runs = [
  ran(DRAWN), ran(DRAWN, MAY), ran([10_000, 358e-6, 0.8, 10_000, 0], APRIL, EVER, 4),
  ran(CHEAP_THEN_DEAR), ran(CHEAP_THEN_DEAR, MAY), ran(CHEAP_THEN_DEAR, APRIL, 15),
];

/** Moments of all runs: so many of each, from the beginning to the end. @param {number} count */
function moments(count) {
  return runs.flatMap((columns) => {
    const trace = slices.prepare(columns), end = trace.begins[trace.runs];
    return [0, ...draws(count), 1].map((share) => ({ columns, trace, t: Math.floor(share * end) }));
  });
}

/** @param {typeof slices.scene} layer @param {Slices} trace @param {number} t */
function draw(layer, trace, t) {
  return markup((surface) => layer(slices.state(trace, t), 688, slices.height(688), surface));
}

/** @param {number[]} values */
const sum = (values) => values.reduce((all, one) => all + one, 0);

/** @param {number[]} values */
const mean = (values) => (values.length ? sum(values) / values.length : null);

/** Run by run from the beginning. @param {SliceColumns} columns @param {number} t */
function replay({ length, due, late }, t) {
  let done = 0, begins = 0;
  while (done < length.length && begins + length[done] <= t) {
    begins += length[done];
    done += 1;
  }
  const answered = due.filter((at, n) => at + late[n] <= t).length;
  const waiting = due.filter((at, n) => at <= t && at + late[n] > t);
  return {
    done, since: t - begins, answered, waiting,
    mean: mean(length.slice(0, done)), late: mean(late.slice(0, answered)),
  };
}

test('at 200 times of each run the state is that of a replay from the beginning', () => {
  for (const { columns, trace, t } of moments(200)) {
    assert.deepEqual(slices.state(trace, t), { trace, t, ...replay(columns, t) });
  }
});

test('every item is taken, every look is in its slice, and every timer is served', () => {
  const items = runs.map((columns) => sum(columns.items));
  assert.deepEqual(items, [40_000, 40_000, 40_000, 202_000, 202_000, 202_000]);
  for (const columns of runs) {
    const trace = slices.prepare(columns);
    assert.equal(slices.state(trace, trace.begins[trace.runs]).answered, TIMERS);
    assert.ok(Math.max(...trace.late) <= columns.queues * trace.longest);
    assert.equal(sum(columns.looks), columns.look.length);
    columns.length.forEach((length, run) => {
      const looks = looksOf(trace, run), early = looks.slice(0, -1);
      assert.ok(looks.every((look) => look <= length) && early.every((look) => look <= Q));
      assert.ok(looks.length * columns.granularity[run] <= columns.items[run]);
    });
  }
});

test('a time shows the same after jumps, forward and backward', () => {
  const trace = slices.prepare(runs[0]);
  assertSameAtEachVisit((t) => (
    slices.sentence(slices.state(trace, t)) + draw(slices.moving, trace, t) + draw(slices.scene, trace, t)
  ), trace.begins[trace.runs]);
});

test('the scene stays the same from the beginning of a slice to its end', () => {
  const trace = slices.prepare(runs[3]), { begins } = trace;
  for (let k = 0; k < trace.runs; k += 1) {
    const [first, last] = [begins[k], begins[k + 1] - 1].map((t) => draw(slices.scene, trace, t));
    assert.equal(first, last);
  }
});

const SENTENCE = new RegExp('^Run (?<run>\\d+).*?: (?<items>\\d+) items?, (?<looks>.*); it took (?<length>[\\d.]+) ms'
  + '(?:, (?<beyond>[\\d.]+) ms more than the quantum of 10 ms|, and the queue is empty)\\. .*\\.'
  + '(?:(?<!^Run 1\\b.*) Mean of the first \\d+ runs: (?<mean>[\\d.]+) ms\\.|(?<=^Run 1\\b.*))$');

test('the sentence describes the last slice', () => {
  for (const { columns, trace, t } of moments(60)) {
    const truth = replay(columns, t), run = truth.done - 1;
    const found = SENTENCE.exec(slices.sentence(slices.state(trace, t)))?.groups;
    assert.equal(found === undefined, truth.mean === null);
    if (!found) continue;
    assert.deepEqual([Number(found.run), Number(found.items)], [truth.done, columns.items[run]]);
    const over = (columns.length[run] - Q) / MS;
    assert.deepEqual([found.length, found.beyond], [(over + 10).toFixed(1), over > 0 ? over.toFixed(1) : undefined]);
    assert.equal(found.mean, truth.done === 1 ? undefined : ((truth.mean ?? 0) / MS).toFixed(1));
  }
});

test('the looks that it names are those of the slice', () => {
  for (const { columns, trace, t } of moments(60)) {
    const state = slices.state(trace, t), run = state.done - 1;
    const after = /checks? after (\d+(?:, \d+)*(?: and \d+)?);/.exec(slices.sentence(state))?.[1];
    const numbers = after?.split(/, | and /).map(Number);
    if (numbers) assert.deepEqual(numbers, looksOf(trace, run).map((_, n) => (n + 1) * columns.granularity[run]));
  }
});

test('an address keeps a moment', () => {
  const trace = slices.prepare(runs[3]);
  for (const at of [0, 1, 20, 100.7, trace.runs]) assert.equal(slices.atOf(trace, slices.timeOf(trace, at)), at);
  for (const share of draws(50)) {
    const t = share * trace.begins[trace.runs], there = slices.timeOf(trace, slices.atOf(trace, t));
    assert.equal(slices.state(trace, there).done, slices.state(trace, t).done);
    assert.ok(t - there >= 0 && t - there < trace.longest / 999);
  }
});

test('no two labels touch, on a phone and wide', () => {
  for (const { trace, t } of moments(40)) {
    const both = { ...trace, formula: 15 * MS, late_formula: 8 * MS };
    for (const width of [294, 323, 340, 358, 662, 704]) assertApart(slices, both, t, width);
  }
});

test('its figures are the mean slice so far, the items between two checks, and how late a timer is', () => {
  for (const columns of runs) {
    const all = moments(60).filter((moment) => moment.columns === columns);
    assertSameFigures(slices, all.map(({ trace, t }) => slices.state(trace, t)));
  }
  for (const { columns, trace, t } of moments(60)) {
    const truth = replay(columns, t), run = Math.min(truth.done, columns.length.length - 1);
    const [soFar, , between, late] = (slices.figures?.(slices.state(trace, t)) ?? []).map(({ value }) => value);
    const means = [truth.mean, truth.late].map((each) => (each === null ? '–' : (each / MS).toFixed(1)));
    assert.deepEqual([soFar, late, between], [...means, String(columns.granularity[run])]);
  }
});
