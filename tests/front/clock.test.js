import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Clock, multiple } from '../../book/_static/animation/clock.js';

/** A browser's frames, given by hand. @param {boolean} [quiet] */
function frames(quiet = false) {
  /** @type {Map<number, FrameRequestCallback>} */
  const asked = new Map();
  let number = 0, now_ms = 0;
  Object.assign(globalThis, {
    matchMedia: () => ({ matches: quiet }),
    performance: { now: () => now_ms },
    requestAnimationFrame(/** @type {FrameRequestCallback} */ act) {
      asked.set(number += 1, act);
      return number;
    },
    cancelAnimationFrame: (/** @type {number} */ which) => asked.delete(which),
  });
  const pass = (/** @type {number} */ ms) => {
    now_ms += ms;
    const [[which, act] = []] = asked;
    if (!act) return;
    asked.delete(Number(which));
    act(now_ms);
  };
  return { asked, pass };
}

function wound() {
  let shown = 0, rested = 0;
  const clock = new Clock(() => {
    shown += 1;
  }, () => {
    rested += 1;
  });
  clock.wind(Float64Array.of(0, 1, 21, 22), 0);
  clock.each = 20;
  return { clock, counts: () => [shown, rested] };
}

test('nothing runs by itself, and a clock that is paused or out of view asks for no frame', () => {
  const { asked, pass } = frames();
  const { clock } = wound();
  assert.equal(asked.size, 0);
  clock.play();
  assert.equal(asked.size, 1);
  pass(50);
  assert.equal(clock.t, 1);
  clock.setInView(false);
  assert.equal(asked.size, 0);
  clock.setInView(true);
  assert.equal(asked.size, 1);
  clock.pause();
  assert.equal(asked.size, 0);
  clock.setInView(true);
  assert.equal(asked.size, 0);
});

test('it rests at the end, at where a link lets it run to, and begins again from the start', () => {
  const { pass } = frames();
  const { clock, counts } = wound();
  clock.play(2);
  pass(40);
  pass(80);
  assert.deepEqual([clock.t, clock.playing, counts()[1]], [2, false, 1]);
  clock.play();
  for (let n = 0; n < 20; n += 1) pass(1000); // no frame is longer than a tenth of a second
  assert.deepEqual([clock.t, clock.playing], [22, false]);
  clock.play();
  assert.equal(clock.t, 0);
});

test('steps pause it, and lie within the run', () => {
  frames();
  const { clock } = wound();
  clock.play();
  clock.step(1);
  assert.deepEqual([clock.t, clock.playing], [1, false]);
  clock.step(1);
  clock.step(-1);
  assert.equal(clock.t, 1);
  clock.seek(-5);
  assert.equal(clock.t, 0);
  clock.seek(1e9);
  assert.equal(clock.t, 22);
});

test('with less motion it goes from event to event, two a second', (t) => {
  t.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ['setTimeout'] });
  const { asked } = frames(true);
  const { clock } = wound();
  clock.play();
  assert.equal(asked.size, 0);
  mock.timers.tick(499);
  assert.equal(clock.t, 0);
  mock.timers.tick(1);
  assert.equal(clock.t, 1);
  mock.timers.tick(500);
  assert.equal(clock.t, 21);
  mock.timers.tick(500);
  assert.deepEqual([clock.t, clock.playing], [22, false]);
});

test('at the end the last event is on', () => {
  frames();
  const { clock } = wound();
  clock.seek(21.5);
  assert.equal(clock.event, 2);
  clock.seek(22);
  assert.equal(clock.event, 3);
});

test('a speed is a multiple of the usual one', () => {
  assert.deepEqual([5, 20, 80].map((each) => multiple(each, 20)), ['×¼', '×1', '×4']);
  assert.deepEqual([10e6, 50e6, 500e6].map((each) => multiple(each, 50e6)), ['×0.2', '×1', '×10']);
});
