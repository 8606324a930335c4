// Chapter 3, second animation: every write of three scans, one pixel each, at the size of the report.
import { withCommas } from '../quantity.js';
import { byNumber, eventAt } from './events.js';
import { FORMULA_LINE, GROUND, HIT_GROUND, INK, MISS, RAISED, SOFT, px } from './surface.js';

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
    ? 'The first scan fills the cache and is not counted.'
    : `From scan 2 on: ${slowdown.toFixed(2)} times as slow as with hits alone.`;
  return `${where}, ${verdict}. ${sum}`;
}

// ---- The numbers: how slow the scans after the first are, and how many of their graphs were not in the cache

/** The numbers of the run. @param {RasterState} state @returns {Figure[]} */
function figuresOf({ trace: { files, formula, hits, rows }, done, scan, found, slowdown }) {
  const counted = done - files, missed = counted - (hits[scan * rows] + found - hits[rows]);
  const times = (/** @type {number | null} */ each) => each?.toFixed(2) ?? '–';
  return [
    { label: 'slowdown so far', short: 'slowdown', value: times(slowdown) },
    { label: 'slowdown according to the formula', short: 'formula', value: times(formula), tone: 'model' },
    {
      label: 'misses from scan 2 on', short: 'missed', value: counted > 0 ? ((100 * missed) / counted).toFixed(1) : '–',
      unit: '%', tone: counted > 0 && missed > 0 ? 'miss' : 'hit',
    },
  ];
}

// ---- The drawing: a square per scan, a pixel per graph in the order of the scan; faint for a hit, strong for a miss,
// on a light ground and on a dark one. Where there is no room for all scans, the squares shrink.

const WIDE = 500; // px; narrower is a phone, or one of two runs
const WIDE_SQUARE = 200; // px; a narrower one has room for fewer words
const TALLEST = 216; // rows
const BAND = 20; // rows

/** @param {number} width */
function sizesOf(width) {
  return width < WIDE
    ? { size: 12, top: 16, high: 108, gap: 7, key: 19, tape: 44 }
    : { size: 13, top: 21, high: TALLEST, gap: 12, key: 25, tape: 56 };
}

/** @param {number} width */
function heightOf(width) {
  const { top, high, key, tape: foot } = sizesOf(width);
  return top + high + key + foot;
}

/** The size of the time axis. @param {number} width */
const tape = (width) => ({ width, height: sizesOf(width).tape });

/** The squares of the scans: the left side of each, and the size of a graph.
 * @param {Raster} trace @param {number} width */
function plan({ scans, columns }, width) {
  const sizes = sizesOf(width), { gap, high } = sizes, wide = Math.floor((width - 2 - (scans - 1) * gap) / scans);
  const across = Math.min(1, wide / columns), down = high / TALLEST, side = Math.round(across * columns);
  return {
    ...sizes, across, down, side,
    left: (/** @type {number} */ scan) => 1 + Math.round((scan * (width - 2 - side)) / Math.max(1, scans - 1)),
  };
}

/** How the square of a scan is placed; where it shrinks, a pixel is one of the graphs that it stands for.
 * @param {ReturnType<typeof plan>} at @param {number} scan */
function placed({ left, top, across, down }, scan) {
  const scale = across < 1 || down < 1 ? ` scale(${across.toFixed(4)} ${down.toFixed(4)})` : '';
  return { transform: `translate(${left(scan)} ${top})${scale}`, 'shape-rendering': 'crispEdges' };
}

// ---- The tape: the run from end to end, with the slowdown so far, and the closed form

/** @param {Raster} trace @param {number} width @param {number} height */
function tapePlan({ begins, length, cost }, width, height) {
  const top = height - sizesOf(width).tape + 6, base = height - 4;
  return {
    top, base,
    x: (/** @type {number} */ t) => (t / begins[length]) * width,
    y: (/** @type {number} */ slowdown) => base - ((slowdown - 1) / (cost - 1)) * (base - top),
  };
}

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

const FIRST = 'the first scan is not counted';
const LETTER = 0.62; // of the size of the type

/** @param {Raster} trace @param {number} width @param {number} height @param {Surface} surface */
function drawTape(trace, width, height, surface) {
  const at = tapePlan(trace, width, height), { top, base, x, y } = at, { formula, begins, rows } = trace;
  const { size } = sizesOf(width), cold = px(x(begins[rows]));
  const words = [FIRST, 'first scan', ''].find((each) => each.length * size * LETTER < cold - 6) ?? '';
  surface.put('rect', { x: 0, y: top - 4, width: cold, height: height - top + 4, rx: 3, fill: RAISED });
  surface.put('text', { x: 6, y: top + size, 'font-size': size, fill: SOFT }, words);
  surface.put('path', { d: `M0 ${base + 0.5}H${width}`, stroke: SOFT, 'stroke-opacity': 0.5 });
  const level = formula === null ? '' : `M${cold} ${px(y(formula))}H${width}`;
  surface.put('path', { d: level || 'M0 0', ...FORMULA_LINE });
  surface.put('path', { d: slowdownPath(trace, at), fill: 'none', stroke: INK, 'stroke-width': 2 });
}

/** Draw the current time.
 * @param {RasterState} state @param {number} width @param {number} height @param {Surface} surface */
