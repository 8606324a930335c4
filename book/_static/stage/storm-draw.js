// Draws chapter 2's stage: the server, and the line before it, fifty places a row. A row is half a
// second of work, so that a place says how long one will wait. It knows no time: the state says all.
import { clientStrip, STRIP_HEIGHT } from './storm-client.js';
import { GROUND, INK, MISS, MODEL, SOFT } from './colours.js';
import { TAPE_HEIGHT } from './storm-tape.js';
import { px } from './surface.js';
import { grouped } from '../quantity.js';

const PLACES = 50; // a row
const TOP = 20, GAP = 6, AXIS = 44;
const FEW = ['in line', 'waited for', 'served, 5 s', 'in time'];
const LABELS = ['in line', 'still waited for', 'served in 5 s', 'in time', 'asked in 5 s', 'not for the first time'];
const NARROW = { row: 3.2, room: 150, panel: 108, step: 16, labels: FEW };
const WIDE = { row: 4, room: 190, panel: 200, step: 17, labels: LABELS };
const PHONE = 400; // px
const LEGEND = 200; // px, of its words
const SQUARE = 1.5; // the most that a place is wider than high

/** @param {number} width */
const sizes = (width) => (width < PHONE ? NARROW : WIDE);

/** @param {number} width */
export const height = (width) => TOP + sizes(width).room + GAP + TAPE_HEIGHT;

