import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptCurves, keyTarget, listen } from '../../book/_static/chart/chart.js';
import { evidence } from '../../book/_static/chart/draw.js';
import { boxOf, frame, niceDomain, path, read, textWidth, touch, valueAt } from '../../book/_static/chart/scales.js';
import { formatNumber, quantity, withCommas } from '../../book/_static/quantity.js';
import { axes, CLIFF, DELAY, GRAPHS, PLOTTED, SCHEME, shapes } from './curves.js';

const WIDTHS = [340, 560, 900];

/** @param {import('./curves.js').Shape[]} all */
const boxes = (all) => all.filter(({ tag }) => tag === 'text').map(({ text, attributes }) => {
  const anchor = /** @type {Word['anchor']} */ (attributes['text-anchor']);
  return boxOf({ x: Number(attributes.x), y: Number(attributes.y), anchor, text });
});

test('numbers have suitable units, and at most four digits', () => {
  assert.deepEqual([0.00035798822, 9.5019745, 0.025, 3, 0].map((value) => quantity(value, 's')),
    ['358 µs', '9.502 s', '25 ms', '3 s', '0 s']);
  assert.deepEqual([quantity(95_443.718, 'B'), quantity(40_000, 'graphs'), quantity(0.5, '1')],
    ['95.44 kB', '40,000 graphs', '0.5']);
  assert.deepEqual([0, 30].map((value) => quantity(value, '1/s')), ['0/s', '30/s']);
  assert.equal(formatNumber(36_562.5), '36,563');
  assert.deepEqual([-0.5, -2.5e-9, -3438].map((value) => formatNumber(value)), ['−0.5', '−2.5e-9', '−3,438']);
  assert.equal(withCommas(-1234.56, 1), '−1,234.6');
  assert.deepEqual(['items', 'retries', 'threads', 's', 'bus'].map((unit) => quantity(1, unit)),
    ['1 item', '1 retry', '1 thread', '1 s', '1 bus']);
});

for (const wide of WIDTHS) {
  test(`at ${wide} px an axis has three to six ticks, whose labels do not touch and are not cut off`, () => {
    const small = { ...GRAPHS, low: 1e-6, high: 0.1, unit: 's', integer: false };
    for (const each of [axes(GRAPHS), axes(DELAY, [0, 20_000], 's'), axes(small)]) {
      const { xs, ys, left } = frame(each, wide, 260);
      assert.ok(xs.length >= 3 && xs.length <= 6 && ys.length >= 4 && ys.length <= 6, JSON.stringify([xs, ys]));
      const ends = xs.filter(({ text }) => text)
        .map(({ middle, text }) => [middle - textWidth(text) / 2, middle + textWidth(text) / 2]);
      assert.ok(ends.length >= 3);
      ends.forEach(([from, to], n) => assert.ok(from >= (n ? ends[n - 1][1] + 8 : 0) && to <= wide));
      assert.ok(ys.every(({ text }) => textWidth(text) <= left));
    }
  });

  test(`at ${wide} px no labels overlap, wherever the marker is`, () => {
    const item = { low: 19, high: 21, allowed: null, way: /** @type {0} */ (0), details: '' };
    const published = [true, true, false].map((holds, n) => (
      { ...item, x: 40_000 + 500 * n, y: 20 - n, holds, text: 'Slowdown with 40,000 graphs in 3.25 GiB' }));
    const kept = [{ points: CLIFF.map(({ x }) => ({ x, y: 19.5 })), text: 'the best' }];
    for (const x of [1000, 20_000, 36_562, 40_000, 150_000, 200_000]) {
      const here = { x, y: x > 36_562 ? 20 : 1 };
      const found = boxes(shapes({ ...PLOTTED, here, evidence: published, kept, text: 'oldest first' }, wide));
      found.forEach((box, n) => {
        for (const other of found.slice(0, n)) assert.ok(!touch(box, other), JSON.stringify([x, box, other]));
      });
    }
  });
}

const PUBLISHED = { low: 9, high: 11, allowed: null, way: /** @type {0} */ (0), details: '' };

test('a published number of other conditions is a dot without a label', () => {
  const near = { ...PUBLISHED, x: 5000, y: 10, holds: true, text: 'Here' };
  const drawn = shapes({ ...PLOTTED, evidence: [near, { ...near, y: 5, holds: false, text: 'Elsewhere' }] }, 560);
  const circles = drawn.filter(({ tag }) => tag === 'circle');
  const [dot, ring] = circles.filter(({ attributes }) => /evidence/.test(String(attributes.class)));
  assert.deepEqual([dot.attributes.class, ring.attributes.class], ['evidence is-faded', 'evidence']);
  assert.ok(Number(dot.attributes.r) < Number(ring.attributes.r) / 2);
  assert.deepEqual(drawn.filter(({ attributes }) => attributes.class === 'words').map(({ text }) => text), ['Here']);
});

