import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withCommas } from '../../book/_static/quantity.js';
import { markup } from '../../book/_static/animation/surface.js';
import { windows } from '../../book/_static/animation/windows.js';
import { builtKernels } from './built.js';
import { assertSameFigures, draws, labels, touching } from './drawings.js';

/** @import { WindowSide, WindowState } from '../../book/_static/animation/windows.js' */

const SPAN_S = 15, LOSS = 0.00037, LCRS_A_SEGMENT = 3.65;
const kernels = builtKernels('replication');

/** One connection of the chapter's own kernel.
 * @param {string} site @param {number} rtt_s @param {number} first_s @param {number} loss */
function side(site, rtt_s, first_s, loss) {
  const rounds = Math.floor((first_s + SPAN_S) / rtt_s) + 1, most = loss < 1e-9 ? 67.5 : 1e30;
  const columns = kernels.call('experiment.window_trace', [1, false, loss, rounds, rtt_s, true, most]);
  const [sizes, events] = columns.map((column) => Array.from(/** @type {Float64Array} */ (column), Number));
  const first = Math.floor(first_s / rtt_s);
  return { site, rtt_s, first, windows: sizes.slice(first), events: events.slice(first), rate: 2594 };
}

/** @param {number} first_s @param {number} loss */
function run(first_s, loss) {
  const sides = [side('BNL', 0.095, first_s, loss), side('TRIUMF', 0.155, first_s, loss)];
  return { law: loss < 1e-9 ? 'window' : 'cubic', first_s, span_s: SPAN_S, lcrs_a_segment: LCRS_A_SEGMENT, sides };
}

const runs = [run(5000, LOSS), run(0, LOSS), run(5000, 1e-15), run(0, 1e-15)].map(windows.prepare);
const moments = runs.flatMap((trace) => [0, ...draws(200), 1].map((share) => windows.state(trace, share * SPAN_S)));

/** @param {WindowState} state @param {number} width */
function draw(state, width) {
  const tall = windows.height(width);
  return markup((surface) => {
    windows.backdrop(state.trace, width, tall, surface);
    windows.moving(state, width, tall, surface);
  });
}

/** What a connection has sent so far, and its losses, added up millisecond by millisecond.
 * @param {WindowState} state @param {WindowSide} side */
function replay({ trace: { first_s: from }, t }, { first, rtt_s: rtt, windows: sizes, events }) {
  let sent = 0, k = 0;
  for (let ms = 0.5; ms < 1000 * t; ms += 1) {
    k = Math.floor((from + ms / 1000) / rtt) - first;
    sent += sizes[k] / (1000 * rtt);
  }
  return { sent, losses: events.slice(0, k + 1).filter((event) => event === 1 || event === 3).length };
}

test('at 200 times of each run each window is the one of its round, and what was sent adds up', () => {
  for (const state of moments) {
    for (const { side: one, window, k, losses, soFar } of state.sides) {
      const began = (one.first + k) * one.rtt_s - state.trace.first_s;
      assert.ok(began <= state.t + 1e-6);
      assert.ok(began + one.rtt_s > state.t - 1e-6 || k === one.windows.length - 1);
      assert.equal(window, one.windows[k]);
      const truth = replay(state, one);
      assert.ok(Math.abs(losses - truth.losses) <= Number(Math.abs(began - state.t) < 2e-3));
      const sent = ((soFar ?? 0) * state.t) / LCRS_A_SEGMENT;
      assert.ok(Math.abs(sent - truth.sent) <= Math.max(...one.windows) / (1000 * one.rtt_s)); // a millisecond's
    }
  }
});

test('there is a column for each round, and a cross for each loss', () => {
  for (const trace of runs) {
    const drawing = draw(windows.state(trace, 4), 576);
    const paths = [...drawing.matchAll(/<path d="([^"]*)"/g)].map(([, d]) => d);
    const bars = paths.filter((d) => /^M[\d.]+ [\d.]+V[\d.]+h/.test(d));
    const crosses = paths.filter((d) => d.includes('l8 8m0'));
    assert.deepEqual(bars.map((d) => d.split('M').length - 1), trace.sides.map(({ windows: sizes }) => sizes.length));
    const lost = trace.sides.map(({ events }) => events.filter((event) => event === 1 || event === 3).length);
    assert.deepEqual(crosses.map((d) => d.split('M').length - 1), lost.filter((count) => count > 0));
  }
});

test('forward, backward and jumped to, a time shows the same', () => {
  const seen = (/** @type {number} */ t) => {
    const state = windows.state(runs[0], t);
    return windows.sentence(state) + draw(state, 576);
  };
  const jumps = draws(30).map((share) => share * SPAN_S), there = jumps.map(seen);
  const order = [...jumps.keys()].sort((a, b) => jumps[a] - jumps[b]);
  for (const n of [...order, ...order.reverse()]) assert.equal(seen(jumps[n]), there[n]);
});

test('a moment is kept as a second of the connection, and found again', () => {
  for (const trace of runs) {
    for (const share of draws(20)) {
      const at = windows.atOf(trace, share * SPAN_S);
      assert.ok(Math.abs(windows.timeOf(trace, at) - share * SPAN_S) <= 5e-4);
      assert.ok(at >= trace.first_s);
    }
    assert.equal(windows.timeOf(trace, -1), 0);
    assert.equal(windows.timeOf(trace, 1e9), SPAN_S);
  }
});

test('no two labels touch, and none leaves the drawing, on a phone and wide', () => {
  for (const width of [294, 323, 340, 358, 662, 704]) {
    for (const state of moments.filter((_, n) => n % 10 === 0)) {
      const all = labels(draw(state, width));
      const outside = all.filter(({ x, right, y }) => x < 0 || right > width || y > windows.height(width));
      assert.deepEqual([width, outside, touching(all)], [width, [], []]);
    }
  }
});

test('its figures are the rates so far, and how much of the nearer site’s rate reaches the farther', () => {
  for (const trace of runs) assertSameFigures(windows, moments.filter((state) => state.trace === trace));
  for (const state of moments) {
    const [near, far] = state.sides.map(({ soFar }) => soFar);
    const truth = near === null || far === null ? [] : [near, far, (100 * far) / near];
    const values = windows.figures?.(state).map(({ value }) => value);
    assert.deepEqual(values, truth.length ? truth.map((value) => withCommas(value)) : ['–', '–', '–']);
  }
});
