// Draws chapter 3's second stage: a square a scan, a pixel a graph in the order of the scan; faint
// where it was found in the cache, strong where not, on a light ground and on a dark one. A wide
// stage shows all scans, a narrow one the scan that is on.
import { HIT, HIT_GROUND, INK, MISS, SOFT } from './colours.js';
import { TAPE_HEIGHT } from './scan-tape.js';
import { grouped } from '../quantity.js';

const LEFT = 1, TOP = 18, GAP = 12, TALLEST = 216; // px
const BAND = 20; // rows
const DARK = { fill: 'none', stroke: MISS, 'shape-rendering': 'crispEdges' };

export const height = () => TOP + TALLEST + 8 + TAPE_HEIGHT;

/** @typedef {{ scan: number, x: number }} Square */

/** How many scans are shown: all, or one where all find no room. @param {Raster} trace @param {number} width */
const shownOf = ({ scans, columns }, width) => (LEFT + scans * (columns + GAP) - GAP <= width ? scans : 1);

/** The scans that are shown, and where. @param {RasterState} state @param {number} width @returns {Square[]} */
function squares({ trace, scan }, width) {
  const shown = shownOf(trace, width) > 1 ? [...Array(trace.scans).keys()] : [scan];
  return shown.map((n, place) => ({ scan: n, x: LEFT + place * (trace.columns + GAP) }));
}

/** The misses of a row, as lines one after the other.
 * @param {Raster} trace @param {number} row @param {number} until the write behind the last */
function missesIn({ first, hit, rows }, row, until) {
  let lines = '', drawn = first[row];
  for (let k = first[row], end; k < until; k = end) {
    end = k + 1;
    while (end < until && hit[end] === hit[k]) end += 1;
    if (hit[k]) continue;
    lines += `m${k - drawn} 0h${end - k}`;
    drawn = end;
  }
  return lines && `M0 ${(row % rows) + 0.5}${lines}`;
}

/** @type {WeakMap<Raster, string[]>} the misses of whole bands, each drawn once, by their first rows */
const bands = new WeakMap();

/** The misses of a band, as far as its rows are done.
 * @param {Raster} trace @param {number} from @param {number} to @param {number} end row behind it */
function bandOf(trace, from, to, end) {
  const kept = bands.get(trace) ?? [], whole = to === end;
  bands.set(trace, kept);
  if (whole && kept[from] !== undefined) return kept[from];
  const rows = Array.from({ length: to - from }, (_, n) => missesIn(trace, from + n, trace.first[from + n + 1]));
  const lines = rows.join('');
  if (whole) kept[from] = lines;
  return lines;
}

/** All writes of some rows, found or not: the ground on which the misses are drawn.
 * @param {Raster} trace @param {number} scan @param {number} to the row behind them */
function written({ first, rows, columns }, scan, to) {
  const done = to - scan * rows, last = first[to] - first[Math.max(0, to - 1)];
  return done ? `M0 0h${columns}v${done - 1}h${last - columns}v1h${-last}z` : 'M0 0';
}

/** The rows that are done, and what they gave.
 * @param {RasterState} state @param {number} width @param {Surface} surface */
export function picture(state, width, surface) {
  const { trace } = state, { rows } = trace, shown = squares(state, width), now = complete(state);
  wording(state, shown, surface);
  for (const { scan, x } of shown) {
    const transform = `translate(${x} ${TOP})`, begin = scan * rows, behind = begin + rows;
    const to = Math.max(begin, Math.min(behind, now));
    surface.put('path', { d: written(trace, scan, to), transform, fill: HIT_GROUND });
    for (let from = begin; from < behind; from += BAND) {
      const end = Math.min(behind, from + BAND);
      const misses = bandOf(trace, from, Math.max(from, Math.min(end, now)), end);
      surface.put('path', { d: misses || 'M0 0', transform, ...DARK });
    }
  }
}

