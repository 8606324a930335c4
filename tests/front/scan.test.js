import assert from 'node:assert/strict';
import { test } from 'node:test';
import { after, before, eventAt } from '../../book/_static/animation/events.js';
import { scan } from '../../book/_static/animation/scan.js';
import { markup } from '../../book/_static/animation/surface.js';
import { builtKernels } from './built.js';
import { assertApart, assertSameAtEachVisit, draws } from './drawings.js';

/** @import { ScanColumns, ScanState } from '../../book/_static/animation/scan.js' */

const PLACES = 12, COST = 20, SCANS = 25, WIDTH = 688;
const POLICIES = { lru: 0, random: 3, mru: 4, arc: 6, '2q': 7, bypass: 9 };
const kernels = builtKernels('cache_cliff');

/** The run of the chapter's own kernel. @param {number} files @param {number} policy @param {number} [order] */
function run(files, policy, order = 0) {
  const columns = kernels.call('experiment.trace', [1, files, PLACES, policy, order, SCANS]);
  const [file, hit, victim, place] = columns.map((column) => Array.from(/** @type {Int32Array} */ (column), Number));
  return { files, places: PLACES, cost: COST, formula: 1, file, hit, victim, place };
}

const runs = [
  ...Object.values(POLICIES).map((policy) => run(13, policy)),
  run(13, POLICIES.lru, 1), run(18, POLICIES.random, 2), run(8, POLICIES.lru), run(12, POLICIES.lru),
];

/** @param {typeof scan.scene} layer @param {ScanState} state */
function draw(layer, state) {
  return markup((surface) => layer(state, WIDTH, scan.height(WIDTH), surface));
}

/** The state at t, request by request from the beginning: an ordinary cache, with the victims of the run.
 * @param {ScanColumns} columns @param {number} t */
function replay({ file, hit, victim, place, files }, t) {
  const cached = new Set(), lastUse = new Map();
  const stays = (/** @type {number} */ n) => place[n] >= 0;
  let begins = 0, k = -1, misses = 0, takes = 0;
  do {
    begins += takes;
    if (stays(k)) cached.add(file[k]);
    k += 1;
    assert.equal(hit[k] === 1, cached.has(file[k]));
    takes = hit[k] ? 1 : COST;
    misses += Number(k >= files && !hit[k]);
    cached.delete(victim[k]);
    lastUse.set(file[k], k);
  } while (begins + takes <= t && k < file.length - 1);
  const part = Math.min(1, (t - begins) / takes);
  if (part === 1 && stays(k)) cached.add(file[k]);
  return { k, part, misses, cached: [...cached].sort((a, b) => a - b), lastUse };
}

test('at 200 times of each run the state is that of a replay from the beginning', () => {
  for (const columns of runs) {
    const trace = scan.prepare(columns), end = trace.begins[trace.length];
    for (const share of [0, ...draws(200), 1]) {
      const t = share * end, state = scan.state(trace, t), truth = replay(columns, t);
      assert.equal(state.k, truth.k);
      assert.ok(Math.abs(state.part - truth.part) < 1e-9);
      assert.equal(state.misses, truth.misses);
      assert.deepEqual(state.cached.flatMap((there, file) => (there ? [file] : [])), truth.cached);
      const held = state.slots.filter(({ file, mark }) => file >= 0 && (mark !== 'read')).map(({ file }) => file);
      assert.deepEqual(held.sort((a, b) => a - b), truth.cached);
      const used = [...state.slots].filter(({ file }) => file >= 0).sort((a, b) => a.recency - b.recency);
      const order = used.map(({ file }) => truth.lastUse.get(file));
      assert.deepEqual(order, [...order].sort((a, b) => a - b));
    }
  }
});

test('a file that bypasses the cache has no place, and nothing leaves for it', () => {
  const trace = scan.prepare(run(13, POLICIES.bypass)), { begins } = trace;
  const filled = (/** @type {ScanState} */ state) => /height="([^"]*)"[^>]*>$/.exec(draw(scan.moving, state))?.[1];
  for (let k = 12; k < trace.length; k += 13) {
    const state = scan.state(trace, begins[k] + 0.5 * (begins[k + 1] - begins[k]));
    assert.deepEqual(state.slots.map(({ file }) => file), [...Array(12).keys()]);
    assert.ok(state.slots.every(({ mark }) => mark !== 'read'));
    assert.match(scan.sentence(state), /file 13, a miss; the file isn.t kept, so nothing is evicted\./);
    assert.equal(filled(state), '0');
  }
});