/** The distance of a point from a box. @param {number} x @param {number} y @param {Box} box */
const distance = (x, y, { left, right, top, bottom }) => (
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)));

test('a label of a published number covers no ring and no curve, and is left out where it would', () => {
  const curve = [{ x: 1000, y: 10 }, { x: 200_000, y: 10 }];
  for (const apart of [1.02, 1.1, 1.3, 2]) {
    const items = [0, 1, 2, 3, 4].map((n) => (
      { ...PUBLISHED, x: 8000 * apart ** n, y: 10 + (n % 2), holds: true, text: `Published number ${n}` }));
    const drawn = shapes({ ...PLOTTED, curve, here: null, evidence: items }, 560);
    const plot = frame(PLOTTED.axes, 560, 260);
    const words = boxes(drawn.filter(({ attributes }) => attributes.class === 'words'));
    assert.ok(words.length >= 1 && words.length <= 5);
    assert.ok(words.every(({ top, bottom }) => plot.y(10) < top || plot.y(10) > bottom), String(apart));
    const away = words.flatMap((box) => items.map(({ x, y }) => distance(plot.x(x), plot.y(y), box)));
    assert.ok(Math.min(...away) > 10, `${apart} ${away}`);
  }
});

test('the bar of an interval ends below the buttons, open where it leaves the plot', () => {
  const item = { ...PUBLISHED, x: 5000, y: 19, low: 14, high: 24, holds: true, text: '' };
  const plot = frame(PLOTTED.axes, 560, 260);
  const signs = (/** @type {Evidence} */ each) => shapes({ ...PLOTTED, evidence: [each] }, 560)
    .filter(({ tag, attributes }) => tag === 'path' && attributes.class === 'evidence')
    .map(({ attributes }) => String(attributes.d));
  const [cut] = signs(item), [whole] = signs({ ...item, y: 10, low: 5, high: 15 });
  assert.ok(plot.y(19) - Number(/M0 -([\d.]+)V/.exec(cut)?.[1]) >= 30, cut);
  assert.equal(cut.match(/h10/g)?.length, 1);
  assert.equal(whole.match(/h10/g)?.length, 2);
});

test('ticks of y are a label apart, however low the chart is', () => {
  for (let tall = 110; tall < 300; tall += 1) {
    for (const high of [1, 12, 25, 0.4, 21_000]) {
      const { y, ys } = frame({ ...axes(GRAPHS), domain: [0, high] }, 340, tall);
      assert.ok(ys.length > 1);
      assert.ok(ys.slice(1).every(({ value }, n) => y(ys[n].value) - y(value) >= 15), `${tall} ${high}`);
    }
  }
});

test('the marker is on its curve, and its value beside it', () => {
  const found = shapes(PLOTTED, 560), plot = frame(PLOTTED.axes, 560, 260);
  const marker = found.find(({ attributes }) => attributes.class === 'marker')?.attributes;
  assert.ok(Math.abs(Number(marker?.cx) - plot.x(40_000)) <= 0.05);
  assert.ok(Math.abs(Number(marker?.cy) - plot.y(20)) <= 0.05);
  assert.ok(found.some(({ text }) => text === '20 ×'));
});

test('a value beyond the axis is shown at its edge with an arrow', () => {
  const found = shapes({ ...PLOTTED, here: { x: 40_000, y: 40 } }, 560);
  assert.ok(found.some(({ text }) => text === '↑ 40 ×'));
  const marker = found.find(({ attributes }) => attributes.class === 'marker')?.attributes;
  assert.equal(marker?.cy, frame(PLOTTED.axes, 560, 260).top);
});

test('a curve is cut where it leaves the frame, and not drawn beyond', () => {
  const plot = frame(axes(DELAY), 560, 260);
  const d = path([{ x: 0, y: 0 }, { x: 0.1, y: 40 }, { x: 0.2, y: 0 }, { x: 0.25, y: null }], plot);
  const ys = [...d.matchAll(/,(-?[\d.]+)/g)].map(([, y]) => Number(y));
  assert.ok(ys.every((y) => y >= plot.top - 0.01 && y <= plot.bottom + 0.01), d);
  assert.equal(d.match(/M/g)?.length, 2);
  assert.ok(d.startsWith(`M${plot.x(0)},${plot.y(0)}L${Number(plot.x(0.05).toFixed(2))},${plot.top}`), d);
});

test('a line across the whole frame is drawn in its own direction', () => {
  const plot = frame(axes(DELAY), 560, 260), { top, bottom, x } = plot;
  const rising = path([{ x: 0, y: -20 }, { x: 0.2, y: 40 }], plot);
  const falling = path([{ x: 0, y: 40 }, { x: 0.2, y: -20 }], plot);
  const [third, two] = [0.2 / 3, 0.4 / 3].map((at) => Number(x(at).toFixed(2)));
  assert.equal(rising, `M${third},${bottom}L${two},${top}`);
  assert.equal(falling, `M${third},${top}L${two},${bottom}`);
});

