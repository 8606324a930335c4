// Chapter 2's animation: how the server, the queue in front of it, and a run of both are drawn.
import { withCommas } from '../quantity.js';
import { bySecond } from './events.js';
import { ANSWERED, LATE, figures, prepare, sentence, stateAt } from './storm-run.js';
import {
  FORMULA_LINE, GROUND, HIT, HIT_GROUND, INK, MISS, MISS_GROUND, MODEL, SOFT, WAIT, px,
} from './surface.js';

/** @import { Storm, StormState } from './storm-run.js' */

// ---- The sizes of all parts

const NARROW = 600; // px: a phone, or one of two runs side by side
const SMALL = { 'font-size': 12 };
export const TAPE_HEIGHT = 72; // px, of a whole run in a picture

/** @typedef {[number, number]} Place */

const PHONE_LAYOUT = {
  top: 37, room: 73, gap: 18, tape: 66, row: 3.5, hole: 1.2, second: 60, wait: 10, dot: 4, client: 5,
  server: { wide: 46, high: 28, served: 6, size: 12, x: 53, lines: /** @type {Place} */ ([12, 27]) },
  legend: { x: 154, lines: /** @type {Place} */ ([12, 27]), size: 12, words: ['waits', 'has left', 'in'], reach: 12 },
  who: 'One client',
};
const WIDE_LAYOUT = {
  top: 56, room: 126, gap: 26, tape: 80, row: 6, hole: 1.8, second: 20, wait: 5, dot: 5, client: 8,
  server: { wide: 90, high: 42, served: 11, size: 16, x: 104, lines: /** @type {Place} */ ([18, 39]) },
  legend: {
    x: 262, lines: /** @type {Place} */ ([16, 38]), size: 13, reach: 38,
    words: ['client still waiting', 'client has left', 'served within'],
  },
  who: 'The watched client',
};

/** The sizes of all parts, in pixels; the seconds between two numbers on the tape, and beside the queue; the words.
 * @param {number} width */
const layout = (width) => (width < NARROW ? PHONE_LAYOUT : WIDE_LAYOUT);

/** @param {number} width */
function heightOf(width) {
  const { top, room, gap, tape: foot } = layout(width);
  return top + room + gap + foot;
}

/** The size of the time axis. @param {number} width */
function tape(width) {
  return { width, height: layout(width).tape };
}

// ---- The tape: the run from end to end, with what the server did in each second as bars, attempts as a line, and the
// self-sustaining loads by the closed form

/** @typedef {{ width: number, bottom: number, high: number }} Tape where it is drawn */

const TAPE_FOOT = 16, HEADROOM = 1.25;

/** @param {Storm} trace @param {Tape} tape */
function tapePlan({ end, capacity, rate, tries }, { width, bottom, high }) {
  const base = bottom - TAPE_FOOT, top = bottom - high + 6;
  const most = HEADROOM * Math.max(capacity, rate * tries);
  return {
    base, top,
    x: (/** @type {number} */ t) => (t / end) * width,
    y: (/** @type {number} */ load) => base - (Math.min(load, most) / most) * (base - top),
  };
}

/** The path of bars from one count to another in each second, as wide as a share of it.
 * @param {ReturnType<typeof tapePlan>} at @param {(second: number) => [number, number]} counts
 * @param {number} end @param {number} share */
function barsPath({ x, y }, counts, end, share) {
  let d = 'M0 0';
  for (let second = 0; second < end; second += 1) {
    const [low, high] = counts(second);
    const left = px(x(second + (1 - share) / 2)), wide = px(share * (x(1) - x(0)));
    if (high > low) d += `M${left} ${px(y(low))}h${wide}V${px(y(high))}h${-wide}z`;
  }
  return d;
}

/** The path of the self-sustaining loads, each while its rules hold.
 * @param {Storm} trace @param {ReturnType<typeof tapePlan>} at */
function formulaPath({ eras, end }, { x, y }) {
  return eras.flatMap(([from, ...loads], n) => {
    const until = eras[n + 1]?.[0] ?? end;
    return loads.map((load) => (load === null ? '' : `M${px(x(from))} ${px(y(load))}H${px(x(until))}`));
  }).join('') || 'M0 0';
}

