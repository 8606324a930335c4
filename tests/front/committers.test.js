import assert from 'node:assert/strict';
import { test } from 'node:test';
import { committers } from '../../book/_static/animation/committers.js';
import { markup } from '../../book/_static/animation/surface.js';
import { builtKernels } from './built.js';
import { assertApart, assertSameAtEachVisit, draws } from './drawings.js';

/** @import { CommitColumns, Commits } from '../../book/_static/animation/committers.js' */

const FLUSH_MS = 5, SHOWN_MS = 240, FORMULA = 1234;
const kernels = builtKernels('group_commit');

/** The run of the chapter's own kernel. @param {number} delay @param {number} clients @returns {CommitColumns} */
function run(delay, clients) {
  const settings = [20, clients, clients * 49, FLUSH_MS / 1000, delay / 1000, 0, 0, 50000];
  const [, asked, ...others] = kernels.call('experiment.trace_commits', settings);
  const shown = Array.from(/** @type {Float64Array} */ (asked)).filter((at) => at < SHOWN_MS / 1000).length;
  const [asked_us, begun_us, ended_us, who, flush] = [asked, ...others].map((column, n) => (
    Array.from(/** @type {Float64Array} */ (column), (one) => (n < 3 ? Math.round(1e6 * one) : Number(one)))
      .slice(0, shown)));
  const settled = { delay, flush_ms: FLUSH_MS, clients, ms: SHOWN_MS, formula: FORMULA };
  return { ...settled, asked_us, begun_us, ended_us, client: who, flush };
}

const runs = [run(0, 16), run(1, 16), run(5, 16), run(25, 16), run(0, 1), run(3, 1), run(1, 32), run(0, 2)];

/** What the clients do at t, commit by commit. @param {CommitColumns} columns @param {number} t */
function replay({ asked_us: asked, begun_us: begun, ended_us: ended }, t) {
  const us = 1000 * t, on = asked.map((at, row) => ({ row, at })).filter(({ row, at }) => at <= us && us < ended[row]);
  const flushed = on.filter(({ row }) => begun[row] <= us).length;
  const done = ended.filter((at) => at <= us), last = Math.max(0, ...done);
  return { flushed, idle: on.length - flushed, done: done.length, rate: last ? (1e6 * done.length) / last : null };
}

/** Moments of all runs that are not events. */
const moments = runs.flatMap((columns) => {
  const trace = committers.prepare(columns);
  return draws(200).map((share) => ({ columns, trace, t: share * SHOWN_MS }));
});

test('at 200 times of each run the state is that of a replay from the beginning', () => {
  for (const { columns, trace, t } of moments) {
    const { now, held, waits, done, rate } = committers.state(trace, t), truth = replay(columns, t);
    assert.deepEqual([now?.clients.length ?? 0, held + waits, done], [truth.flushed, truth.idle, truth.done]);
    assert.equal(Math.min(held, now ? 1 : 0) + Math.min(waits, now ? 0 : 1), 0);
    assert.equal(truth.flushed + truth.idle, columns.clients); // none is lost
    assert.ok(Math.abs((rate ?? 0) - (truth.rate ?? 0)) < 1e-6);
  }
});

test('without a delay two cohorts take turns; with one all share every flush', () => {
  const sizes = runs.map((columns) => (
    committers.prepare(columns).flushes.slice(0, 4).map(({ clients }) => clients.length)));
  assert.deepEqual(sizes.slice(0, 4), [[1, 15, 1, 15], ...new Array(3).fill([16, 16, 16, 16])]);
  assert.deepEqual(sizes.slice(4), [[1, 1, 1, 1], [1, 1, 1, 1], [32, 32, 32, 32], [1, 1, 1, 1]]);
});

test('the sentence counts the clients, the commits and the last flushes', () => {
  for (const { columns, trace, t } of moments) {
    const words = committers.sentence(committers.state(trace, t)), truth = replay(columns, t);
    const counts = [...words.matchAll(/(\d+) (?:clients? (?:has|share|wait)|waits? for the next)/g)];
    assert.deepEqual(counts.map(([, count]) => Number(count)), [truth.flushed, truth.idle].filter(Boolean), words);
    const found = /So far (\d+) commits?, ([\d,]+) a second \(the formula gives 1,234 a second\)/.exec(words);
    const [, ...sum] = found ?? [];
    const expected = truth.rate === null ? [] : [truth.done, Math.round(truth.rate)];
    assert.deepEqual(sum.map((text) => Number(text.replace(',', ''))), expected, words);
  }
});

test('steps go from flush to flush, within the run', () => {
  for (const columns of runs) {
    const { begins, flushes } = committers.prepare(columns);
    assert.deepEqual([begins[0], begins[begins.length - 1]], [0, SHOWN_MS]);
    assert.ok(begins.every((at, n) => n === 0 || at > begins[n - 1]));
    const times = flushes.flatMap(({ begun, ended }) => [begun, ended]).filter((at) => at < SHOWN_MS);
    assert.ok(times.every((at) => begins.includes(at)));
  }
});

/** @param {Commits} trace @param {number} t */
function draw(trace, t) {
  const state = committers.state(trace, t), tall = committers.height(536);
  return committers.sentence(state) + markup((surface) => committers.moving(state, 536, tall, surface));
}

test('a time shows the same after jumps, forward and backward', () => {
  const trace = committers.prepare(runs[0]);
  assertSameAtEachVisit((t) => draw(trace, t), SHOWN_MS);
});

test('a flush is drawn as long as it lasts, for each client that shares it', () => {
  const trace = committers.prepare(runs[0]), width = 536, scale = (width - 8 - 60) / 60;
  const bars = [...draw(trace, 59.9).matchAll(/M([\d.]+) ([\d.]+)H([\d.]+)/g)].map(([, ...xyx]) => xyx.map(Number));
  const flushed = bars.filter(([from, , to]) => Math.abs(to - from - FLUSH_MS * scale) < 0.2);
  const shared = trace.flushes.filter(({ ended }) => ended < 60).reduce((sum, { clients }) => sum + clients.length, 0);
  assert.ok(flushed.length >= shared);
});

test('labels are apart at every width', () => {
  for (const width of [294, 340, 358, 536, 600, 664, 728]) {
    for (const { trace, t } of moments.filter((_, n) => n % 40 === 0)) assertApart(committers, trace, t, width);
  }
});

test('on a phone the drawing leaves room for the figures and the buttons', () => {
  for (const width of [294, 358]) assert.ok(committers.height(width) <= 194);
  for (const width of [294, 664]) assert.equal(committers.tape(width).width, width);
});

test('the numbers above the drawing are the commits per second, and the clients of the latest flush', () => {
  for (const { columns, trace, t } of moments) {
    const state = committers.state(trace, t), [soFar, formula, share] = committers.figures?.(state) ?? [];
    const { rate, flushed } = replay(columns, t), latest = flushed || state.last[state.last.length - 1]?.clients.length;
    const numbers = [soFar, share].map(({ value }) => (value === '–' ? null : Number(value.replace(',', ''))));
    assert.deepEqual(numbers, [rate === null ? null : Math.round(rate), latest ?? null]);
    assert.equal(formula.value, '1,234');
  }
});
