import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessions } from '../../book/_static/animation/sessions.js';
import { markup } from '../../book/_static/animation/surface.js';
import { builtKernels } from './built.js';
import { assertApart, assertSameAtEachVisit, assertSameFigures } from './drawings.js';

/** @import { SessionColumns, Sessions } from '../../book/_static/animation/sessions.js' */

const SESSIONS = 10, BEGIN = 30;
const kernels = builtKernels('work_queues');

/** The run of the chapter's own kernel, for a task in one piece or in slices.
 * @param {number} block @param {boolean} [sliced] @param {number} [keepalive] @param {number} [hold]
 * @returns {SessionColumns} */
function run(block, sliced = false, keepalive = 15, hold = 45) {
  const work = sliced ? [Math.round(block / 358e-6), 358e-6] : [1, block];
  const columns = kernels.call('experiment.hold_trace', [
    6, ...work, 1e7, 2, 0, 1, sliced ? 0.8 : 0, BEGIN, SESSIONS, keepalive, hold,
  ]);
  const [due, sent, dropped] = columns.map((column) => (
    Array.from(/** @type {Float64Array} */ (column), (seconds) => (seconds < 0 ? -1 : Math.round(1e9 * seconds)))));
  const settings = { sessions: SESSIONS, keepalive, hold, begin: BEGIN, block, sliced };
  return { ...settings, formula: 6.7, due, sent, dropped };
}

const runs = [
  run(30), run(33), run(40), run(57), run(200), run(115, true), run(115, false, 60, 180), run(150, false, 60, 180),
];
const LOST = [0, 1, 7, 10, 10, 0, 0, 5];

/** Moments of all runs, each `apart` seconds after the one before. @param {number} apart */
function moments(apart) {
  return runs.flatMap((columns) => {
    const trace = sessions.prepare(columns), end = trace.begins[trace.begins.length - 1];
    const count = Math.floor(end / apart) + 1;
    return [...Array.from({ length: count }, (_, n) => n * apart), end].map((t) => ({ columns, trace, t }));
  });
}

/** @param {Sessions} trace @param {number} t */
function draw(trace, t) {
  const state = sessions.state(trace, t);
  return sessions.sentence(state) + markup((surface) => sessions.moving(state, 688, sessions.height(688), surface));
}

/** Keepalive by keepalive from the beginning: a timer restarted by each, until it runs out.
 * @param {SessionColumns} columns @param {number} session @param {number} t */
function replay({ due, sent, keepalive, hold }, session, t) {
  let ends = due[session] / 1e9 - keepalive + hold;
  for (let m = session; m < sent.length; m += SESSIONS) {
    const at = sent[m] / 1e9;
    if (at > t || at > ends) break;
    ends = at + hold;
  }
  return Math.max(0, ends - t);
}

/** @param {SessionColumns} columns @param {number} t seconds */
const lostBy = ({ dropped }, t) => dropped.filter((at) => at >= 0 && at / 1e9 <= t);

test('at each moment a timer is that of a replay from the beginning', () => {
  for (const { columns, trace, t } of moments(0.37)) {
    const { all, dropped } = sessions.state(trace, t);
    all.forEach((one, session) => {
      assert.ok(Math.abs(one.left - replay(columns, session, t)) < 1e-6);
      assert.equal(one.dropped !== null, one.left === 0);
    });
    assert.equal(dropped, lostBy(columns, t).length);
  }
});

test('the run goes on until the last lost session', () => {
  runs.forEach((columns, n) => {
    const trace = sessions.prepare(columns), end = trace.begins[trace.begins.length - 1];
    assert.equal(sessions.state(trace, end).dropped, LOST[n]);
    assert.equal(columns.dropped.filter((at) => at >= 0).length, LOST[n]);
  });
});

test('a keepalive waits only while the loop is busy in one piece', () => {
  for (const { columns: { begin, block, sliced }, trace, t } of moments(0.1)) {
    const waits = Math.max(...sessions.state(trace, t).all.map((one) => one.waits));
    const busy = !sliced && t >= begin && t < begin + block;
    assert.ok(waits <= (busy ? t - begin : 0.03), `${t}: ${waits}`); // of a slice
  }
});

test('a time shows the same after jumps, forward and backward', () => {
  const trace = sessions.prepare(runs[2]);
  assertSameAtEachVisit((t) => draw(trace, t), trace.begins[trace.begins.length - 1]);
});

test('the sentence names the last neighbour lost, and when', () => {
  for (const { columns, trace, t } of moments(1.7)) {
    const lost = lostBy(columns, t), words = sessions.sentence(sessions.state(trace, t));
    const found = /(?:Neighbour|number) (\d+)(?: dropped the session|,) at ([\d.]+) s/.exec(words)?.slice(1);
    const last = Math.max(...lost);
    const truth = lost.length ? [String(columns.dropped.indexOf(last) + 1), (last / 1e9).toFixed(1)] : undefined;
    assert.deepEqual(found, truth);
  }
});

test('it names the next timer to expire', () => {
  for (const { trace, t } of moments(1.7)) {
    const state = sessions.state(trace, t), there = state.all.filter(({ dropped }) => dropped === null);
    const words = /number (\d+) has the least hold time left, ([\d.]+) s/.exec(sessions.sentence(state));
    const found = words?.slice(1).map(Number);
    assert.equal(found === undefined, there.length === 0);
    if (!found) continue;
    const least = Math.min(...there.map(({ left }) => left));
    assert.equal(state.all[found[0] - 1].left, least);
    assert.equal(found[1].toFixed(1), least.toFixed(1));
  }
});

test('no two labels touch, on a phone and wide', () => {
  for (const { trace, t } of moments(3.1)) {
    for (const width of [294, 323, 340, 358, 662, 704]) assertApart(sessions, trace, t, width);
  }
});

test('its figures are the sessions dropped, and how soon the next may be', () => {
  for (const columns of runs) {
    const trace = sessions.prepare(columns), all = moments(1.7).filter((moment) => moment.columns === columns);
    assertSameFigures(sessions, all.map(({ t }) => sessions.state(trace, t)));
    for (const { t } of all) {
      const left = Array.from({ length: SESSIONS }, (_, n) => replay(columns, n, t)).filter((each) => each > 0);
      const [dropped, , next] = (sessions.figures?.(sessions.state(trace, t)) ?? []).map(({ value }) => value);
      const truth = left.length ? Math.min(...left).toFixed(1) : '–';
      assert.deepEqual([dropped, next], [String(SESSIONS - left.length), truth]);
    }
  }
});