/** Draw a whole run. @param {Storm} trace @param {Tape} tape @param {Surface} surface */
export function drawTape(trace, { width, bottom, high }, surface) {
  const at = tapePlan(trace, { width, bottom, high }), { base, top, x, y } = at, { end, seconds, deeds } = trace;
  for (const [from, kind, length] of deeds) {
    const wide = kind === 'outage' ? x(Number(length)) : 0;
    surface.put('rect', { x: px(x(from)), y: top, width: px(wide), height: base - top, fill: MISS_GROUND });
    surface.put('path', { d: `M${px(x(from))} ${top}l-4 -6h8z`, fill: INK });
  }
  const { sent, done, answered } = seconds;
  surface.put('path', { d: barsPath(at, (second) => [0, answered[second]], end, 0.9), fill: HIT });
  surface.put('path', { d: barsPath(at, (second) => [answered[second], done[second]], end, 0.4), fill: MISS });
  const line = Array.from(sent, (count, second) => `${second ? 'V' : 'M0 '}${px(y(count))}H${px(x(second + 1))}`);
  surface.put('path', { d: line.join(''), fill: 'none', stroke: INK, 'stroke-width': 1.3 });
  surface.put('path', { d: formulaPath(trace, at), ...FORMULA_LINE });
  surface.put('path', { d: `M0 ${base + 0.5}H${width}`, stroke: SOFT });
  const { second: every } = layout(width), name = { ...SMALL, y: base + 13, fill: SOFT };
  for (let second = 0; second <= end; second += every) {
    const anchor = second === 0 ? 'start' : second === end ? 'end' : 'middle';
    const words = second === end ? `${second} s` : String(second);
    surface.put('text', { ...name, x: px(x(second)), 'text-anchor': anchor }, words);
  }
}

/** Draw what the colours of the tape mean: on a phone between its times, else above it at the right.
 * @param {number} width @param {number} height @param {Surface} surface */
function drawKey(width, height, surface) {
  const [inTime, late, y, word] = width < NARROW
    ? [0.13 * width, 0.59 * width, height - 3, 'in time']
    : [width - 206, width - 76, height - layout(width).tape - 3, 'served in time'];
  surface.put('text', { ...SMALL, x: px(inTime), y, fill: HIT }, `✓ ${word}`);
  surface.put('text', { ...SMALL, x: px(late), y, fill: MISS }, '✕ too late');
}

/** @param {StormState} state @param {number} width */
function formulaText({ lowest, highest }, width) {
  if (lowest === null || highest === null) return 'no formula';
  const [low, high] = [Math.round(lowest), Math.round(highest)];
  if (low === high) return `formula ${low}`;
  return width < NARROW ? `formula ${low} or ${high}` : `formula: ${low}; in a storm ${high}`;
}

/** @param {StormState} state @param {number} width @param {number} height @param {Surface} surface */
function drawNow(state, width, height, surface) {
  const { trace, t, mean } = state, { tape: high, dot: r } = layout(width);
  const { base, top, x, y } = tapePlan(trace, { width, bottom: height, high }), here = px(x(t));
  const veil = { x: here, y: top - 6, width: px(width - here), height: base - top + 6 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.75 });
  surface.put('path', { d: `M${here} ${top - 6}V${base + 3}`, stroke: INK, 'stroke-width': 2 });
  const place = mean === null ? { cy: base, fill: GROUND } : { cy: px(y(mean)), fill: INK };
  surface.put('circle', { ...place, cx: here, r, stroke: INK, 'stroke-width': 2 });
  const words = { ...SMALL, y: height - high - 3 }, load = mean === null ? '–' : mean.toFixed(1);
  surface.put('text', { ...words, x: 0, fill: INK }, `${load} attempts a second`);
  const formula = width < NARROW ? { x: width, 'text-anchor': 'end' } : { x: 190, 'text-anchor': 'start' };
  surface.put('text', { ...words, ...formula, fill: MODEL }, formulaText(state, width));
}

// ---- The watched client: a bar for each attempt while the client waits, then a thin line until the server is done
// with it

const CLIENT_ROWS = 5, CLIENT_HEAD = 18; // attempts; px, for words

/** The room for the watched client, below the queue. @param {number} width */
const stripHeight = (width) => CLIENT_HEAD + CLIENT_ROWS * layout(width).client;

