// Chapter 3, second animation: every write of three scans, one pixel each, at the size of the report.
import { withCommas } from '../quantity.js';
import { byNumber, eventAt } from './events.js';
import { TAPE_HEIGHT, drawLevels, drawNow, tape, tapePlan } from './scan.js';
import { HIT, HIT_GROUND, INK, MISS, SOFT, px } from './surface.js';

/**
 * Every write of some scans, at the size of the report.
 * @typedef {object} RasterColumns
 * @property {number} files
 * @property {number} places
 * @property {number} scans
 * @property {number} cost of a miss, in hits
 * @property {number | null} formula
 * @property {number} columns graphs per row of the picture
 * @property {number[]} run the lengths of the runs of misses, hits, misses, ...
 */

/**
 * @typedef {object} RasterIndex
 * @property {number} rows of the picture of one scan
 * @property {number} length in rows, of all scans
 * @property {Uint8Array} hit whether each write is one
 * @property {Int32Array} first the first write of each row, and the end
 * @property {Float64Array} begins of each row, in hits; the last is the end
 * @property {Int32Array} hits before each row
 */
/** @typedef {RasterColumns & RasterIndex} Raster */

/**
 * @typedef {object} RasterState
 * @property {Raster} trace
 * @property {number} t
 * @property {number} row counted over all scans
 * @property {number} scan from 0
 * @property {number} done writes
 * @property {number} here writes done in this scan
 * @property {number} found hits among those
 * @property {number | null} slowdown since the second scan began
 */

// ---- The trace, its state at time t, and the sentence. Time counts hits, as in the first animation; an event is a
// row of the picture.

/** Whether each write is a hit. @param {number[]} run @param {number} length */
function hitsOf(run, length) {
  const hit = new Uint8Array(length);
  let k = 0;
  run.forEach((count, n) => {
    hit.fill(n % 2, k, k + count);
    k += count;
  });
  return hit;
}

/** Return a run with all that is looked up in it, at the beginning of each row.
 * @param {RasterColumns} columns @returns {Raster} */
function prepare(columns) {
  const { files, scans, cost, run, columns: wide } = columns, rows = Math.ceil(files / wide), length = rows * scans;
  const hit = hitsOf(run, files * scans);
  const first = Int32Array.from({ length: length + 1 }, (_, row) => (
    Math.floor(row / rows) * files + Math.min(files, (row % rows) * wide)));
  const begins = new Float64Array(length + 1), hits = new Int32Array(length + 1);
  for (let row = 0; row < length; row += 1) {
    const here = hit.subarray(first[row], first[row + 1]).reduce((sum, each) => sum + each, 0);
    hits[row + 1] = hits[row] + here;
    begins[row + 1] = begins[row] + here + cost * (first[row + 1] - first[row] - here);
  }
  return { ...columns, rows, length, hit, first, begins, hits };
}

/** The slowdown of the scans after the first, after a number of writes and hits.
 * @param {Raster} trace @param {number} done @param {number} hits */
function slowdownOf({ files, rows, hits: before, cost }, done, hits) {
  const counted = done - files;
  return counted > 0 ? 1 + (cost - 1) * (1 - (hits - before[rows]) / counted) : null;
}

/** @param {Raster} trace @param {number} t @returns {RasterState} */
function stateAt(trace, t) {
  const { begins, first, hits, hit, files, rows, cost } = trace, row = eventAt(begins, t);
  let done = first[row], found = hits[row], left = t - begins[row];
  while (done < first[row + 1] && left >= (hit[done] ? 1 : cost)) {
    left -= hit[done] ? 1 : cost;
    found += hit[done];
    done += 1;
  }
  const scan = Math.floor(row / rows);
  return {
    trace, t, row, scan, done,
    here: done - scan * files,
    found: found - hits[scan * rows],
    slowdown: slowdownOf(trace, done, found),
  };
}

/** Describe the state in a sentence, for all readers. @param {RasterState} at */
function sentence({ trace, scan, here, found, slowdown }) {
  const { files, scans } = trace;
  const where = `Scan ${scan + 1} of ${scans}: ${withCommas(here)} of ${withCommas(files)} graphs written`;
  const verdict = `${withCommas(found)} found in the cache, ${withCommas(here - found)} not`;
  const sum = slowdown === null
    ? 'The first scan fills the cache and does not count.'
    : `Since scan 2: ${slowdown.toFixed(2)} times as slow.`;
  return `${where}, ${verdict}. ${sum}`;
}

// ---- The tape: the run from end to end, with the slowdown so far, and the closed form

