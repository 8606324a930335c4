// The run of chapter 1's second stage from end to end: how many clients share each flush.
import { GROUND, INK, MODEL, SOFT } from './colours.js';
import { px } from './surface.js';

const HIGH = 40, COLUMN = 126; // px beside the tape, for words
export const TAPE_HEIGHT = 46;

/** How wide the time is. @param {number} width */
export function tape(width) {
  return { width: width - COLUMN, height: TAPE_HEIGHT };
}

/** What does not move: a bar a flush.
 * @param {Commits} trace @param {number} width @param {number} tall @param {Surface} surface */
export function backdrop({ flushes, clients: all, ms }, width, tall, surface) {
  const plot = tape(width).width, base = tall - 2, x = (/** @type {number} */ at) => px((Math.min(at, ms) / ms) * plot);
  const bars = flushes.filter(({ begun }) => begun < ms).map(({ begun, ended, clients }) => (
    `M${x(begun)} ${base}V${px(base - (clients.length / all) * HIGH)}H${x(ended)}V${base}z`));
  surface.put('path', { d: bars.join(''), fill: MODEL });
  surface.put('path', { d: `M0 ${base + 0.5}H${plot}`, stroke: SOFT });
  const words = { x: plot + 8, 'font-size': 12, fill: SOFT };
  surface.put('text', { ...words, y: base - 24 }, 'clients a flush,');
  surface.put('text', { ...words, y: base - 6 }, `${ms} ms in all`);
}

/** Now. @param {CommitsState} state @param {number} width @param {number} tall @param {Surface} surface */
export function now({ trace: { ms }, t }, width, tall, surface) {
  const plot = tape(width).width, here = px((t / ms) * plot), top = tall - TAPE_HEIGHT;
  const veil = { x: here, y: top, width: px(plot - here), height: HIGH + 3 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.7 });
  surface.put('path', { d: `M${here} ${top}V${tall}`, stroke: INK, 'stroke-width': 1.5 });
}