/** @param {string} fate @param {number} x @param {number} y */
function fateMark(fate, x, y) {
  if (fate === ANSWERED) return { d: `M${px(x - 4)} ${y}l3 3l6 -6`, stroke: HIT };
  if (fate === LATE) return { d: `M${px(x - 3)} ${y - 3}l6 6m0 -6l-6 6`, stroke: MISS };
  return { d: `M${px(x)} ${y - 3}v6`, stroke: SOFT }; // not served
}

/** @param {StormState} state @param {Plan} at @param {Surface} surface */
function drawClient({ trace, t, followed }, { who, width, foot, client: row }, surface) {
  const { watched, asked, left: done, fate, timeout } = trace;
  const begin = asked[watched[0]], end = Math.max(begin + 1, ...watched.map((k) => done[k]));
  const x = (/** @type {number} */ time) => 2 + ((time - begin) / (end - begin)) * (width - 10);
  const words = { ...SMALL, y: foot + 14 };
  const so = followed ? `asked ${followed.sent}×, served ${followed.served}×` : 'has not arrived yet';
  surface.put('text', { ...words, x: 0, fill: INK }, `${who}: ${so}`);
  const times = width < NARROW ? '' : `${begin.toFixed(2)} to ${end.toFixed(2)} s`;
  surface.put('text', { ...words, x: width, 'text-anchor': 'end', fill: SOFT }, times);
  watched.forEach((k, n) => {
    const y = foot + CLIENT_HEAD + row * (n + 0.5), sent = asked[k] <= t;
    const leaves = Math.min(t, asked[k] + timeout, done[k]);
    const thin = sent ? `M${px(x(asked[k]))} ${y}H${px(x(Math.min(t, done[k])))}` : 'M0 0';
    const wide = sent ? `M${px(x(asked[k]))} ${y}H${px(x(leaves))}` : 'M0 0';
    surface.put('path', { d: thin, stroke: SOFT, 'stroke-width': 1.2 });
    surface.put('path', { d: wide, stroke: WAIT, 'stroke-width': row - 2 });
    const sign = done[k] <= t ? fateMark(fate[k], x(done[k]), y) : { d: 'M0 0', stroke: SOFT };
    surface.put('path', { ...sign, fill: 'none', 'stroke-width': 2 });
  });
}

// ---- The drawing: the server, and the queue in front of it, a hundred places per row. A row is a second of work, so
// a place shows how long an attempt will wait.

const PLACES = 100; // per row
const AXIS = 36; // px, for the waiting times
const LAST_ROWS = 3; // of a queue too long to show