test('a curve is read between its points as it is drawn, and at a jump on its near side', () => {
  const place = frame(axes(GRAPHS), 560, 260).x;
  assert.equal(read(CLIFF, 36_562, place), 1);
  assert.equal(read(CLIFF, 36_563, place), 20);
  const rising = [{ x: 1000, y: 0 }, { x: 100_000, y: 10 }];
  assert.ok(Math.abs((read(rising, 10_000, place) ?? NaN) - 5) < 1e-9);
});

test('a pixel is a value of the parameter within its range', () => {
  const plot = frame(axes(GRAPHS), 560, 260);
  assert.equal(valueAt(plot, GRAPHS, -50), 1000);
  assert.equal(valueAt(plot, GRAPHS, 900), 200_000);
  const value = valueAt(plot, GRAPHS, 300);
  assert.ok(Number.isInteger(value) && Math.abs(plot.x(value) - 300) < 0.5);
});

test('keys move by positions of the slider', () => {
  assert.equal(keyTarget('Home', 5, GRAPHS), 1000);
  assert.equal(keyTarget('ArrowRight', 5, { ...GRAPHS, low: 0, high: 30, scale: 'linear' }), 6);
  assert.ok((keyTarget('PageUp', 40_000, GRAPHS) ?? 0) > (keyTarget('ArrowUp', 40_000, GRAPHS) ?? 0));
  assert.equal(keyTarget('a', 5, GRAPHS), null);
});

test('a rescaled axis holds the curve, with round ends', () => {
  assert.deepEqual(niceDomain([3, 47]), [0, 50]);
  assert.deepEqual(niceDomain([552, 591]), [550, 600]);
});

test('two curves are kept, and their names say how they differ', () => {
  const kept = new KeptCurves([GRAPHS, SCHEME, DELAY], 'graphs');
  const state = { graphs: 1000, scheme: 'lru', delay: 0.1 };
  kept.add(state, CLIFF);
  kept.add({ ...state, graphs: 2000 }, CLIFF); // the same curve
  assert.equal(kept.curves.length, 1);
  assert.equal(kept.describe(state).text, '');
  assert.deepEqual(kept.describe({ ...state, scheme: 'opt' }).kept.map(({ text }) => text), ['oldest first']);
  assert.equal(kept.describe({ ...state, scheme: 'opt' }).text, 'the best');
  kept.add({ ...state, scheme: 'opt' }, CLIFF);
  kept.add({ ...state, delay: 0.2 }, CLIFF);
  assert.deepEqual(kept.describe(state).kept.map(({ text }) => text), ['the best, 100 ms', 'oldest first, 200 ms']);
  kept.clear();
  assert.deepEqual(kept.describe(state), { kept: [], text: '' });
});

test('ticks of y end left of the frame, those of x are below it', () => {
  const drawn = shapes(PLOTTED, 600);
  const ticks = drawn.filter(({ attributes }) => attributes.class === 'tick').map(({ attributes }) => attributes);
  const [beside, beneath] = ['end', 'middle'].map((way) => ticks.filter((each) => each['text-anchor'] === way));
  const line = drawn.find(({ attributes }) => attributes.class === 'grid')?.attributes ?? {};
  assert.ok(beside.length > 2 && beside.every(({ x }) => Number(x) === Number(line.x1) - 6));
  const lowest = Math.max(...beside.map(({ y }) => Number(y)));
  assert.ok(beneath.length > 2 && beneath.every(({ y }) => Number(y) > lowest));
});

const PLOT = frame(axes(GRAPHS), 560, 260), LEFT = 30, TOP = 100; // of the chart on the screen
const MOUSE = { pointerType: 'mouse', button: 0 }, FINGER = { pointerType: 'touch', button: 0 };

/** A chart that records its calls, and a function that sends it events. */
function chartWithEvents() {
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
  /** Returns the calls after an event. @param {string} name @param {object} [words] */
  const does = (name, words = {}) => {
    const event = Object.assign(new Event(name, { cancelable: true }), words);
    svg.dispatchEvent(event);
    return { prevented: event.defaultPrevented, told: told.splice(0) };
  };
  return { chart, does };
}

/** @param {number} graphs @param {number} [down] */
const over = (graphs, down = 80) => ({ clientX: LEFT + PLOT.x(graphs), clientY: TOP + down });

