// Chapter 7: the same BLOBs read from files and from rows, side by side on one clock.
import { withCommas } from '../quantity.js';
import { bySecond, countAt } from './events.js';
import { FORMULA_LINE, GROUND, HELD, HELD_GROUND, HIT, INK, MISS, SOFT, WAIT, WORK, plural, px } from './surface.js';

/**
 * A run as the chapter's `play` returns it. A cost is the time in which a file delivers so many kB.
 * @typedef {object} RaceColumns
 * @property {number} blob in kB
 * @property {number} bytes of a page
 * @property {number} reads
 * @property {number[]} tree pages of each level, from the leaves up
 * @property {number} overflow pages of a row besides its leaf
 * @property {number} open cost of finding, opening and closing a file
 * @property {number} lookup cost of looking up a row
 * @property {number} one cost of a page that is read
 * @property {number} ratio time from files over time from rows, by the closed form
 * @property {number[]} page pages asked for, the same number for each row
 * @property {number[]} hit 1: the page was in SQLite's cache
 */

/**
 * @typedef {object} RaceIndex
 * @property {number} each cost of a BLOB from its file
 * @property {number[][]} missed for each read the pages that it has to read, counted along its way
 * @property {Float64Array} files the times at which each BLOB is there, from files
 * @property {Float64Array} rows the same from rows
 * @property {number} end
 * @property {number} window the time in view
 * @property {Float64Array} begins the times at which a step stops; the last is the end
 */
/** @typedef {RaceColumns & RaceIndex} Race */

/**
 * @typedef {object} LaneState
 * @property {number} done BLOBs
 * @property {number} read the current one, from 0; the last one when all are done
 * @property {number} since time since it began
 */

/**
 * @typedef {object} RaceState
 * @property {Race} trace
 * @property {number} t
 * @property {LaneState} files
 * @property {LaneState} rows
 * @property {number} pages that the current row has read so far
 * @property {number | null} soFar time of a file over time of a row, over what both have finished
 */

// ---- The trace, its state at time t, and the sentence

const ROOM = 1.04; // the slower read leaves a little room at the right

/** @param {RaceColumns} columns @returns {Race} */
function prepare(columns) {
  const { reads, hit, open, blob, lookup, one } = columns, width = hit.length / reads, each = open + blob;
  const missed = Array.from({ length: reads }, (_, n) => (
    [...Array(width).keys()].filter((k) => !hit[n * width + k])));
  const files = Float64Array.from({ length: reads }, (_, n) => (n + 1) * each);
  let now = 0;
  const rows = Float64Array.from(missed, (pages) => {
    now += lookup + pages.length * one;
    return now;
  });
  const end = Math.max(now, reads * each);
  const slowest = Math.max(each, ...missed.map(({ length }) => lookup + length * one));
  const begins = Float64Array.from(new Set([0, ...files, ...rows, end])).sort();
  return { ...columns, each, missed, files, rows, end, window: ROOM * slowest, begins };
}

/** @param {Float64Array} times @param {number} t @returns {LaneState} */
function laneAt(times, t) {
  const done = countAt(times, t), read = Math.min(done, times.length - 1);
  return { done, read, since: Math.min(t, times[read]) - (read ? times[read - 1] : 0) };
}

/** @param {Race} trace @param {number} t @returns {RaceState} */
function stateAt(trace, t) {
  const files = laneAt(trace.files, t), rows = laneAt(trace.rows, t), both = Math.min(files.done, rows.done);
  const most = trace.missed[rows.read].length;
  const pages = Math.max(0, Math.min(most, Math.floor((rows.since - trace.lookup) / trace.one + 1e-9)));
  return { trace, t, files, rows, pages, soFar: both ? trace.files[both - 1] / trace.rows[both - 1] : null };
}

/** @param {RaceState} at */
function describeFile({ trace: { open, blob, reads }, files: { done, since } }) {
  if (done === reads) return 'all files have been read';
  if (since < open) return `file ${done + 1} is being opened`;
  return `${withCommas(Math.min(blob, since - open))} of ${withCommas(blob)} kB of file ${done + 1} have been read`;
}

/** @param {RaceState} at */
function describeRow({ trace: { lookup, missed, reads }, rows: { done, read, since }, pages }) {
  if (done === reads) return 'all rows have been read';
  if (since < lookup) return `row ${done + 1} is being looked up`;
  const verb = pages === 1 ? 'has' : 'have';
  return `${pages} of ${plural(missed[read].length, 'page')} of row ${done + 1} ${verb} been read`;
}

