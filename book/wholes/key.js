// What the colours of a picture mean, each beside a piece of what it looks like.
import { SOFT } from '../_static/stage/colours.js';

/** @typedef {{ word: string, room: number, look: Record<string, string | number> }} Sign */

/** @param {Sign[]} signs @param {Surface} surface */
export function key(signs, surface) {
  let x = 0;
  for (const { word, room, look } of signs) {
    surface.put('path', { d: `M${x} 10h12`, fill: 'none', ...look });
    surface.put('text', { x: x + 16, y: 14, fill: SOFT }, word);
    x += room;
  }
}