/** @param {Raster} trace @param {ReturnType<typeof tapePlan>} at */
function slowdownPath(trace, { x, y }) {
  const { rows, length, first, hits, begins } = trace;
  let line = '';
  for (let row = rows + 1; row <= length; row += 1) {
    const slowdown = slowdownOf(trace, first[row], hits[row]) ?? 1;
    line += `${line ? 'L' : 'M'}${px(x(begins[row]))} ${px(y(slowdown))}`;
  }
  return line;
}

/** @param {Raster} trace @param {number} width @param {number} height @param {Surface} surface */
function drawTape(trace, width, height, surface) {
  const at = tapePlan(trace, width, height);
  drawLevels(trace, at, { cold: trace.begins[trace.rows], line: slowdownPath(trace, at), foot: height }, surface);
}

// ---- The drawing: a square per scan, a pixel per graph in the order of the scan; faint for a hit, strong for a miss,
// on a light ground and on a dark one. A wide animation shows all scans, a narrow one the current scan.

const LEFT = 1, TOP = 18, GAP = 12, TALLEST = 216; // px
const BAND = 20; // rows
const DARK = { fill: 'none', stroke: MISS, 'shape-rendering': 'crispEdges' };

const heightOf = () => TOP + TALLEST + 8 + TAPE_HEIGHT;

/** @typedef {{ scan: number, x: number }} Square */

/** The number of scans shown: all, or one where there is no room for all.
 * @param {Raster} trace @param {number} width */
const countOf = ({ scans, columns }, width) => (LEFT + scans * (columns + GAP) - GAP <= width ? scans : 1);

/** The scans shown, with their places. @param {RasterState} state @param {number} width @returns {Square[]} */
function squaresOf({ trace, scan }, width) {
  const scans = countOf(trace, width) > 1 ? [...Array(trace.scans).keys()] : [scan];
  return scans.map((n, place) => ({ scan: n, x: LEFT + place * (trace.columns + GAP) }));
}

/** The path of the misses of a row, as lines one after the other.
 * @param {Raster} trace @param {number} row @param {number} until the write after the last */
function missesPath({ first, hit, rows }, row, until) {
  let lines = '', from = first[row];
  for (let k = first[row], end; k < until; k = end) {
    end = k + 1;
    while (end < until && hit[end] === hit[k]) end += 1;
    if (hit[k]) continue;
    lines += `m${k - from} 0h${end - k}`;
    from = end;
  }
  return lines && `M0 ${(row % rows) + 0.5}${lines}`;
}

/** @type {WeakMap<Raster, string[]>} the paths of complete bands, each made once, by their first rows */
const bands = new WeakMap();

/** The path of the misses of a band, for the rows that are done.
 * @param {Raster} trace @param {number} from @param {number} to @param {number} end the row after it */
function bandPath(trace, from, to, end) {
  const kept = bands.get(trace) ?? [], complete = to === end;
  bands.set(trace, kept);
  if (complete && kept[from] !== undefined) return kept[from];
  const rows = Array.from({ length: to - from }, (_, n) => missesPath(trace, from + n, trace.first[from + n + 1]));
  const lines = rows.join('');
  if (complete) kept[from] = lines;
  return lines;
}

/** The path of all writes of some rows, the ground on which the misses are drawn.
 * @param {Raster} trace @param {number} scan @param {number} to the row after them */
function pathSoFar({ first, rows, columns }, scan, to) {
  const done = to - scan * rows, last = first[to] - first[Math.max(0, to - 1)];
  return done ? `M0 0h${columns}v${done - 1}h${last - columns}v1h${-last}z` : 'M0 0';
}

/** Draw the rows that are done, and their counts.
 * @param {RasterState} state @param {number} width @param {Surface} surface */
function drawScans(state, width, surface) {
  const { trace } = state, { rows } = trace, all = squaresOf(state, width), now = rowsDone(state);
  drawWords(state, all, surface);
  for (const { scan, x } of all) {
    const transform = `translate(${x} ${TOP})`, begin = scan * rows, behind = begin + rows;
    const to = Math.max(begin, Math.min(behind, now));
    surface.put('path', { d: pathSoFar(trace, scan, to), transform, fill: HIT_GROUND });
    for (let from = begin; from < behind; from += BAND) {
      const end = Math.min(behind, from + BAND);
      const misses = bandPath(trace, from, Math.max(from, Math.min(end, now)), end);
      surface.put('path', { d: misses || 'M0 0', transform, ...DARK });
    }
  }
}

/** Draw the current row, as far as it is done.
 * @param {RasterState} state @param {Square} square @param {Surface} surface */