/** @param {number} width @param {Storm} trace */
function plan(width, { watched, capacity }) {
  const at = layout(width), room = at.room - (watched.length ? stripHeight(width) : 0);
  const pitch = Math.floor(20 * ((width - AXIS) / PLACES)) / 20, row = Math.min(at.row, pitch * 1.3);
  return {
    ...at, width, left: AXIS, room, pitch, row, foot: at.top + room, rows: Math.floor(room / row),
    secondsARow: PLACES / capacity,
  };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** What a queue shows: all of it or, if it is too long, its first rows and its last, with room for words between.
 * @param {Plan} at @param {number} length of the queue */
function shownOf({ rows, row }, length) {
  const all = Math.ceil(length / PLACES), words = Math.ceil(16 / row);
  if (all <= rows) return { head: length, tail: length, gap: 0, hidden: 0 };
  const last = Math.min(LAST_ROWS, Math.floor((rows - words) / 2)), head = rows - words - last;
  const tail = PLACES * (all - last);
  return { head: PLACES * head, tail, gap: all - last - head - words, hidden: tail - PLACES * head };
}

/** @typedef {ReturnType<typeof shownOf>} Shown */

/** @param {Plan} at @param {Shown} shown @param {number} place */
function placeOf({ left, top, pitch, row }, { tail, gap }, place) {
  const down = Math.floor(place / PLACES) - (place < tail ? 0 : gap);
  return { x: left + ((place % PLACES) + 0.5) * pitch, y: top + (down + 0.5) * row };
}

/** The path of a stretch of the queue, one dash per place that is shown.
 * @param {Plan} at @param {Shown} shown @param {number[]} stretch */
function placesPath(at, shown, [from, until]) {
  let d = 'M0 0';
  const { head, tail } = shown;
  for (const [low, high] of [[from, Math.min(until, head)], [Math.max(from, tail), until]]) {
    for (let place = low, end; place < high; place = end) {
      end = Math.min(high, PLACES * (Math.floor(place / PLACES) + 1));
      const { x, y } = placeOf(at, shown, place);
      d += `M${px(x)} ${px(y)}h${px((end - place - 1) * at.pitch + 0.1)}`;
    }
  }
  return d;
}

/** Draw a stretch of the queue: rings for clients that have left, discs for clients that wait.
 * @param {Plan} at @param {string} d @param {boolean} wait @param {Surface} surface */
function drawStretch(at, d, wait, surface) {
  const size = Math.min(at.row, at.pitch) - 0.4;
  const dashes = { d, fill: 'none', 'stroke-linecap': 'round', 'stroke-dasharray': `0 ${at.pitch}` };
  const look = wait ? { stroke: WAIT, 'stroke-opacity': 1 } : { stroke: SOFT, 'stroke-opacity': 0.6 };
  surface.put('path', { ...dashes, ...look, 'stroke-width': px(size) });
  if (!wait) surface.put('path', { ...dashes, stroke: GROUND, 'stroke-width': px(size - at.hole) });
}

/** @param {StormState} state @param {Plan} at @param {Surface} surface */
function drawQueue({ first, waits, sent, trace }, at, surface) {
  const length = sent - first, shown = shownOf(at, length), { head, hidden } = shown;
  drawStretch(at, placesPath(at, shown, [0, waits - first]), false, surface);
  drawStretch(at, placesPath(at, shown, [waits - first, length]), true, surface);
  const words = { ...SMALL, x: at.left, y: px(at.top + (head / PLACES) * at.row + 12), fill: INK };
  surface.put('text', words, hidden ? `and ${withCommas(hidden)} more, then` : length ? '' : 'queue: empty');
  const places = trace.watched.map((attempt) => attempt - first).map((place) => (place < length ? place : -1));
  drawWatched(at, shown, places, surface);
  drawWaits(at, hidden ? head : at.rows * PLACES, surface);
}

/** Draw a ring round each place of the watched client that is shown.
 * @param {Plan} at @param {Shown} shown @param {number[]} places negative outside the queue
 * @param {Surface} surface */
function drawWatched(at, shown, places, surface) {
  for (const place of places) {
    const there = place >= shown.tail || (place >= 0 && place < shown.head);
    const { x, y } = placeOf(at, shown, there ? place : 0), stroke = there ? INK : 'none';
    surface.put('circle', { cx: px(x), cy: px(y), r: 5, fill: 'none', stroke, 'stroke-width': 2 });
  }
}

/** Draw the waiting times beside the queue, up to a place.
 * @param {Plan} at @param {number} end @param {Surface} surface */
function drawWaits({ left, row, top, rows, secondsARow, wait: step }, end, surface) {
  const name = { ...SMALL, x: left - 6, 'text-anchor': 'end', fill: SOFT };
  for (let wait = step; wait <= rows * secondsARow; wait += step) {
    const y = px(top + (wait / secondsARow) * row), known = (wait / secondsARow) * PLACES <= end;
    surface.put('text', { ...name, y: y + 3 }, known ? `${wait} s` : '');
    surface.put('path', { d: known ? `M${left - 4} ${y - row / 2}h4` : 'M0 0', stroke: SOFT });
  }
}

/** Draw the attempt at the server: a disc for a client that waits, a ring for one that has left.
 * @param {StormState} state @param {Plan} at @param {Surface} surface */
function drawServed({ trace, t, down, now }, { server: { wide, high, served } }, surface) {
  const somebody = now >= 0 && !down, waits = somebody && t < trace.asked[now] + trace.timeout;
  const colour = waits ? WAIT : SOFT, look = { stroke: somebody ? colour : 'none', fill: waits ? colour : 'none' };
  const place = { cx: 1 + wide / 2, cy: 1 + high / 2, r: served };
  surface.put('circle', { ...place, ...look, 'stroke-width': px(served / 4 + 0.5) });
}

/** Draw whether the server works, and for whom, beside it.
 * @param {StormState} state @param {Plan} at @param {Surface} surface */
function drawWork({ down, served, inTime }, { server: { x, size, lines: [first, second] } }, surface) {
  const word = { x, 'font-size': size }, colour = down ? MISS : INK;
  surface.put('text', { ...word, y: first, 'font-weight': 600, fill: colour }, down ? '✕ stopped' : 'server works');
  const nobody = served > 0 && inTime === 0 && !down;
  surface.put('text', { ...word, y: second, fill: MISS }, nobody ? 'for nobody' : '');
}

/** Draw the server, with the first place in line below it.
 * @param {StormState} state @param {Plan} at @param {Surface} surface */
function drawServer(state, at, surface) {
  const { down } = state, { left, pitch, server: { wide, high } } = at;
  let hatch = '';
  for (let x = 3; x < wide - 6; x += 7) hatch += `M${x} ${high}l7 ${2 - high}`;
  const box = { x: 1, y: 1, width: wide, height: high, rx: 6, stroke: down ? MISS : INK, 'stroke-width': 2 };
  surface.put('rect', { ...box, fill: down ? MISS_GROUND : GROUND });
  surface.put('path', { d: down ? hatch : 'M0 0', stroke: MISS, 'stroke-width': 1.5 });
  surface.put('path', { d: `M${px(left + pitch / 2)} ${high + 3}l4 6h-8z`, fill: SOFT });
  drawServed(state, at, surface);
  drawWork(state, at, surface);
}

/** Draw what the marks in the queue mean. @param {Storm} trace @param {Plan} at @param {Surface} surface */
function drawLegend({ timeout }, { width, dot: r, legend }, surface) {
  const { x, size, lines: [first, second], words: [waits, gone, within], reach } = legend;
  const word = { 'font-size': size, fill: INK };
  surface.put('circle', { cx: x + 5, cy: first - 4, r, fill: WAIT });
  surface.put('text', { ...word, x: x + 14, y: first }, waits);
  const ring = { fill: 'none', stroke: SOFT, 'stroke-width': 1.6 };
  surface.put('circle', { cx: x + 5, cy: second - 4, r: r - 0.8, ...ring });
  surface.put('text', { ...word, x: x + 14, y: second }, gone);
  surface.put('text', { ...word, x: width, y: reach, 'text-anchor': 'end', fill: HIT }, `▮ ${within} ${timeout} s`);
}

/** Draw what does not move: the places that are served in time, and what the marks mean.
 * @param {Storm} trace @param {number} width @param {Surface} surface */
function drawPlaces(trace, width, surface) {
  const at = plan(width, trace), { left, row, top, foot, secondsARow, pitch } = at;
  const soon = (trace.timeout / secondsARow) * PLACES, wide = px(Math.min(soon, PLACES) * pitch + 1);
  const high = px(Math.ceil(soon / PLACES) * row + 2);
  surface.put('rect', { x: left - 1, y: top - 1.5, width: wide, height: high, fill: HIT_GROUND, rx: 2 });
  surface.put('path', { d: `M${left - 4} ${top}V${px(foot)}`, stroke: SOFT, 'stroke-opacity': 0.5 });
  drawLegend(trace, at, surface);
}

/** @param {StormState} state @param {number} width @param {Surface} surface */
function drawScene(state, width, surface) {
  const at = plan(width, state.trace);
  drawServer(state, at, surface);
  drawQueue(state, at, surface);
  if (state.trace.watched.length) drawClient(state, at, surface);
}

/** @type {Renderer<Storm, StormState>} */
export const storm = {
  prepare, state: stateAt, sentence, figures, height: heightOf, tape,
  backdrop(trace, width, tall, surface) {
    drawPlaces(trace, width, surface);
    drawTape(trace, { width, bottom: tall, high: layout(width).tape }, surface);
    drawKey(width, tall, surface);
  },
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawScene(at, width, surface);
  },
  scene() {}, // everything moves
  ...bySecond,
  measure: 'second',
  words: { start: 'Back to the start', event: 'moment' },
  begins: ({ begins }) => begins,
  round: ({ t }) => t,
  rule: ({ capacity }) => `the server can serve ${capacity} attempts a second`,
  pace: [0.5, 2, 8].map((each) => ({ each, words: `${each < 1 ? '½' : each} s a second` })),
};
