import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listen } from '../../book/_static/curve/hand.js';
import { frame } from '../../book/_static/curve/scales.js';
import { axes, GRAPHS } from './curves.js';

const PLOT = frame(axes(GRAPHS), 560, 260), LEFT = 30, TOP = 100; // of the chart on the screen
const MOUSE = { pointerType: 'mouse', button: 0 }, FINGER = { pointerType: 'touch', button: 0 };

/** A chart under a hand: what it was told, and how to touch it. */
function touched() {
  /** @type {[string, ...unknown[]][]} */
  const told = [];
  const tell = (/** @type {string} */ name) => (/** @type {unknown[]} */ ...words) => void told.push([name, ...words]);
  const svg = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: LEFT, top: TOP }),
    setPointerCapture: tell('capture'),
    matches: () => true,
  });
  const parts = { read: tell('read'), set: tell('set'), point: tell('point') };
  const chart = { svg, plot: PLOT, parameter: GRAPHS, reading: null, x: () => 40_000, ...parts };
  listen(/** @type {any} */ (chart));
  /** Returns what one event led to. @param {string} name @param {object} [words] */
  const does = (name, words = {}) => {
    const event = Object.assign(new Event(name, { cancelable: true }), words);
    svg.dispatchEvent(event);
    return { prevented: event.defaultPrevented, told: told.splice(0) };
  };
  return { chart, does };
}

/** @param {number} graphs @param {number} [down] */
const over = (graphs, down = 80) => ({ clientX: LEFT + PLOT.x(graphs), clientY: TOP + down });

test('a mouse that points reads the curve and asks what is near; it moves nothing', () => {
  const { does } = touched(), { told } = does('pointermove', { ...MOUSE, ...over(10_000) });
  assert.deepEqual(told, [['point', PLOT.x(10_000), 80], ['read', 10_000]]);
  assert.deepEqual(does('pointerleave').told, [['read', null]]);
  assert.deepEqual(does('pointerdown', { ...MOUSE, button: 2, ...over(10_000) }).told, []);
});

test('a drag moves the marker to where the pointer is, and ends where it is let go', () => {
  const { does } = touched();
  const down = does('pointerdown', { ...MOUSE, pointerId: 7, ...over(10_000) }).told;
  assert.deepEqual(down.slice(0, 2), [['capture', 7], ['set', 10_000]]);
  assert.deepEqual(does('pointermove', { ...MOUSE, ...over(20_000) }).told[0], ['set', 20_000]);
  assert.deepEqual(does('pointerleave').told, []); // it is held
  assert.deepEqual(does('pointerup', MOUSE).told, [['set', 40_000, true]]);
  assert.deepEqual(does('pointermove', { ...MOUSE, ...over(20_000) }).told[1], ['read', 20_000]);
});

test('a finger reads only while it drags, and one that is gone points at nothing', () => {
  const { does } = touched();
  assert.deepEqual(does('pointermove', { ...FINGER, ...over(10_000) }).told, []);
  for (const end of ['pointerup', 'pointercancel']) {
    does('pointerdown', { ...FINGER, ...over(10_000) });
    assert.deepEqual(does(end, FINGER).told, [['set', 40_000, true], ['read', null]]);
  }
});

test('nothing is told before there is a plot', () => {
  const { chart, does } = touched();
  assert.deepEqual(does('pointermove', { ...MOUSE, ...over(10_000) }).told.length, 2);
  Object.assign(chart, { plot: null });
  assert.deepEqual(does('pointermove', { ...MOUSE, ...over(10_000) }).told, []);
});

test('keys read along the curve, Enter takes what is read, and other keys are left to the page', () => {
  const { chart, does } = touched();
  assert.deepEqual(does('focus').told, [['read', 40_000]]);
  assert.deepEqual(does('keydown', { key: 'Home' }), { prevented: true, told: [['read', 1000]] });
  Object.assign(chart, { reading: 1000 });
  assert.deepEqual(does('keydown', { key: 'Enter' }), { prevented: true, told: [['set', 1000, true]] });
  assert.deepEqual(does('keydown', { key: 'Escape' }), { prevented: true, told: [['read', null]] });
  assert.deepEqual(does('keydown', { key: 'Tab' }), { prevented: false, told: [] });
  assert.deepEqual(does('blur').told, [['read', null]]);
});