function drawNow({ trace, t, slowdown }, width, height, surface) {
  const { top, base, x, y } = tapePlan(trace, width, height), here = px(Math.min(width - 1, x(t)));
  const veil = { x: here, y: top - 4, width: px(width - here), height: height - top + 4 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.72 });
  surface.put('path', { d: `M${here} ${top - 4}V${height}`, stroke: INK, 'stroke-width': 2 });
  const spot = { cx: Math.min(width - 5, here), cy: px(slowdown === null ? base - 1 : y(slowdown)), r: 5 };
  surface.put('circle', { ...spot, fill: slowdown === null ? GROUND : INK, stroke: INK, 'stroke-width': 2 });
}

/** The path of the misses of a row, as boxes one after the other.
 * @param {Raster} trace @param {number} row @param {number} until the write after the last */
function missesPath({ first, hit, rows }, row, until) {
  let boxes = '', from = first[row];
  for (let k = first[row], end; k < until; k = end) {
    end = k + 1;
    while (end < until && hit[end] === hit[k]) end += 1;
    if (hit[k]) continue;
    boxes += `m${k - from} 0h${end - k}v1h${k - end}z`;
    from = k;
  }
  return boxes && `M0 ${row % rows}${boxes}`;
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

/** Draw the rows that are done.
 * @param {RasterState} state @param {number} width @param {Surface} surface */
function drawScans(state, width, surface) {
  const { trace } = state, { rows, scans } = trace, at = plan(trace, width), now = rowsDone(state);
  for (let scan = 0; scan < scans; scan += 1) {
    const place = placed(at, scan), begin = scan * rows, behind = begin + rows;
    const to = Math.max(begin, Math.min(behind, now));
    drawTitle(at, scan, scan === state.scan, surface);
    surface.put('path', { d: pathSoFar(trace, scan, to), ...place, fill: HIT_GROUND });
    for (let from = begin; from < behind; from += BAND) {
      const end = Math.min(behind, from + BAND);
      const misses = bandPath(trace, from, Math.max(from, Math.min(end, now)), end);
      surface.put('path', { d: misses || 'M0 0', ...place, fill: MISS });
    }
  }
}

/** @param {ReturnType<typeof plan>} at @param {number} scan @param {boolean} current @param {Surface} surface */
function drawTitle({ left, size, top, side }, scan, current, surface) {
  const first = side < WIDE_SQUARE ? 'scan 1, cold' : 'scan 1 fills the cache';
  const words = { x: left(scan), y: top - 5, 'font-size': size, fill: current ? INK : SOFT };
  surface.put('text', current ? { ...words, 'font-weight': 600 } : words, scan ? `scan ${scan + 1}` : first);
}

/** Draw the current row, as far as it is done.
 * @param {RasterState} state @param {number} width @param {Surface} surface */
function drawCurrentRow({ trace, row, done, scan }, width, surface) {
  const { first, rows } = trace, until = done < first[row + 1] ? done : first[row], wide = until - first[row];
  const place = placed(plan(trace, width), scan);
  const d = wide ? `M0 ${row % rows}h${wide}v1h${-wide}z` : 'M0 0';
  surface.put('path', { d, ...place, fill: HIT_GROUND });
  surface.put('path', { d: missesPath(trace, row, until) || 'M0 0', ...place, fill: MISS });
}

/** The number of rows done, over all scans. @param {RasterState} state */
const rowsDone = ({ trace: { first }, row, done }) => (done === first[row + 1] ? row + 1 : row);

/** Draw the frames of the scans, and what the colours mean.
 * @param {Raster} trace @param {number} width @param {Surface} surface */
function drawFrames(trace, width, surface) {
  const { rows, scans, files } = trace, { left, top, side, across, down, high, key, size } = plan(trace, width);
  for (let n = 0; n < scans; n += 1) {
    const frame = { x: left(n) - 0.5, y: top - 0.5, width: side + 1, height: px(rows * down) + 1 };
    surface.put('rect', { ...frame, fill: 'none', stroke: SOFT, 'stroke-opacity': 0.6 });
  }
  const y = top + high + key - 9, words = { y, 'font-size': size, fill: INK };
  const swatch = { y: y - 10, width: 11, height: 11 };
  surface.put('rect', { ...swatch, x: 0.5, fill: HIT_GROUND, stroke: SOFT });
  surface.put('text', { ...words, x: 18 }, 'hit');
  surface.put('rect', { ...swatch, x: 60.5, fill: MISS, stroke: MISS });
  surface.put('text', { ...words, x: 78 }, 'miss');
  const note = `${withCommas(files)} graphs per scan${across < 1 || down < 1 ? '' : ', one pixel each'}`;
  surface.put('text', { ...words, x: width, 'text-anchor': 'end', fill: SOFT }, note);
}

/** @type {Renderer<Raster, RasterState>} */
export const raster = {
  prepare, state: stateAt, sentence, figures: figuresOf, height: heightOf, tape,
  backdrop(trace, width, tall, surface) {
    drawTape(trace, width, tall, surface);
    drawFrames(trace, width, surface);
  },
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawCurrentRow(at, width, surface);
  },
  scene: (at, width, tall, surface) => drawScans(at, width, surface),
  ...byNumber,
  measure: 'row',
  words: { start: 'Back to the start, with an empty cache', event: 'row' },
  begins: ({ begins }) => begins,
  round: ({ scan, row, trace }, { begins, rows }) => begins[scan * rows + Math.min(rows - 1, row - scan * trace.rows)],
  rule: ({ cost }) => `a miss takes as long as ${cost} hits`,
  pace: [
    { each: 1e4, words: '10,000 hits a second' },
    { each: 4e4, words: '40,000 hits a second' },
    { each: 1.6e5, words: '160,000 hits a second' },
  ],
};