/** @param {number | null} ratio */
const ratioText = (ratio) => (ratio === null ? '–' : ratio.toFixed(2));

/** Describe the state in a sentence, for all readers. @param {RaceState} at */
function sentence(at) {
  const { trace: { blob, bytes, reads, ratio }, files, rows, soFar } = at;
  const done = `${files.done} of ${reads} from files, ${rows.done} from rows`;
  const formula = `(the formula gives ${ratioText(ratio)})`;
  const compared = soFar === null ? '' : ` A file took ${ratioText(soFar)} times as long as a row ${formula}.`;
  const what = `BLOBs of ${withCommas(blob)} kB, pages of ${withCommas(bytes)} bytes`;
  const now = files.done === reads && rows.done === reads ? '' : `: ${describeFile(at)}, and ${describeRow(at)}`;
  return `${what}${now}. Done: ${done}.${compared}`;
}

/** The numbers above the drawing. @param {RaceState} at @returns {Figure[]} */
function figures({ trace: { reads, ratio }, files, rows, soFar }) {
  const unit = `of ${reads}`;
  return [
    { label: 'read from files', short: 'from files', value: String(files.done), unit },
    { label: 'read from rows', short: 'from rows', value: String(rows.done), unit },
    { label: 'file time / row time so far', short: 'file/row', value: ratioText(soFar) },
    // Not before there is a ratio beside it: the chapter asks its reader to guess it first.
    {
      label: 'file time / row time according to the formula', short: 'formula',
      value: ratioText(soFar === null ? null : ratio), tone: 'model',
    },
  ];
}

// ---- The drawing: two lanes, a bar of the current read in each; below them a mark for each BLOB that is there

const NARROW = 600; // px: a phone, or one of two runs side by side
const PHONE = { size: 12, lane: 46, bar: 20, tape: 62, mark: 10 };
const WIDE = { size: 14, lane: 62, bar: 30, tape: 74, mark: 13 };

/** @param {number} width */
const layout = (width) => (width < NARROW ? PHONE : WIDE);

/** @param {number} width */
function heightOf(width) {
  const { lane, tape, size } = layout(width);
  return 2 * lane + size + 8 + tape;
}

/** The size of the time axis. @param {number} width */
const tape = (width) => ({ width, height: layout(width).tape });

