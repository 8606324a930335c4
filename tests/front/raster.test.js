import assert from 'node:assert/strict';
import { test } from 'node:test';
import { raster } from '../../book/_static/animation/raster.js';
import { markup } from '../../book/_static/animation/surface.js';
import { builtKernels } from './built.js';
import { assertApart, assertSameAtEachVisit, assertSameFigures, draws } from './drawings.js';

/** @import { RasterState } from '../../book/_static/animation/raster.js' */

const COST = 20, SCANS = 3, WIDE = 662, NARROW = 294;
const kernels = builtKernels('cache_cliff');

/** The run of the chapter's own kernel.
 * @param {number} files @param {number} places @param {number} policy @param {number} [order] */
function run(files, places, policy, order = 0) {
  const [counts] = [kernels.call('experiment.hit_runs', [1, files, places, policy, order, SCANS])].flat();
  const lengths = Array.from(/** @type {Int32Array} */ (counts), Number);
  return { files, places, scans: SCANS, cost: COST, formula: 1, columns: 210, run: lengths };
}

const runs = [run(1000, 900, 3), run(661, 660, 0), run(660, 660, 0), run(1001, 900, 4), run(900, 700, 0, 2)];

/** Whether each write was a hit, from the lengths of their runs. @param {{ run: number[] }} columns */
const writes = ({ run: counts }) => counts.flatMap((count, n) => Array.from({ length: count }, () => n % 2));

/** @param {typeof raster.scene} layer @param {RasterState} state @param {number} [width] */
function draw(layer, state, width = WIDE) {
  return markup((surface) => layer(state, width, raster.height(width), surface));
}

/** The number of writes done by t, from the beginning. @param {number[]} hit @param {number} t */
function doneBy(hit, t) {
  let now = 0;
  const next = hit.findIndex((found) => (now += found ? 1 : COST) > t);
  return next < 0 ? hit.length : next;
}

/** The slowdown of the scans after the first. @param {number[]} warm */
function slowdownIn(warm) {
  const misses = warm.filter((found) => !found).length;
  return warm.length ? 1 + (COST - 1) * (misses / warm.length) : NaN;
}

test('at 200 times of each run the writes done are those of a replay from the beginning', () => {
  for (const columns of runs) {
    const trace = raster.prepare(columns), hit = writes(columns), { files } = columns;
    assert.equal(hit.length, SCANS * files);
    for (const share of [0, ...draws(200), 1]) {
      const t = share * trace.begins[trace.length], state = raster.state(trace, t), done = doneBy(hit, t);
      assert.equal(state.done, done);
      const slowdown = state.slowdown ?? NaN, truth = slowdownIn(hit.slice(files, done));
      assert.ok(Object.is(slowdown, truth) || Math.abs(slowdown - truth) < 1e-9);
      assert.ok([done, done - 1].some((write) => state.scan === Math.floor(write / files)));
      assert.equal(state.found, hit.slice(state.scan * files, done).filter(Boolean).length);
    }
  }
});

const numbers = (/** @type {RegExp} */ each, /** @type {string} */ d) => (
  [...d.matchAll(each)].map(([, long]) => Number(long)));

/** The number of pixels covered by boxes, or by full rows and a shorter last one. @param {string} d */
function areaOf(d) {
  return d.split(/m/i).reduce((sum, part) => {
    const [wide = 0, ...rest] = numbers(/h(-?\d+)/g, part), [tall = 0, last = 0] = numbers(/v(\d+)/g, part);
    return sum + (rest.length > 1 ? wide * tall + (wide + rest[0]) * last : wide * tall);
  }, 0);
}

/** The number of pixels covered by shapes of a colour. @param {string} svg @param {string} colour */
function pixels(svg, colour) {
  const shapes = [...svg.matchAll(/<path d="([^"]*)"([^>]*)/g)].filter(([, , look]) => look.includes(colour));
  return shapes.reduce((sum, [, d]) => sum + areaOf(d), 0);
}

/** @param {RasterState} state @param {number[]} hit whether each write is one @param {number} width */
function assertPictured(state, hit, width) {
  const all = draw(raster.scene, state, width) + draw(raster.moving, state, width);
  assert.equal(pixels(all, '--animation-hit-ground'), state.done);
  assert.equal(pixels(all, '--animation-miss,'), hit.slice(0, state.done).filter((each) => !each).length);
}

test('the picture has a pixel for each write that is done, dark for each miss', () => {
  for (const columns of runs) {
    const trace = raster.prepare(columns), hit = writes(columns);
    for (const share of [...draws(30), 1]) {
      const state = raster.state(trace, share * trace.begins[trace.length]);
      assertPictured(state, hit, WIDE);
      assertPictured(state, hit, NARROW);
    }
  }
});

test('a time shows the same after jumps, forward and backward', () => {
  const trace = raster.prepare(runs[0]);
  assertSameAtEachVisit((t) => {
    const state = raster.state(trace, t);
    return raster.sentence(state) + draw(raster.moving, state) + draw(raster.scene, state);
  }, trace.begins[trace.length]);
});

test('another run goes on in the same scan', () => {
  const here = raster.prepare(runs[0]), there = raster.prepare(runs[1]);
  const state = raster.state(here, here.begins[2 * here.rows + 1]);
  assert.equal(raster.state(there, raster.round(state, there)).scan, 2);
});

test('its figures are the slowdown so far, and the misses from scan 2 on', () => {
  for (const columns of runs) {
    const trace = raster.prepare(columns), hit = writes(columns);
    const states = [0, ...draws(50), 1].map((share) => raster.state(trace, share * trace.begins[trace.length]));
    assertSameFigures(raster, states);
    for (const state of states) {
      const warm = hit.slice(columns.files, state.done), misses = warm.filter((found) => !found).length;
      const [soFar, , missed] = (raster.figures?.(state) ?? []).map(({ value }) => value);
      const truth = [slowdownIn(warm).toFixed(2), ((100 * misses) / warm.length).toFixed(1)];
      assert.deepEqual([soFar, missed], warm.length ? truth : ['–', '–']);
    }
  }
});

for (const width of [294, 323, 340, 358, 662, 704]) {
  test(`no two labels touch and none leaves the drawing, ${width} px wide`, () => {
    for (const columns of [...runs, run(40_000, 36_562, 0)]) {
      const trace = raster.prepare(columns), end = trace.begins[trace.length];
      for (const share of [0, ...draws(5), 1]) assertApart(raster, trace, share * end, width);
    }
  });
}