/** @param {number} width @param {Storm} trace */
export function plan(width, { watched, capacity }) {
  const { row, room: all, panel, ...words } = sizes(width);
  const room = all - (watched.length ? STRIP_HEIGHT : 0);
  const pitch = Math.floor(10 * Math.min(SQUARE * row, (width - panel - AXIS) / PLACES)) / 10;
  const left = width - Math.ceil(PLACES * pitch);
  return {
    ...words, width, row, pitch, left, panel: left - AXIS - 8, top: TOP, foot: TOP + room,
    rows: Math.floor(room / row), secondsARow: PLACES / capacity,
  };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** @param {Plan} at @param {number} place */
function placeOf({ left, top, pitch, row }, place) {
  return { x: left + ((place % PLACES) + 0.5) * pitch, y: top + (Math.floor(place / PLACES) + 0.5) * row };
}

/** A stretch of the line as one path, a dash a place. @param {Plan} at @param {number} from @param {number} until */
function places(at, from, until) {
  let d = 'M0 0';
  for (let place = from, end; place < until; place = end) {
    end = Math.min(until, PLACES * (Math.floor(place / PLACES) + 1));
    const { x, y } = placeOf(at, place);
    d += `M${px(x)} ${px(y)}h${px((end - place - 1) * at.pitch + 0.1)}`;
  }
  return d;
}

/** Rings for those who have left, discs for those who wait.
 * @param {Plan} at @param {number[]} stretch @param {boolean} wait @param {Surface} surface */
function stretch(at, [from, until], wait, surface) {
  const d = places(at, from, until), size = Math.min(at.row, at.pitch) - 0.6;
  const dashes = { d, fill: 'none', 'stroke-linecap': 'round', 'stroke-dasharray': `0 ${at.pitch}` };
  surface.put('path', { ...dashes, stroke: wait ? MODEL : SOFT, 'stroke-width': px(size) });
  if (!wait) surface.put('path', { ...dashes, stroke: GROUND, 'stroke-width': px(size - 1.5) });
}

/** @param {StormState} state @param {Plan} at @param {Surface} surface */
function line({ first, waits, sent, trace }, at, surface) {
  const room = at.rows * PLACES, length = sent - first, shown = length > room ? room - PLACES : length;
  stretch(at, [0, Math.min(waits - first, shown)], false, surface);
  stretch(at, [Math.min(waits - first, shown), shown], true, surface);
  const more = length > room ? `and ${grouped(length - shown)} more behind` : '';
  surface.put('text', { x: at.left, y: px(at.foot), 'font-size': 12, fill: INK }, more);
  for (const attempt of trace.watched) {
    const there = attempt >= first && attempt < Math.min(sent, first + shown);
    const { x, y } = placeOf(at, there ? attempt - first : 0), stroke = there ? INK : 'none';
    surface.put('circle', { cx: px(x), cy: px(y), r: 4.5, fill: 'none', stroke, 'stroke-width': 1.5 });
  }
}

const BOX = { x: 0.75, y: TOP + 0.75, width: 54, height: 28 };
const HATCH = Array.from({ length: 8 }, (_, n) => `M${1 + n * 7} ${TOP + 28}l7 -26`).join('');

/** Who is served: a disc for a client who waits, a ring for one who has left.
 * @param {StormState} state @param {Surface} surface */
function servedNow({ trace, t, down, now }, surface) {
  const somebody = now >= 0 && !down, waits = somebody && t < trace.asked[now] + trace.timeout;
  const colour = waits ? MODEL : SOFT;
  const look = { stroke: somebody ? colour : 'none', fill: waits ? colour : 'none' };
  surface.put('circle', { cx: 28, cy: TOP + 15, r: 6, 'stroke-width': 2, ...look });
}

/** @param {StormState} state @param {Surface} surface */
function server(state, surface) {
  const { down } = state, colour = down ? MISS : INK;
  surface.put('rect', { ...BOX, rx: 4, fill: GROUND, stroke: colour, 'stroke-width': 1.5 });
  surface.put('path', { d: down ? HATCH : 'M0 0', stroke: MISS, 'stroke-width': 1.5 });
  servedNow(state, surface);
  const word = { x: 62, y: TOP + 19, 'font-size': 12, 'font-weight': 600, fill: colour };
  surface.put('text', word, down ? '✕ still' : 'works');
}

/** @param {StormState} state @param {Plan} at @param {Surface} surface */
function table(state, { panel, step, labels }, surface) {
  const { first, waits, sent, served, inTime, asked, again } = state;
  const values = [sent - first, sent - waits, served, inTime, asked, again];
  for (const [n, label] of labels.entries()) {
    const y = TOP + 46 + step * n, value = { x: panel, y, 'font-size': 12.5, 'font-weight': 600 };
    surface.put('text', { x: 0, y, 'font-size': 12, fill: SOFT }, label);
    surface.put('text', { ...value, 'text-anchor': 'end', fill: INK }, grouped(values[n]));
  }
}

/** What does not move: how long one waits in a row, and behind which place it is too long.
 * @param {Storm} trace @param {number} width @param {Surface} surface */
export function axis(trace, width, surface) {
  const at = plan(width, trace), { left, row, top, rows, secondsARow, pitch } = at;
  const name = { x: left - 6, 'font-size': 12, 'text-anchor': 'end' };
  const yOf = (/** @type {number} */ wait) => px(top + (wait / secondsARow) * row);
  for (let wait = 5; wait <= rows * secondsARow; wait += 5) {
    surface.put('text', { ...name, y: yOf(wait) + 3, fill: SOFT }, `${wait} s`);
    surface.put('path', { d: `M${left - 4} ${yOf(wait) - row / 2}h4`, stroke: SOFT });
  }
  const rule = yOf(trace.timeout);
  surface.put('text', { ...name, y: rule + 4, fill: MISS, 'font-weight': 600 }, `${trace.timeout} s`);
  surface.put('path', { d: `M${left - 4} ${rule}h${px(PLACES * pitch + 4)}`, stroke: MISS, 'stroke-dasharray': '5 3' });
  surface.put('text', { x: 0, y: 12, 'font-size': 13, 'font-weight': 600, fill: INK }, 'The server');
  const dot = { cy: 8, r: 4 }, word = { y: 12, 'font-size': 12, fill: INK }, start = Math.min(left, width - LEGEND);
  surface.put('circle', { ...dot, cx: start + 4, fill: MODEL });
  surface.put('text', { ...word, x: start + 12 }, 'client waits');
  surface.put('circle', { ...dot, cx: start + 96, r: 3.4, fill: 'none', stroke: SOFT, 'stroke-width': 1.6 });
  surface.put('text', { ...word, x: start + 104 }, 'client has left');
}

/** @param {StormState} state @param {number} width @param {Surface} surface */
export function scene(state, width, surface) {
  const at = plan(width, state.trace);
  server(state, surface);
  table(state, at, surface);
  line(state, at, surface);
  if (state.trace.watched.length) clientStrip(state, at, surface);
}
