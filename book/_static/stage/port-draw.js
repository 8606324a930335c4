// Draws the two lanes of chapter 4's port: every packet a square, the next out beside the wire, the
// watched transaction's numbered.
import { GROUND, INK, MISS, MISS_GROUND, MODEL, RAISED, SOFT } from './colours.js';
import { AHEAD, ORDINARY } from './port-state.js';
import { px } from './surface.js';

const TITLE = 16, WIRE = 44;
const MOST = [63, 70], MOST_ORDINARY = 110; // packets in the lanes: with priority, and without
export const NARROW = 450; // px, as a phone is

/** From square to square. @param {number} width */
const pitchOf = (width) => (width < NARROW ? 15 : 16);

/** @param {number} width */
const columnsOf = (width) => Math.floor((width - WIRE) / pitchOf(width));

/** How high the lanes are, whatever stands in them. @param {number} width */
export function lanesHeight(width) {
  const rows = (/** @type {number} */ count) => Math.ceil(count / columnsOf(width));
  return 2 * TITLE + pitchOf(width) * Math.max(rows(MOST[0]) + rows(MOST[1]), 1 + rows(MOST_ORDINARY));
}

/** Where the lanes stand: each as high as this run needs. @param {Port} trace @param {number} width */
function plan({ most }, width) {
  const pitch = pitchOf(width), columns = columnsOf(width), rows = Math.max(1, Math.ceil(most[AHEAD] / columns));
  return { pitch, cell: pitch - 2, columns, right: columns * pitch, tops: [TITLE, 2 * TITLE + rows * pitch] };
}

/** The place of a packet in its lane: right to left, then down.
 * @param {ReturnType<typeof plan>} at @param {number} lane @param {number} place */
function placeOf({ pitch, columns, right, tops }, lane, place) {
  const x = right - (1 + place % columns) * pitch, y = tops[lane] + Math.floor(place / columns) * pitch;
  return { x: x + 1, y: y + 1 };
}

/** @typedef {{ x: number, y: number, packet: Packet }} Square */

/** All squares of a kind as one shape.
 * @param {Square[]} squares @param {string} kind @param {number} cell */
function shape(squares, kind, cell) {
  const mine = squares.filter(({ packet }) => packet.kind === kind);
  return mine.map(({ x, y }) => `M${x} ${y}h${cell}v${cell}h${-cell}z`).join('') || 'M0 0';
}

/** A square with its number, two digits pressed together.
 * @param {Square} square @param {number} cell @param {Surface} surface */
function numbered({ x, y, packet: { number, lane } }, cell, surface) {
  const ahead = lane === AHEAD;
  const look = { fill: ahead ? RAISED : MISS_GROUND, stroke: ahead ? MODEL : MISS, 'stroke-width': 2 };
  surface.put('rect', { x, y, width: cell, height: cell, rx: 1.5, ...look });
  const words = { x: x + cell / 2, y: y + cell / 2 + 4.3, 'font-size': 12, 'text-anchor': 'middle', fill: INK };
  const pressed = { textLength: cell - 3, lengthAdjust: 'spacingAndGlyphs' };
  surface.put('text', number > 9 ? { ...words, ...pressed } : words, String(number));
}

/** @param {PortState} state @param {number} width @param {Surface} surface */
export function lanes(state, width, surface) {
  const at = plan(state.trace, width), { wire } = state;
  const squares = state.lanes.flatMap((stand, lane) => (
    stand.map((packet, place) => ({ ...placeOf(at, lane, place), packet }))));
  const x = at.right + 20, y = at.tops[AHEAD] + 9;
  if (wire) squares.push({ x, y, packet: wire });
  surface.put('path', { d: shape(squares, 'large', at.cell), fill: 'none', stroke: SOFT, 'stroke-width': 1 });
  surface.put('path', { d: shape(squares, 'small', at.cell), fill: SOFT });
  const sent = `M${x} ${y + at.cell + 4}h${px(at.cell * (wire?.part ?? 0))}`;
  surface.put('path', { d: sent, stroke: INK, 'stroke-width': 3 });
  for (const square of squares) if (square.packet.kind === 'watched') numbered(square, at.cell, surface);
}

/** What stands still: the lanes' names, and the way to the wire.
 * @param {Port} trace @param {number} width @param {Surface} surface */
export function port(trace, width, surface) {
  const { cell, right, tops } = plan(trace, width), { ahead } = trace;
  const kinds = width < NARROW ? '□ large flow, ■ other users' : '□ packet of a large flow, ■ of another user';
  const title = (/** @type {number} */ lane, /** @type {string} */ words) => (
    surface.put('text', { x: 0, y: tops[lane] - 4, 'font-size': 12, fill: SOFT }, words));
  const first = ahead === 1 ? 'the first packet' : `the first ${ahead} packets`;
  title(AHEAD, ahead ? `Ahead: ${first} of each flow` : 'Ahead: nobody');
  title(ORDINARY, `Ordinary: ${kinds}`);
  const x = right + 3, y = tops[AHEAD] + 16, from = tops[ORDINARY] + 8;
  const way = `M${x} ${tops[AHEAD] + 8}h8V${y}h6M${x} ${from}h8V${y}`;
  surface.put('path', { d: way, fill: 'none', stroke: SOFT, 'stroke-width': 1.2 });
  const box = { x: right + 18, y: y - 9, width: cell + 4, height: cell + 4, rx: 2 };
  surface.put('rect', { ...box, fill: GROUND, stroke: SOFT });
  const words = { x: right + 27, y: y - 13, 'font-size': 12, 'text-anchor': 'middle', fill: SOFT };
  surface.put('text', words, 'wire');
}
