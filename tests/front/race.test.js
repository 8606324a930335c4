import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markup } from '../../book/_static/animation/surface.js';
import { race } from '../../book/_static/animation/race.js';
import { builtKernels } from './built.js';
import { assertSameAtEachVisit, assertSameFigures, draws, labels, touching } from './drawings.js';

/** @import { RaceState } from '../../book/_static/animation/race.js' */

const READS = 24, COSTS = { open: 126, lookup: 35, one: 9 };
const kernels = builtKernels('file_or_row');

/** A run by the chapter's own kernel. @param {number} blob @param {number} bytes @param {number[]} shape */
function run(blob, bytes, shape) {
  const columns = kernels.call('experiment.trace', [1, ...shape, Math.floor(2e6 / bytes), READS]);
  const [page, hit] = columns.map((column) => Array.from(/** @type {Int32Array} */ (column), Number));
  const overflow = shape[3];
  return race.prepare({ blob, bytes, reads: READS, tree: [], overflow, ...COSTS, ratio: 2.2, page, hit });
}

// Rows, rows per leaf, fan-out, overflow pages: 10 kB and 1 MB in 4,096 bytes, and 10 kB in 65,536.
const runs = [
  run(10, 4096, [10_000, 2, 454, 2]),
  run(1000, 4096, [100, 5, 454, 244]),
  run(10, 65_536, [10_000, 6, 7281, 0]),
];
const moments = runs.flatMap((trace) => [0, ...draws(100), 1].map((share) => race.state(trace, share * trace.end)));

/** What is read by a time, added up cost by cost. @param {RaceState} state */
function replay({ trace, t }) {
  const width = trace.hit.length / READS;
  let files = 0, rows = 0;
  for (let now = trace.open + trace.blob; now <= t + 1e-6; now += trace.open + trace.blob) files += 1;
  let now = 0;
  for (let read = 0; read < READS; read += 1) {
    const missed = trace.hit.slice(read * width, (read + 1) * width).filter((hit) => !hit).length;
    now += trace.lookup + missed * trace.one;
    if (now <= t + 1e-6) rows += 1;
  }
  return { files: Math.min(READS, files), rows };
}

test('at each time as many BLOBs are there as the costs of the trace allow', () => {
  for (const state of moments) {
    const { files, rows } = replay(state);
    assert.ok(Math.abs(state.files.done - files) <= Number(Math.abs(state.files.since) < 1e-6));
    assert.ok(Math.abs(state.rows.done - rows) <= Number(Math.abs(state.rows.since) < 1e-6));
  }
});

test('at the end both have read all, and the quotient is that of the two times', () => {
  for (const trace of runs) {
    const state = race.state(trace, trace.end);
    assert.deepEqual([state.files.done, state.rows.done], [READS, READS]);
    assert.equal(state.soFar, trace.files[READS - 1] / trace.rows[READS - 1]);
    assert.match(race.sentence(state), /Done: 24 of 24 from files, 24 from rows\. A file took/);
  }
});

test('the sentence says what is being read', () => {
  const [small] = runs;
  assert.match(race.sentence(race.state(small, 10)), /file 1 is being opened, and row 1 is being looked up\./);
  assert.match(race.sentence(race.state(small, 130)), /4 of 10 kB of file 1 have been read/);
});

test('forward, backward and jumped to, a time shows the same', () => {
  for (const trace of runs) {
    assertSameAtEachVisit((t) => {
      const state = race.state(trace, t), tall = race.height(576);
      const drawing = markup((surface) => race.moving(state, 576, tall, surface));
      return race.sentence(state) + drawing;
    }, trace.end);
  }
});

test('the numbers are the same ones at every time', () => {
  for (const trace of runs) assertSameFigures(race, moments.filter((state) => state.trace === trace));
});

test('no label touches another or leaves the drawing, on a phone and wide', () => {
  for (const trace of runs) {
    for (const width of [326, 576, 700, 960]) {
      const tall = race.height(width);
      const all = labels(markup((surface) => race.backdrop(trace, width, tall, surface)));
      assert.equal(all.length, 4);
      const outside = all.filter(({ x, right, top, y }) => x < 0 || right > width || top < 0 || y > tall);
      assert.deepEqual([outside, touching(all)], [[], []]);
    }
  }
});
