// The run of chapter 1 from end to end: how many clients ask, wait for a thread, and are held.
import { GROUND, INK, MISS, MODEL, SOFT } from './colours.js';
import { HELD, QUERIES, WAITS } from './batches-trace.js';
import { countsAt } from './batches-state.js';
import { px } from './surface.js';

const HIGH = 44, COLUMN = 120; // px beside the tape, for words
export const TAPE_HEIGHT = 48;

/** How wide the time is. @param {number} width */
export function tape(width) {
  return { width: width - COLUMN, height: TAPE_HEIGHT };
}

/** A column a pixel: as high as there are clients who do one thing, on those who do another. What is
 * held is hatched: every third.
 * @param {Batches} trace @param {number} plot @param {number} bottom */
function columns(trace, plot, bottom) {
  const { seconds, clients } = trace, made = [QUERIES, WAITS, HELD].map((doing) => ({ doing, d: '' }));
  for (let x = 0; x < plot; x += 1) {
    const counts = countsAt(trace, ((x + 0.5) / plot) * seconds);
    let y = bottom;
    for (const one of made) {
      const high = (counts[one.doing] / clients) * HIGH, seen = one.doing !== HELD || x % 3 === 0;
      one.d += high && seen ? `M${x + 0.5} ${px(y)}v${px(-high)}` : '';
      y -= high;
    }
  }
  return made.map(({ d }) => d || 'M0 0');
}

/** What does not move. @param {Batches} trace @param {number} width @param {number} tall @param {Surface} surface */
export function backdrop(trace, width, tall, surface) {
  const { width: plot } = tape(width), bottom = tall - 2;
  const [queries, waits, held] = columns(trace, plot, bottom);
  surface.put('path', { d: queries, stroke: MODEL, 'stroke-width': 1.05 });
  surface.put('path', { d: waits, stroke: SOFT, 'stroke-opacity': 0.35, 'stroke-width': 1.05 });
  surface.put('path', { d: held, stroke: MISS, 'stroke-width': 1.5 });
  surface.put('path', { d: `M0 ${bottom + 0.5}H${plot}`, stroke: SOFT });
  const words = { x: plot + 14, 'font-size': 12, fill: SOFT };
  surface.put('text', { ...words, y: bottom - 26 }, `all ${trace.clients} clients,`);
  surface.put('text', { ...words, y: bottom - 8 }, `${trace.seconds} s of the run`);
}

/** Now. @param {BatchesState} state @param {number} width @param {number} tall @param {Surface} surface */
export function now({ trace, t }, width, tall, surface) {
  const { width: plot } = tape(width), here = px((Math.min(t, trace.seconds) / trace.seconds) * plot);
  const top = tall - TAPE_HEIGHT, veil = { x: here, y: top, width: px(plot - here), height: HIGH + 2 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.7 });
  surface.put('path', { d: `M${here} ${top - 2}V${tall}`, stroke: INK, 'stroke-width': 1.5 });
}
