// The watched transaction and those before it, a row each: a tick when a packet left the port,
// against the time since its transaction began.
import { INK, MISS, MODEL, SOFT } from './colours.js';
import { NARROW, lanesHeight } from './port-draw.js';
import { ORDINARY, ms, span } from './port-state.js';
import { TAPE_HEIGHT } from './port-tape.js';
import { px } from './surface.js';

const TITLE = 20, NOW = 16, AXIS = 16, TICKS = 4;
const ROW = 4; // the height of a row before
const VERDICT = 80; // px, of the words

/** @param {number} width */
const before = (width) => (width < NARROW ? 8 : 20);

/** @param {number} width */
export function height(width) {
  return lanesHeight(width) + TITLE + NOW + before(width) * ROW + AXIS + TAPE_HEIGHT;
}

/** @param {Port} trace @param {number} width */
function plan(trace, width) {
  const top = lanesHeight(width) + TITLE, plot = width - 26;
  return {
    top, plot, foot: top + NOW + before(width) * ROW,
    x: (/** @type {number} */ time) => px((time / span(trace)) * plot),
  };
}

/** @param {Port} trace @param {number} width @param {Surface} surface */
export function axis(trace, width, surface) {
  const { top, plot, foot, x } = plan(trace, width), words = { 'font-size': 12, fill: SOFT };
  const title = width < NARROW
    ? `This transaction, and ${before(width)} before: packets leave`
    : `This transaction, and the ${before(width)} before it: a tick when a packet leaves the port`;
  surface.put('text', { x: 0, y: top - 5, ...words }, title);
  surface.put('path', { d: `M0 ${foot + 0.5}H${plot}`, stroke: SOFT, 'stroke-opacity': 0.5 });
  for (let n = 0; n <= TICKS; n += 1) {
    const at = (n / TICKS) * span(trace), anchor = n ? 'middle' : 'start';
    const label = { x: x(at), y: foot + 13, 'text-anchor': anchor, ...words };
    surface.put('text', label, n < TICKS ? String(at) : `${at} ms`);
  }
}

/** Adds a transaction's ticks to the shapes of the two lanes, and to those of the last packets.
 * @param {PortState} state @param {Transaction} transaction @param {(left: number) => string} tick
 * @param {string[]} shapes */
function add({ t, trace }, { rows: packets, left }, tick, shapes) {
  left.forEach((time, n) => {
    const last = n === left.length - 1 ? 2 : 0;
    if (time <= t) shapes[trace.lane[packets[n]] + last] += tick(time);
  });
}

/** @param {PortState} state @param {number} width @param {Surface} surface */
export function rows(state, width, surface) {
  const { nth, trace, gone, transaction } = state, { top, x } = plan(trace, width);
  const shapes = ['', '', '', ''];
  for (let n = nth; n >= Math.max(0, nth - before(width)); n -= 1) {
    const each = trace.transactions[n], high = n === nth ? NOW - 3 : ROW - 1;
    const y = n === nth ? top : top + NOW + (nth - n - 1) * ROW;
    add(state, each, (time) => `M${x(time - each.begun)} ${y}v${high}`, shapes);
  }
  shapes.forEach((d, n) => {
    surface.put('path', { d: d || 'M0 0', stroke: n % 2 === ORDINARY ? MISS : MODEL, 'stroke-width': n < 2 ? 1.5 : 3 });
  });
  if (transaction && gone === trace.packets) verdict(trace, transaction, width, surface);
}

/** How long it took, beside its last tick; before its first one behind the others, if there is no
 * room. @param {Port} trace @param {Transaction} transaction @param {number} width @param {Surface} surface */
function verdict(trace, { rows: packets, left, begun, done }, width, surface) {
  const { top, x } = plan(trace, width), room = width - x(done - begun) > VERDICT;
  const first = left[packets.findIndex((row) => trace.lane[row] === ORDINARY)] - begun;
  const place = { x: room ? x(done - begun) + 6 : x(first) - 6, 'text-anchor': room ? 'start' : 'end' };
  const words = { ...place, y: top + 10, 'font-size': 12, 'font-weight': 600, fill: INK };
  surface.put('text', words, `✓ ${ms(done - begun)}`);
}

/** How long it has been, and since when it waits for its next packet.
 * @param {PortState} state @param {number} width @param {Surface} surface */
export function elapsed({ trace, since, gone, transaction }, width, surface) {
  const { top, x } = plan(trace, width), waits = transaction && gone < trace.packets;
  const from = gone && transaction ? transaction.left[gone - 1] - transaction.begun : 0;
  const behind = waits && trace.lane[transaction.rows[gone]] === ORDINARY;
  const d = behind ? `M${x(from)} ${top + (NOW - 3) / 2}H${x(since)}` : 'M0 0';
  surface.put('path', { d, stroke: MISS, 'stroke-width': 5, 'stroke-dasharray': '2 1.5' });
  surface.put('path', { d: waits ? `M${x(since)} ${top - 2}v${NOW}` : 'M0 0', stroke: INK, 'stroke-width': 1 });
}
