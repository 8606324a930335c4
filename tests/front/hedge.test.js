import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hedge } from '../../book/_static/animation/hedge.js';
import { markup } from '../../book/_static/animation/surface.js';
import { builtKernels } from './built.js';
import { assertApart, assertSameAtEachVisit, assertSameFigures } from './drawings.js';

/** @import { Hedge, HedgeColumns } from '../../book/_static/animation/hedge.js' */

const SERVERS = 6, END_S = 40, LOAD = 0.5, RULES = /** @type {const} */ (['run', 'drop', 'tie']);
const kernels = builtKernels('hedged_requests');

/** The run of the chapter's own kernel. @param {number} delay @param {number} rule @param {[number, number][][]} stops
 * @returns {HedgeColumns} */
function run(delay, rule, stops) {
  const rate = (SERVERS * LOAD) / 0.1, n = Math.round(rate * END_S), spells = stops.flat();
  const first = stops.reduce((sums, mine) => [...sums, sums[sums.length - 1] + mine.length], [0]);
  const columns = kernels.call('experiment.trace_hedges', [
    1, n, SERVERS, rate, 0.1, delay, rule, 1, first, spells.map(([from]) => from), spells.map(([, until]) => until),
  ]);
  const [asked, answered, server, sent, begun, ended] = columns.map((column) => (
    Array.from(/** @type {ArrayLike<number | bigint>} */ (column), Number)));
  const micro = (/** @type {number} */ time, /** @type {number} */ since) => (
    time < 0 ? -1 : Math.round(1e6 * (time - since)));
  const since = (/** @type {number[]} */ times) => times.map((time, k) => micro(time, asked[k % n]));
  return {
    servers: SERVERS, end: END_S, late: 1, rule: RULES[rule], stops, server,
    asked: asked.map((time) => micro(time, 0)), took: since(answered),
    sent: since(sent), begun: since(begun), ended: since(ended),
  };
}

/** @type {[number, number][][]} */
const none = Array.from({ length: SERVERS }, () => []);
/** @type {[number, number][][]} */
const one = none.map((_, n) => (n ? [] : [[10, 12]]));
/** @type {[number, number][][]} */
const all = none.map(() => [[10, 12]]);
const runs = [run(1e9, 0, none), run(0.4, 0, one), run(0.4, 0, all), run(0.4, 1, all), run(0.2, 2, all)];
const traces = runs.map((columns) => hedge.prepare(columns));

/** Copies at a server at time t, counted from the columns alone. @param {HedgeColumns} columns @param {number} t */
function served({ asked, begun, ended, server }, t) {
  const n = asked.length, now = t * 1e6;
  return begun.flatMap((from, k) => {
    const at = asked[k % n];
    return from >= 0 && at + from <= now && now < at + ended[k] ? [server[k]] : [];
  }).sort();
}

test('each server serves the copy that the run says', () => {
  traces.forEach((trace, number) => {
    for (let t = 0.5; t < END_S; t += 1.7) {
      const found = hedge.state(trace, t).all.flatMap(({ serving }, n) => (serving ? [n] : []));
      assert.deepEqual(found, served(runs[number], t), `run ${number} at ${t} s`);
    }
  });
});

test('a dropped copy does not stand in line, and a kept one may be in vain', () => {
  const vain = (/** @type {Hedge} */ trace) => {
    let count = 0;
    for (let t = 0; t < END_S; t += 0.5) {
      for (const { waiting } of hedge.state(trace, t).all) count += waiting.filter((c) => c.answered <= t).length;
    }
    return count;
  };
  assert.ok(vain(traces[2]) > 100);
  assert.equal(vain(traces[3]), 0);
  assert.equal(vain(traces[4]), 0);
});

test('a request counts as slow once it has waited too long, answered or not', () => {
  traces.forEach((trace, number) => {
    const { asked, took, late } = runs[number], limit = late * 1e6;
    for (let t = 0.55; t < END_S; t += 0.7) {
      const now = t * 1e6;
      const judged = took.filter((time, r) => {
        const answer = asked[r] + time;
        return answer <= now ? answer > now - 5e6 : asked[r] + limit <= now;
      });
      const { late: slow, judged: counted } = hedge.state(trace, t);
      const expected = [judged.filter((time) => time > limit).length, judged.length];
      assert.deepEqual([slow, counted], expected, `run ${number} at ${t} s`);
    }
  });
  const [figure] = hedge.figures?.(hedge.state(traces[2], 11.9)) ?? [];
  assert.ok(Number(figure.value) > 10);
  assert.equal(figure.tone, 'miss');
});

test('the sentence says who is stopped and what waits', () => {
  assert.match(hedge.sentence(hedge.state(traces[1], 11)), /^At 11\.0 s: Server 1 is stopped\. \d+ copies in line/);
  assert.match(hedge.sentence(hedge.state(traces[2], 11)), /All servers are stopped\./);
  assert.doesNotMatch(hedge.sentence(hedge.state(traces[0], 11)), /stopped/);
  const said = hedge.sentence(hedge.state(traces[0], 11));
  assert.match(said, / \(0 of them second copies\)\. /);
  assert.match(said, /Copies still in line or in service although their requests have been answered: 0\./);
});

test('labels do not touch, at any width', () => {
  for (const trace of traces) {
    for (const t of [0, 5, 11, 12.5, 22, END_S]) {
      [340, 358, 560, 688].forEach((width) => assertApart(hedge, trace, t, width));
    }
  }
});

test('a time looks the same at each visit, and its figures have the same names', () => {
  for (const trace of traces) {
    assertSameAtEachVisit((t) => {
      const state = hedge.state(trace, t);
      return hedge.sentence(state) + markup((surface) => hedge.moving(state, 688, hedge.height(688), surface));
    }, END_S);
    assertSameFigures(hedge, [0, 1, 11, 30, END_S].map((t) => hedge.state(trace, t)));
  }
});