/** The row that is on, as far as it is done.
 * @param {RasterState} state @param {Square} square @param {Surface} surface */
function rowNow({ trace: { first, rows }, trace, row, done }, square, surface) {
  const until = done < first[row + 1] ? done : first[row];
  const transform = `translate(${square.x} ${TOP})`, wide = until - first[row];
  const d = wide ? `M0 ${row % rows}h${wide}v1h${-wide}z` : 'M0 0';
  surface.put('path', { d, transform, fill: HIT_GROUND });
  surface.put('path', { d: missesIn(trace, row, until) || 'M0 0', transform, ...DARK });
}

/** How many rows are done, of all scans. @param {RasterState} state */
const complete = ({ trace: { first }, row, done }) => (done === first[row + 1] ? row + 1 : row);

/** How many of a scan were found, in the rows that are done: words change once a row.
 * @param {RasterState} state @param {number} scan */
function countsOf(state, scan) {
  const { rows, first, hits: before } = state.trace, begin = scan * rows;
  const to = Math.max(begin, Math.min(begin + rows, complete(state))), hits = before[to] - before[begin];
  return { hits, misses: first[to] - first[begin] - hits };
}

/** @param {RasterState} state @param {Square} square @param {Surface} surface */
function title(state, { scan, x }, surface) {
  const { hits, misses } = countsOf(state, scan), words = { y: 12, 'font-size': 12 };
  const right = { x: x + state.trace.columns, 'text-anchor': 'end' }, weight = scan === state.scan ? 700 : 400;
  surface.put('text', { ...words, x, fill: INK, 'font-weight': weight }, `scan ${scan + 1}`);
  surface.put('text', { ...words, x: x + 58, fill: HIT }, `✓ ${grouped(hits)}`);
  surface.put('text', { ...words, ...right, fill: MISS }, `✕ ${grouped(misses)}`);
}

/** Beside the one square of a narrow stage: what the scans gave.
 * @param {RasterState} state @param {Surface} surface */
function beside(state, surface) {
  const { trace: { scans, columns }, scan } = state;
  const words = { x: LEFT + columns + GAP, 'font-size': 12 };
  for (let n = 0; n < scans; n += 1) {
    const { hits, misses } = countsOf(state, n), y = TOP + 12 + 56 * n, weight = n === scan ? 700 : 400;
    surface.put('text', { ...words, y, fill: INK, 'font-weight': weight }, n ? `scan ${n + 1}` : 'scan 1, cold');
    surface.put('text', { ...words, y: y + 16, fill: HIT }, `✓ ${grouped(hits)}`);
    surface.put('text', { ...words, y: y + 32, fill: MISS }, `✕ ${grouped(misses)}`);
  }
}

/** @param {RasterState} state @param {Square[]} shown @param {Surface} surface */
function wording(state, shown, surface) {
  for (const square of shown) if (shown.length > 1) title(state, square, surface);
  if (shown.length > 1) return;
  const text = `${grouped(state.trace.files)} graphs, a pixel each`;
  surface.put('text', { x: 0, y: 12, 'font-size': 12, fill: SOFT }, text);
  beside(state, surface);
}

/** What a frame changes. @param {RasterState} state @param {number} width @param {Surface} surface */
export function moving(state, width, surface) {
  const square = squares(state, width).find(({ scan }) => scan === state.scan);
  if (square) rowNow(state, square, surface);
}

/** Where the scans will be. @param {Raster} trace @param {number} width @param {Surface} surface */
export function frames(trace, width, surface) {
  const { rows, columns } = trace, shown = shownOf(trace, width);
  for (let n = 0; n < shown; n += 1) {
    const frame = { x: LEFT + n * (columns + GAP) - 0.5, y: TOP - 0.5, width: columns + 1, height: rows + 1 };
    surface.put('rect', { ...frame, fill: 'none', stroke: SOFT, 'stroke-opacity': 0.6 });
  }
}
