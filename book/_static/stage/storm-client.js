// The client that is watched: a bar for each time it asked, as long as it waits; then a thin line
// until the server is done with what nobody waits for.
import { HIT, INK, MISS, MODEL, SOFT } from './colours.js';
import { ANSWERED, LATE } from './storm-trace.js';
import { px } from './surface.js';

const ROW = 7, FOOT = 14;
export const STRIP_HEIGHT = 5 * ROW + FOOT + 4;

/** @param {string} fate @param {number} x @param {number} y */
function mark(fate, x, y) {
  if (fate === ANSWERED) return { d: `M${px(x - 4)} ${y}l3 3l6 -6`, stroke: HIT };
  if (fate === LATE) return { d: `M${px(x - 3)} ${y - 3}l6 6m0 -6l-6 6`, stroke: MISS };
  return { d: `M${px(x)} ${y - 3}v6`, stroke: SOFT }; // not served
}

/** @param {StormState} state @param {import('./storm-draw.js').Plan} at @param {Surface} surface */
export function clientStrip({ trace, t, followed }, { left, width, foot }, surface) {
  const { watched, asked, left: done, fate, timeout } = trace;
  const begin = asked[watched[0]], end = Math.max(begin + 1, ...watched.map((k) => done[k]));
  const x = (/** @type {number} */ time) => left + 5 + ((time - begin) / (end - begin)) * (width - left - 12);
  const words = { y: foot + 14, 'font-size': 12, fill: INK };
  surface.put('text', { ...words, x: 0, 'font-weight': 600 }, 'The watched client');
  const so = followed ? `asked ${followed.sent}, served ${followed.served}` : 'has not come yet';
  surface.put('text', { ...words, x: 0, y: foot + 30, fill: SOFT }, so);
  watched.forEach((k, n) => {
    const y = foot + 8 + ROW * n, sent = asked[k] <= t, leaves = Math.min(t, asked[k] + timeout, done[k]);
    const thin = sent ? `M${px(x(asked[k]))} ${y}H${px(x(Math.min(t, done[k])))}` : 'M0 0';
    const wide = sent ? `M${px(x(asked[k]))} ${y}H${px(x(leaves))}` : 'M0 0';
    surface.put('path', { d: thin, stroke: SOFT, 'stroke-width': 1.2 });
    surface.put('path', { d: wide, stroke: MODEL, 'stroke-width': 4.5 });
    const shown = done[k] <= t ? mark(fate[k], x(done[k]), y) : { d: 'M0 0', stroke: SOFT };
    surface.put('path', { ...shown, fill: 'none', 'stroke-width': 1.8 });
  });
  const times = { 'font-size': 12, y: foot + 8 + 5 * ROW + 8, fill: SOFT };
  surface.put('text', { ...times, x: left }, `${begin.toFixed(2)} s`);
  surface.put('text', { ...times, x: width, 'text-anchor': 'end' }, `${end.toFixed(2)} s`);
}