test('pointing with a mouse reads the curve and looks for numbers nearby, but moves nothing', () => {
  Object.assign(globalThis, { document: new EventTarget() }); // which hears Escape
  const { does } = chartWithEvents(), { told } = does('pointermove', { ...MOUSE, ...over(10_000) });
  assert.deepEqual(told, [['point', PLOT.x(10_000), 80], ['read', 10_000]]);
  assert.deepEqual(does('pointerleave').told, [['read', null]]);
  assert.deepEqual(does('pointerdown', { ...MOUSE, button: 2, ...over(10_000) }).told, []);
});

test('a drag moves the marker to the pointer, and ends where the pointer is released', () => {
  const { does } = chartWithEvents();
  const down = does('pointerdown', { ...MOUSE, pointerId: 7, ...over(10_000) }).told;
  assert.deepEqual(down.slice(0, 2), [['capture', 7], ['set', 10_000]]);
  assert.deepEqual(does('pointermove', { ...MOUSE, ...over(20_000) }).told[0], ['set', 20_000]);
  assert.deepEqual(does('pointerleave').told, []); // it is held
  assert.deepEqual(does('pointerup', MOUSE).told, [['set', 40_000, true]]);
  assert.deepEqual(does('pointermove', { ...MOUSE, ...over(20_000) }).told[1], ['read', 20_000]);
});

test('a finger reads only while it drags, and points at nothing once lifted', () => {
  const { does } = chartWithEvents();
  assert.deepEqual(does('pointermove', { ...FINGER, ...over(10_000) }).told, []);
  for (const end of ['pointerup', 'pointercancel']) {
    does('pointerdown', { ...FINGER, ...over(10_000) });
    assert.deepEqual(does(end, FINGER).told, [['set', 40_000, true], ['read', null]]);
  }
});

test('the pointer does nothing before there is a plot', () => {
  const { chart, does } = chartWithEvents();
  assert.deepEqual(does('pointermove', { ...MOUSE, ...over(10_000) }).told.length, 2);
  Object.assign(chart, { plot: null });
  assert.deepEqual(does('pointermove', { ...MOUSE, ...over(10_000) }).told, []);
});

test('keys read along the curve, Enter takes the value read, and other keys are left to the page', () => {
  const { chart, does } = chartWithEvents();
  assert.deepEqual(does('focus').told, [['read', 40_000]]);
  assert.deepEqual(does('keydown', { key: 'Home' }), { prevented: true, told: [['read', 1000]] });
  Object.assign(chart, { reading: 1000 });
  assert.deepEqual(does('keydown', { key: 'Enter' }), { prevented: true, told: [['set', 1000, true]] });
  assert.deepEqual(does('keydown', { key: 'Escape' }), { prevented: true, told: [['read', null]] });
  assert.deepEqual(does('keydown', { key: 'Tab' }), { prevented: false, told: [] });
  assert.deepEqual(does('blur').told, [['read', null]]);
});

const ROW = {
  label: 'Slowdown', output: 'slowdown', settings: { graphs: 40_000, scheme: 'lru' }, value: 20, resolution: 10,
  relation: '=', compared: '=', side: '', published_text: '20', unit: '1', digits: 2, status: 'calibrated', remark: '',
};
const PLACE = { x: 40_000, y: 20, low: 15, high: 25, way: 0 };
const CASE = {
  defaults: { graphs: 40_000, scheme: 'lru' },
  parameters: [GRAPHS, SCHEME], rows: [ROW, { ...ROW, relation: 'at least' }, { ...ROW, output: 'other' }],
};

test('a published number holds if its conditions, apart from x, are those of the curve', () => {
  const view = { x: 'graphs', y: 'slowdown' };
  const [here, bound] = evidence(CASE, view, { graphs: 1000, scheme: 'lru' });
  const { x, y, low, high, way, holds } = here;
  assert.deepEqual({ x, y, low, high, way, holds }, { ...PLACE, holds: true });
  assert.equal(bound.way, 1);
  const [elsewhere] = evidence(CASE, view, { graphs: 1000, scheme: 'opt' });
  assert.equal(elsewhere.holds, false);
  assert.equal(elsewhere.details, 'Published: Slowdown, 20 (calibrated), for oldest first');
});

test('a number that nothing was fitted to has a bar for what the digits allow the model', () => {
  const allowed = { allowed: /** @type {[number, number]} */ ([17, 21]), allowed_text: '17.0 to 21.0' };
  const rows = [{ ...ROW, ...allowed }];
  const [item] = evidence({ ...CASE, rows }, { x: 'graphs', y: 'slowdown' }, { graphs: 1000, scheme: 'lru' });
  assert.match(item.details, /Allowing for rounding, the model gives 17\.0 to 21\.0$/);
  const plot = frame(PLOTTED.axes, 560, 260);
  const bar = shapes({ ...PLOTTED, evidence: [item] }, 560).find(({ attributes }) => attributes.class === 'allowed');
  assert.equal(bar?.attributes.d, `M${plot.x(40_000)} ${plot.y(21)}V${plot.y(17)}`);
});