function drawCurrentRow({ trace: { first, rows }, trace, row, done }, square, surface) {
  const until = done < first[row + 1] ? done : first[row];
  const transform = `translate(${square.x} ${TOP})`, wide = until - first[row];
  const d = wide ? `M0 ${row % rows}h${wide}v1h${-wide}z` : 'M0 0';
  surface.put('path', { d, transform, fill: HIT_GROUND });
  surface.put('path', { d: missesPath(trace, row, until) || 'M0 0', transform, ...DARK });
}

/** The number of rows done, over all scans. @param {RasterState} state */
const rowsDone = ({ trace: { first }, row, done }) => (done === first[row + 1] ? row + 1 : row);

/** The hits and misses of a scan in the rows that are done: words change once per row.
 * @param {RasterState} state @param {number} scan */
function countsOf(state, scan) {
  const { rows, first, hits: before } = state.trace, begin = scan * rows;
  const to = Math.max(begin, Math.min(begin + rows, rowsDone(state))), hits = before[to] - before[begin];
  return { hits, misses: first[to] - first[begin] - hits };
}

/** @param {RasterState} state @param {Square} square @param {Surface} surface */
function drawTitle(state, { scan, x }, surface) {
  const { hits, misses } = countsOf(state, scan), words = { y: 12, 'font-size': 12 };
  const right = { x: x + state.trace.columns, 'text-anchor': 'end' }, weight = scan === state.scan ? 700 : 400;
  surface.put('text', { ...words, x, fill: INK, 'font-weight': weight }, `scan ${scan + 1}`);
  surface.put('text', { ...words, x: x + 58, fill: HIT }, `✓ ${withCommas(hits)}`);
  surface.put('text', { ...words, ...right, fill: MISS }, `✕ ${withCommas(misses)}`);
}

/** Draw the counts of all scans beside the one square of a narrow animation.
 * @param {RasterState} state @param {Surface} surface */
function drawCounts(state, surface) {
  const { trace: { scans, columns }, scan } = state;
  const words = { x: LEFT + columns + GAP, 'font-size': 12 };
  for (let n = 0; n < scans; n += 1) {
    const { hits, misses } = countsOf(state, n), y = TOP + 12 + 56 * n, weight = n === scan ? 700 : 400;
    surface.put('text', { ...words, y, fill: INK, 'font-weight': weight }, n ? `scan ${n + 1}` : 'scan 1, cold');
    surface.put('text', { ...words, y: y + 16, fill: HIT }, `✓ ${withCommas(hits)}`);
    surface.put('text', { ...words, y: y + 32, fill: MISS }, `✕ ${withCommas(misses)}`);
  }
}

/** @param {RasterState} state @param {Square[]} all @param {Surface} surface */
function drawWords(state, all, surface) {
  for (const square of all) if (all.length > 1) drawTitle(state, square, surface);
  if (all.length > 1) return;
  const text = `${withCommas(state.trace.files)} graphs, a pixel each`;
  surface.put('text', { x: 0, y: 12, 'font-size': 12, fill: SOFT }, text);
  drawCounts(state, surface);
}

/** Draw what changes with each frame. @param {RasterState} state @param {number} width @param {Surface} surface */
function drawMoving(state, width, surface) {
  const square = squaresOf(state, width).find(({ scan }) => scan === state.scan);
  if (square) drawCurrentRow(state, square, surface);
}

/** Draw the frames of the scans. @param {Raster} trace @param {number} width @param {Surface} surface */
function drawFrames(trace, width, surface) {
  const { rows, columns } = trace, count = countOf(trace, width);
  for (let n = 0; n < count; n += 1) {
    const frame = { x: LEFT + n * (columns + GAP) - 0.5, y: TOP - 0.5, width: columns + 1, height: rows + 1 };
    surface.put('rect', { ...frame, fill: 'none', stroke: SOFT, 'stroke-opacity': 0.6 });
  }
}

/** @type {Renderer<Raster, RasterState>} */
export const raster = {
  prepare, state: stateAt, sentence, height: heightOf, tape,
  backdrop(trace, width, tall, surface) {
    drawTape(trace, width, tall, surface);
    drawFrames(trace, width, surface);
  },
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawMoving(at, width, surface);
  },
  scene: (at, width, tall, surface) => drawScans(at, width, surface),
  ...byNumber,
  measure: 'row',
  words: { start: 'To the start, cold', event: 'row' },
  begins: ({ begins }) => begins,
  round: ({ scan, row, trace }, { begins, rows }) => begins[scan * rows + Math.min(rows - 1, row - scan * trace.rows)],
  rule: ({ cost }) => `a miss takes ${cost}`,
  pace: [
    { each: 1e4, words: '10,000 hits a second' },
    { each: 4e4, words: '40,000 hits a second' },
    { each: 1.6e5, words: '160,000 hits a second' },
  ],
};