/** @param {Race} trace @param {number} width */
function plan(trace, width) {
  const { size, lane, bar } = layout(width);
  const tops = [0, 1].map((n) => n * lane + size + 5);
  return { ...layout(width), width, bar, tops, x: (/** @type {number} */ since) => px((since / trace.window) * width) };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** The box of a piece of a bar. @param {Plan} at @param {number} lane @param {number} from @param {number} to */
function pieceOf({ tops, bar, x }, lane, from, to) {
  return { x: x(from), y: tops[lane], width: px(Math.max(0, x(to) - x(from))), height: bar };
}

/** The pages of a row as one path of boxes, up to a time. @param {Race} trace @param {Plan} at
 * @param {number} count @param {number} until */
function pagesPath({ lookup, one }, { tops, bar, x }, count, until) {
  const gap = x(lookup + one) - x(lookup) > 4 ? 1 : 0;
  let d = '';
  for (let k = 0; k < count && lookup + k * one < until; k += 1) {
    const left = x(lookup + k * one), right = px(Math.min(x(lookup + (k + 1) * one) - gap, x(until)));
    if (right > left) d += `M${left} ${tops[1]}H${right}V${tops[1] + bar}H${left}z`;
  }
  return d || 'M0 0';
}

/** Draw what does not move: the names of the lanes, where each read ends, and the scale.
 * @param {Race} trace @param {number} width @param {number} tall @param {Surface} surface */
function drawBackdrop(trace, width, tall, surface) {
  const at = plan(trace, width), { size, tops, bar, x } = at, wide = width >= NARROW;
  const line = { 'font-size': size, x: 0, fill: INK };
  const file = wide ? 'from a file: find and open it, then read its bytes' : 'file: open, bytes';
  surface.put('text', { ...line, y: tops[0] - 5 }, file);
  const pages = plural(trace.overflow + 1, 'page');
  const row = wide ? `from a row: look it up, then read ${pages}` : `row: look up, ${pages}`;
  surface.put('text', { ...line, y: tops[1] - 5 }, row);
  for (const [lane, cost] of [trace.each, trace.lookup + (trace.overflow + 1) * trace.one].entries()) {
    const end = Math.min(x(cost), width - 1);
    surface.put('path', { d: `M${end} ${tops[lane] - 2}v${bar + 4}`, ...FORMULA_LINE });
  }
  const { mark } = at, top = tall - 2 * mark - 16;
  const words = { 'font-size': 12, fill: SOFT };
  const done = wide ? 'BLOBs read: files above, rows below' : 'BLOBs read: files, rows';
  surface.put('text', { ...words, x: 0, y: top - 6 }, done);
  const most = withCommas(trace.window);
  const scale = wide ? `full width: time to read ${most} kB from a file` : `full width: ${most} kB read from a file`;
  surface.put('text', { ...words, x: width, y: tops[1] + bar + 14, 'text-anchor': 'end' }, scale);
  for (const [lane, times] of [trace.files, trace.rows].entries()) {
    const y = top + lane * (mark + 3), last = px((times[times.length - 1] / trace.end) * width);
    surface.put('path', { d: `M0 ${y + mark + 0.5}H${last}`, stroke: SOFT });
  }
}

/** The marks of the BLOBs that are there, along the clock. @param {Float64Array} times @param {number} done
 * @param {(time: number) => number} x @param {{ y: number, mark: number }} row */
function marksPath(times, done, x, { y, mark }) {
  let d = '';
  for (let n = 0; n < done; n += 1) {
    const left = px(x(n ? times[n - 1] : 0)), right = px(x(times[n]) - 1);
    d += `M${left} ${y}H${Math.max(left + 0.5, right)}v${mark}H${left}z`;
  }
  return d || 'M0 0';
}

/** Draw both reads as far as they are, and all that are done.
 * @param {RaceState} state @param {number} width @param {number} tall @param {Surface} surface */
function drawNow(state, width, tall, surface) {
  const { trace, files, rows, t } = state, at = plan(trace, width), { mark, tops, bar, x } = at;
  const opened = Math.min(files.since, trace.open);
  surface.put('rect', { ...pieceOf(at, 0, 0, opened), fill: HELD_GROUND, stroke: HELD });
  surface.put('rect', { ...pieceOf(at, 0, opened, files.since), fill: WORK });
  surface.put('rect', { ...pieceOf(at, 1, 0, Math.min(rows.since, trace.lookup)), fill: WAIT });
  const count = trace.missed[rows.read].length;
  surface.put('path', { d: pagesPath(trace, at, count, rows.since), fill: MISS });
  for (const [lane, { since }] of [files, rows].entries()) {
    const here = px(Math.min(width - 1, x(since)));
    surface.put('path', { d: `M${here} ${tops[lane] - 2}v${bar + 4}`, stroke: INK, 'stroke-width': 2 });
  }
  const top = tall - 2 * mark - 16, along = (/** @type {number} */ time) => (time / trace.end) * width;
  const paths = [trace.files, trace.rows].map((times, lane) => (
    marksPath(times, [files, rows][lane].done, along, { y: top + lane * (mark + 3), mark })));
  surface.put('path', { d: paths[0], fill: WORK });
  surface.put('path', { d: paths[1], fill: HIT });
  const now = px(Math.min(width - 1, (t / trace.end) * width));
  surface.put('path', { d: `M${now} ${top - 2}V${tall - 8}`, stroke: GROUND, 'stroke-width': 4 });
  surface.put('path', { d: `M${now} ${top - 2}V${tall - 8}`, stroke: INK, 'stroke-width': 2 });
}

/** @type {Renderer<Race, RaceState>} */
export const race = {
  prepare, state: stateAt, sentence, figures, height: heightOf, tape,
  backdrop: drawBackdrop,
  moving: drawNow,
  scene() {}, // everything moves
  ...bySecond,
  measure: 'cost', // in kB of a file's reading
  words: { start: 'Back to the start', event: 'BLOB' },
  begins: ({ begins }) => begins,
  round: ({ t }) => t,
  rule: () => '',
  pace: [20, 100, 500].map((each) => ({ each, words: `${each} kB a second` })),
};