test('the next miss and the next request of a victim are those of the run', () => {
  const trace = scan.prepare(run(13, POLICIES.mru));
  for (const share of draws(100)) {
    const state = scan.state(trace, share * trace.begins[trace.length]);
    const next = trace.hit.indexOf(0, state.k + 1);
    const expected = next < 0 ? null : [trace.file[next], next - state.k];
    assert.deepEqual(state.next && [state.next.file, state.next.ahead], expected);
    const leaves = /file (\d+) is evicted, but is wanted again (\d+) requests later/.exec(scan.sentence(state));
    if (leaves) assert.equal(trace.file[state.k + Number(leaves[2])] + 1, Number(leaves[1]));
  }
});

test('a time shows the same after jumps, forward and backward', () => {
  const trace = scan.prepare(run(13, POLICIES['2q']));
  assertSameAtEachVisit((t) => {
    const state = scan.state(trace, t);
    return scan.sentence(state) + draw(scan.moving, state) + draw(scan.scene, state);
  }, trace.begins[trace.length]);
});

test('the scene stays the same from the beginning of a request to its end', () => {
  const trace = scan.prepare(run(13, POLICIES.random)), { begins, length } = trace;
  const seen = (/** @type {number} */ t) => draw(scan.scene, scan.state(trace, t));
  for (const share of draws(30)) {
    const k = Math.floor(share * length);
    assert.equal(seen(begins[k]), seen(begins[k] + 0.999 * (begins[k + 1] - begins[k])));
  }
});

test('steps go from event to event, and back the same way', () => {
  const { begins } = scan.prepare(run(13, POLICIES.random)), last = begins.length - 1;
  let t = 0;
  for (let k = 1; k <= last; k += 1) {
    t = after(begins, t);
    assert.equal(t, begins[k]);
  }
  assert.equal(after(begins, t), t);
  assert.equal(eventAt(begins, t), last - 1);
  for (let k = last - 1; k >= 0; k -= 1) {
    t = before(begins, t);
    assert.equal(t, begins[k]);
  }
  assert.equal(before(begins, 0), 0);
  assert.equal(before(begins, begins[5] + 0.25), begins[5]);
});

test('another run goes on in the same scan', () => {
  const here = scan.prepare(run(13, POLICIES.lru)), there = scan.prepare(run(12, POLICIES.lru));
  const state = scan.state(here, here.begins[6 * 13 + 4]);
  assert.equal(scan.state(there, scan.round(state, there)).k, 6 * 12);
});

test('the mark of a place says when its file will be out', () => {
  const trace = scan.prepare(run(13, POLICIES.mru));
  const drawn = (/** @type {number} */ k) => markup((surface) => (
    scan.scene(scan.state(trace, trace.begins[k]), 662, scan.height(662), surface)));
  const { ahead } = /** @type {{ ahead: number }} */ (scan.state(trace, trace.begins[30]).next);
  assert.ok(ahead > 1);
  assert.match(drawn(30), new RegExp(`>out in ${ahead}<`));
  assert.doesNotMatch(drawn(30), /next out/);
  assert.match(drawn(30 + ahead - 1), />next out</);
});

test('no two labels touch, and none leaves the drawing, on a phone and wide', () => {
  const moments = runs.map((columns) => scan.prepare(columns)).flatMap((trace) => (
    [0, ...draws(25), 1].map((share) => ({ trace, t: share * trace.begins[trace.length] }))));
  for (const width of [288, 340, 358, 415, 534, 662, 726]) {
    for (const { trace, t } of moments) assertApart(scan, trace, t, width);
  }
});

test('a phone shows the machine and its tape in 194 px', () => {
  assert.ok(scan.height(358) <= 194);
});

test('the figures are the slowdown, its closed form and the misses counted', () => {
  const columns = { ...run(13, POLICIES.lru), formula: COST }, trace = scan.prepare(columns);
  const values = (/** @type {number} */ t) => (
    scan.figures?.(scan.state(trace, t)).map(({ value, unit = '' }) => value + unit));
  assert.deepEqual(values(0), ['–', '20.00', '–']);
  assert.deepEqual(values(trace.begins[15]), ['20.00', '20.00', '3of 3']);
});
