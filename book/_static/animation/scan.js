// Chapter 3: a scan over a few files, and a cache that may be too small for them.
import { byNumber, eventAt } from './events.js';
import {
  FORMULA_LINE, GROUND, HIT, HIT_GROUND, INK, MISS, MISS_GROUND, MODEL, RAISED, SOFT, plural, px,
} from './surface.js';

/**
 * A run of a cache; each column has one number per request.
 * @typedef {object} ScanColumns
 * @property {number} files
 * @property {number} places
 * @property {number} cost of a miss, in hits
 * @property {number | null} formula the slowdown by the closed form
 * @property {number[]} file
 * @property {number[]} hit
 * @property {number[]} victim -1: no file left
 * @property {number[]} place -1: the file bypassed the cache
 */

/**
 * @typedef {object} ScanIndex
 * @property {number} length in requests
 * @property {Float64Array} begins of each request, in hits; the last is the end
 * @property {Int16Array} holds the file in each place after each request, -1 if the place is empty
 * @property {Int32Array} used the request that used it last
 * @property {Int32Array} misses before each request, from the second scan on
 * @property {Int32Array} nextMiss the first miss at or after each request, or -1
 */
/** @typedef {ScanColumns & ScanIndex} Scan */

/**
 * @typedef {object} Slot
 * @property {number} file -1: empty
 * @property {number} recency from 0 to 1, which is the most recently used
 * @property {'' | 'hit' | 'read'} mark
 */

/**
 * @typedef {object} ScanState
 * @property {Scan} trace
 * @property {number} t
 * @property {number} k the request, from 0
 * @property {number} file
 * @property {boolean} hit
 * @property {number} part the share of the request that is done
 * @property {number} victim
 * @property {number} place
 * @property {number} scan from 0
 * @property {boolean[]} cached by file
 * @property {Slot[]} slots
 * @property {{ file: number, ahead: number, place: number } | null} next the next miss
 * @property {number} counted requests since the second scan began
 * @property {number} misses among those
 * @property {number | null} slowdown over those
 */

/**
 * What the tape of either of chapter 3's animations needs; an event is a request, or a row of a picture.
 * @typedef {object} Taped
 * @property {number} cost of a miss, in hits
 * @property {number | null} formula
 * @property {number} length in events
 * @property {Float64Array} begins of each event, in hits; the last is the end
 */

// ---- The trace, its state at time t, and the sentence. Time counts hits: a hit takes 1, a miss takes `cost`. While a
// request is served the hand points at its file; on a miss the victim leaves at once, and the file is read
// meanwhile. A file that bypasses the cache has no place, and nothing leaves for it.

const NONE = -1;

/** Return a run with all that is looked up in it, after each request.
 * @param {ScanColumns} columns @returns {Scan} */
function prepare(columns) {
  const { files, places, cost, file, hit, place } = columns;
  const length = file.length;
  const begins = new Float64Array(length + 1), misses = new Int32Array(length + 1);
  const nextMiss = new Int32Array(length + 1).fill(NONE);
  const holds = new Int16Array(length * places).fill(NONE), used = new Int32Array(length * places).fill(NONE);
  for (let k = 0; k < length; k += 1) {
    const row = k * places, before = Math.max(0, row - places);
    holds.copyWithin(row, before, row);
    used.copyWithin(row, before, row);
    if (place[k] !== NONE) {
      holds[row + place[k]] = file[k];
      used[row + place[k]] = k;
    }
    begins[k + 1] = begins[k] + (hit[k] ? 1 : cost);
    misses[k + 1] = misses[k] + Number(k >= files && !hit[k]);
  }
  for (let k = length - 1; k >= 0; k -= 1) nextMiss[k] = hit[k] ? nextMiss[k + 1] : k;
  return { ...columns, length, begins, holds, used, misses, nextMiss };
}

/** @param {Scan} trace @param {number} k @param {boolean} reading @returns {Slot[]} */
function slotsOf(trace, k, reading) {
  const { places, place, holds, used } = trace;
  const row = k * places;
  const filled = Array.from({ length: places }, (_, n) => n).filter((n) => holds[row + n] !== NONE);
  const ranked = filled.sort((a, b) => used[row + a] - used[row + b]);
  return Array.from({ length: places }, (_, n) => {
    const mark = n === place[k] ? (reading ? 'read' : trace.hit[k] && 'hit') : '';
    return { file: holds[row + n], recency: (ranked.indexOf(n) + 1) / ranked.length, mark: mark || '' };
  });
}

/** @param {Scan} trace @param {number} k */
function nextAfter(trace, k) {
  const next = trace.nextMiss[k + 1];
  if (next === NONE) return null;
  const place = trace.victim[next] === NONE ? NONE : trace.place[next];
  return { file: trace.file[next], ahead: next - k, place };
}

/** @param {Scan} trace @param {number} t @returns {ScanState} */
function stateAt(trace, t) {
  const { files, begins, cost } = trace;
  const k = eventAt(begins, t);
  const hit = trace.hit[k] === 1, file = trace.file[k];
  const part = Math.min(1, Math.max(0, (t - begins[k]) / (hit ? 1 : cost)));
  const reading = !hit && part < 1;
  const slots = slotsOf(trace, k, reading);
  const cached = new Array(files).fill(false);
  for (const slot of slots) if (slot.file !== NONE) cached[slot.file] = true;
  if (reading) cached[file] = false;
  const counted = Math.max(0, k + 1 - files), misses = trace.misses[k + 1];
  const slowdown = counted ? 1 + (cost - 1) * (misses / counted) : null;
  const request = { k, file, hit, part, victim: trace.victim[k], place: trace.place[k], scan: Math.floor(k / files) };
  return { trace, t, ...request, cached, slots, next: nextAfter(trace, k), counted, misses, slowdown };
}

/** The number of requests until a file is requested again, Infinity if not in this run.
 * @param {Scan} trace @param {number} file @param {number} k */
function reuseDistance({ file: asked }, file, k) {
  const again = asked.indexOf(file, k + 1);
  return again < 0 ? Infinity : again - k;
}

/** @param {ScanState} at */
function describeRequest({ trace, k, hit, victim, place }) {
  if (hit) return 'a hit.';
  if (place === NONE) return 'a miss; it passes the cache by, and nothing leaves.';
  if (victim === NONE) return 'a miss; it fills an empty place.';
  const later = reuseDistance(trace, victim, k), leaves = `a miss; file ${victim + 1}`;
  if (later === 1) return `${leaves}, the very next one wanted, leaves.`;
  return later === Infinity ? `${leaves} leaves.` : `${leaves} leaves, wanted again ${later} requests later.`;
}

/** @param {ScanState} at */
function describeSlowdown({ counted, misses, slowdown }) {
  if (slowdown === null) return 'The first scan fills the cache and does not count.';
  const counts = `${plural(counted, 'request')}, ${plural(misses, 'miss', 'misses')}`;
  return `Since scan 2: ${counts}; ${slowdown.toFixed(2)} times as slow.`;
}

/** Describe the state in a sentence, for all readers. @param {ScanState} at */
function sentence(at) {
  const { k, scan, file } = at;
  return `Request ${k + 1}, in scan ${scan + 1}: file ${file + 1}, ${describeRequest(at)} ${describeSlowdown(at)}`;
}

// ---- The tape: the run from end to end, with hits as bars up, misses as bars down, and above them the slowdown so far
// and the closed form

const BAR = 7, ROOM = 4, NARROW_PX = 3;
export const TAPE_HEIGHT = 64;

/** The places of everything on the tape. @param {Taped} trace @param {number} width @param {number} height */
export function tapePlan({ begins, length, cost }, width, height) {
  const { width: plot } = tape(width);
  const top = height - TAPE_HEIGHT + ROOM, base = height - 2 * BAR - 2 * ROOM;
  return {
    plot, top, base,
    middle: height - BAR - 2,
    x: (/** @type {number} */ t) => (t / begins[length]) * plot,
    y: (/** @type {number} */ slowdown) => base - ((slowdown - 1) / (cost - 1)) * (base - top),
  };
}

/** The paths of a bar per request; where bars are too narrow to see, those of one kind join.
 * @param {Scan} trace @param {(t: number) => number} x @param {number} middle */
function barPaths({ begins, hit, length }, x, middle) {
  const paths = ['', ''];
  for (let k = 0, end; k < length; k = end) {
    end = k + 1;
    const gap = x(begins[end]) - x(begins[k]) >= NARROW_PX ? 0.8 : 0;
    while (!gap && end < length && hit[end] === hit[k]) end += 1;
    const left = px(x(begins[k])), wide = px(x(begins[end]) - x(begins[k]) - gap);
    paths[hit[k]] += `M${left} ${middle}h${wide}v${hit[k] ? -BAR : BAR}h${-wide}z`;
  }
  return paths;
}

/** The path of the slowdown so far, with each request counted when it begins.
 * @param {Scan} trace @param {ReturnType<typeof tapePlan>} at */
function slowdownPath({ begins, files, length, misses, cost }, { x, y }) {
  let line = `M${px(x(begins[Math.min(files, length)]))}`;
  for (let k = files; k < length; k += 1) {
    const slowdown = 1 + (cost - 1) * (misses[k + 1] / (k + 1 - files));
    line += `${k > files ? 'V' : ' '}${px(y(slowdown))}H${px(x(begins[k + 1]))}`;
  }
  return length > files ? line : 'M0 0';
}

/** Draw the first scan, which does not count, the slowdown so far as a line, and the closed form.
 * @param {Taped} trace @param {ReturnType<typeof tapePlan>} at
 * @param {{ cold: number, line: string, foot: number }} shapes @param {Surface} surface */
export function drawLevels({ formula }, { plot, top, base, x, y }, { cold, line, foot }, surface) {
  surface.put('rect', { x: 0, y: top - 2, width: px(x(cold)), height: foot - top + 2, fill: RAISED });
  surface.put('path', { d: `M0 ${base + 0.5}H${plot}`, stroke: SOFT, 'stroke-opacity': 0.5 });
  surface.put('path', { d: line, fill: 'none', stroke: INK, 'stroke-width': 1.6 });
  const level = formula === null ? '' : `M0 ${px(y(formula))}H${plot}`;
  surface.put('path', { d: level || 'M0 0', ...FORMULA_LINE });
}

/** Draw what does not move.
 * @param {Scan} trace @param {number} width @param {number} height @param {Surface} surface */
function drawTape(trace, width, height, surface) {
  const at = tapePlan(trace, width, height), [misses, hits] = barPaths(trace, at.x, at.middle);
  drawLevels(trace, at, { cold: trace.begins[trace.files], line: slowdownPath(trace, at), foot: height }, surface);
  surface.put('path', { d: hits || 'M0 0', fill: HIT });
  surface.put('path', { d: misses || 'M0 0', fill: MISS });
  surface.put('text', { x: at.plot + 8, y: height - 2, 'font-size': 12, fill: SOFT }, '✓ up, ✕ down');
}

/** Draw the current time. @param {{ trace: Taped, t: number, slowdown: number | null }} state
 * @param {number} width @param {number} height @param {Surface} surface */
export function drawNow({ trace, t, slowdown }, width, height, surface) {
  const { plot, top, base, x, y } = tapePlan(trace, width, height);
  const here = px(x(Math.min(t, trace.begins[trace.length])));
  const { formula } = trace, words = { x: plot + 8, 'font-size': 12 };
  const veil = { x: here, y: top - 2, width: px(plot - here), height: base - top + 1 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.75 });
  surface.put('path', { d: `M${here} ${top - 3}V${height}`, stroke: INK, 'stroke-width': 1.5 });
  const level = px(slowdown === null ? base : y(slowdown));
  surface.put('circle', { cx: here, cy: level, r: 3.5, fill: slowdown === null ? 'none' : INK });
  const soFar = slowdown === null ? 'first scan' : `so far ${slowdown.toFixed(2)}`;
  surface.put('text', { ...words, y: top + 12, fill: INK, 'font-weight': 600 }, soFar);
  surface.put('text', { ...words, y: top + 29, fill: formula === null ? SOFT : MODEL },
    formula === null ? 'no formula' : `formula ${formula.toFixed(2)}`);
}

/** The size of the time axis. @param {number} width */
export function tape(width) {
  return { width: width - 96, height: TAPE_HEIGHT };
}

// ---- The last scans, a row each and a column per file: hits thin, misses thick, so that a pattern shows

const ROW = 9, HIGH = 7, THIN = 2.5, WIDEST = 24;

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Room */

/** @param {ScanState} state @param {Room} room @param {Surface} surface */
function drawLastScans({ trace, k, scan }, { left, right, top, bottom }, surface) {
  const { files, file, hit } = trace, rows = Math.floor((bottom - top - 8) / ROW);
  if (rows < 2) return;
  const wide = Math.min(WIDEST, (right - left) / files), first = Math.max(0, scan - rows + 1);
  const paths = ['', ''];
  for (let n = first * files; n <= k; n += 1) {
    const row = Math.floor(n / files) - first, high = hit[n] ? THIN : HIGH;
    const x = px(left + file[n] * wide), y = px(top + 8 + row * ROW + HIGH - high);
    paths[hit[n]] += `M${x} ${y}h${px(wide - 2)}v${high}h${px(2 - wide)}z`;
  }
  surface.put('text', { x: left, y: top + 2, 'font-size': 12, fill: SOFT }, 'The last scans, file by file');
  surface.put('path', { d: paths[1] || 'M0 0', fill: HIT });
  surface.put('path', { d: paths[0] || 'M0 0', fill: MISS });
}

// ---- The drawing: the files on a ring in the order of the scan, the hand, and the cache as a row of places. What a
// request changes is drawn once per request; the progress of a read is drawn in each frame, beneath it.

const LEAST_CELL = 27, MOST_CELL = 36, NAME_ROOM = 15, FIRST_ROW = 26;
const ABOVE = 13, BESIDE = 11; // px around the ring, for a word
const NARROW = 450, TIGHT = 340; // px: a phone, and a small one
const TURN = 2 * Math.PI;
const MIDDLE = { 'text-anchor': 'middle', fill: INK };

/** @param {number} width */
function heightOf(width) {
  return (width < NARROW ? 208 : 226) + TAPE_HEIGHT;
}

/** @param {number} width @param {number} tall @param {Scan} trace */
function plan(width, tall, { files, places }) {
  const side = Math.min(tall - TAPE_HEIGHT - 8, width * (width < TIGHT ? 0.5 : 0.55));
  const room = side / 2 - ABOVE;
  const half = Math.sin(TURN / 2 / files);
  const size = Math.min(15, 0.94 * room * half / (1 + half));
  const left = side + 2 * BESIDE + (width < NARROW ? 2 : 20);
  const pitch = (/** @type {number} */ rows) => Math.min(MOST_CELL, (width - left) / Math.ceil(places / rows));
  let rows = 1;
  while (rows < places && pitch(rows) < LEAST_CELL) rows += 1;
  const row = { left, right: width, columns: Math.ceil(places / rows), pitch: pitch(rows), cell: pitch(rows) - 4 };
  const foot = FIRST_ROW + rows * (row.cell + NAME_ROOM + 3) + 12; // of the places
  return { foot, x0: side / 2 + BESIDE, y0: side / 2, radius: room - size, disc: size, ...row };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** A point on a ring, with file 1 at the top. @param {Plan} plan @param {number} share @param {number} radius */
function pointOn({ x0, y0 }, share, radius) {
  const angle = TURN * share;
  return { x: x0 + radius * Math.sin(angle), y: y0 - radius * Math.cos(angle) };
}

/** @param {ScanState} state @param {Plan} at @param {Surface} surface */
function drawHand({ file, trace, hit }, at, surface) {
  const share = file / trace.files, tip = at.radius - at.disc - 4, foot = tip - Math.min(22, tip * 0.33);
  const spread = 6 / (TURN * foot);
  const corners = [pointOn(at, share, tip), pointOn(at, share - spread, foot), pointOn(at, share + spread, foot)];
  const d = `M${corners.map(({ x, y }) => `${px(x)} ${px(y)}`).join('L')}z`;
  surface.put('path', { d, fill: hit ? HIT : MISS });
}

/** @param {ScanState} state @param {number} file */
function groundOf({ file: asked, hit, cached }, file) {
  if (file === asked) return hit ? HIT_GROUND : MISS_GROUND;
  return cached[file] ? RAISED : GROUND;
}

/** Draw a disc for a file, hollow and dashed while the file is not in the cache.
 * @param {ScanState} state @param {number} file @param {Plan} at @param {Surface} surface */
function drawDisc(state, file, at, surface) {
  const { x, y } = pointOn(at, file / state.trace.files, at.radius);
  const there = state.cached[file], asked = file === state.file;
  const line = { stroke: there ? 'none' : SOFT, 'stroke-width': 1.2, 'stroke-dasharray': '3 2.5' };
  surface.put('circle', { cx: px(x), cy: px(y), r: px(at.disc), fill: groundOf(state, file), ...line });
  const name = { ...MIDDLE, fill: there || asked ? INK : SOFT };
  surface.put('text', { x: px(x), y: px(y + 4.5), 'font-size': at.disc < 11.5 ? 12 : 13, ...name }, String(file + 1));
}

/** Draw a line around the requested file; on a miss it closes as the file is read.
 * @param {ScanState} state @param {Plan} at @param {Surface} surface */
function drawProgress({ file, trace, hit, part }, at, surface) {
  const { x, y } = pointOn(at, file / trace.files, at.radius);
  const r = at.disc + 1.5, round = TURN * r, done = hit ? 1 : part;
  surface.put('circle', {
    cx: px(x), cy: px(y), r: px(r), fill: 'none', stroke: hit ? HIT : MISS, 'stroke-width': 2.5,
    'stroke-dasharray': `${px(done * round)} ${px(round)}`, transform: `rotate(-90 ${px(x)} ${px(y)})`,
  });
}

/** Draw a word outside the ring.
 * @param {number} share @param {string} word @param {Plan} at @param {Surface} surface */
function drawOutside(share, word, at, surface) {
  const { x, y } = pointOn(at, share, at.radius + at.disc + 8);
  const anchor = Math.abs(x - at.x0) < 12 ? 'middle' : x < at.x0 ? 'end' : 'start';
  surface.put('text', { x: px(x), y: px(y + 4), 'font-size': 12, 'text-anchor': anchor, fill: MISS }, word);
}

/** @param {ScanState} state @param {Plan} at @param {Surface} surface */
function drawRing(state, at, surface) {
  const { trace, hit, scan, victim } = state, { x0: x, y0: y } = at;
  for (let file = 0; file < trace.files; file += 1) drawDisc(state, file, at, surface);
  drawHand(state, at, surface);
  const verdict = { ...MIDDLE, x, y: y + 1, 'font-size': 15, 'font-weight': 700, fill: hit ? HIT : MISS };
  surface.put('text', verdict, hit ? '✓ hit' : '✕ miss');
  surface.put('text', { ...MIDDLE, x, y: y + 17, 'font-size': 12, fill: SOFT }, `scan ${scan + 1}`);
  if (victim >= 0) drawOutside(victim / trace.files, 'out', at, surface);
}

/** @param {Slot} slot */
function lookOf({ file, mark }) {
  if (mark === 'hit') return { stroke: HIT, fill: HIT_GROUND };
  if (mark === 'read') return { stroke: MISS, fill: 'none' };
  return { stroke: SOFT, fill: file < 0 ? 'none' : RAISED };
}

/** @param {Plan} at @param {number} place */
function placeOf({ left, columns, pitch, cell }, place) {
  return { x: left + (place % columns) * pitch, y: FIRST_ROW + Math.floor(place / columns) * (cell + NAME_ROOM + 3) };
}

/** @param {ScanState} state @param {number} place @param {Plan} at @param {Surface} surface */
function drawCell(state, place, at, surface) {
  const slot = state.slots[place], { x, y } = placeOf(at, place), size = at.cell;
  const box = { x: px(x), y: px(y), width: px(size), height: px(size), rx: 3 };
  const line = { 'stroke-width': slot.mark ? 2 : 1, 'stroke-dasharray': slot.file < 0 ? '3 3' : 'none' };
  surface.put('rect', { ...box, ...lookOf(slot), ...line });
  const name = slot.file < 0 ? '' : String(slot.file + 1);
  surface.put('text', { ...MIDDLE, x: px(x + size / 2), y: px(y + size / 2 + 4), 'font-size': 13 }, name);
}

/** The path of a bar in each place, longer if its file was used more recently.
 * @param {Slot[]} slots @param {Plan} at */
function recencyPath(slots, at) {
  return slots.map(({ file, recency: share }, place) => {
    const { x, y } = placeOf(at, place), bar = file < 0 ? 0 : (at.cell - 6) * share;
    return `M${px(x + 3)} ${px(y + at.cell - 3)}h${px(bar)}`;
  }).join('');
}

/** @param {ScanState} state @param {Plan} at @param {Surface} surface */
function drawCache(state, at, surface) {
  const { trace, slots, next } = state, title = { x: at.left, y: 14, fill: SOFT, 'font-size': 12 };
  surface.put('text', title, `${at.right < TIGHT ? 'Cache' : 'The cache'}: ${trace.places} places`);
  for (let place = 0; place < slots.length; place += 1) drawCell(state, place, at, surface);
  surface.put('path', { d: recencyPath(slots, at), stroke: SOFT, 'stroke-width': 2.5 });
  if (!next || next.place < 0) return;
  const { x, y } = placeOf(at, next.place);
  const middle = Math.min(at.right - 26, Math.max(at.left + 26, x + at.cell / 2));
  surface.put('text', { ...MIDDLE, x: px(middle), y: px(y + at.cell + 12), 'font-size': 12 }, 'next out');
}

/** Draw how far ahead the next miss is: the idea of the chapter.
 * @param {ScanState} state @param {Plan} at @param {Surface} surface */
function drawNextMiss({ next }, at, surface) {
  const line = { x: at.left, fill: INK, 'font-size': at.right < NARROW ? 12 : 13, 'font-weight': 600 };
  surface.put('text', { ...line, y: px(at.foot) }, next ? `Next miss: file ${next.file + 1}` : 'No miss ahead');
  surface.put('text', { ...line, y: px(at.foot + 18) }, next ? `in ${plural(next.ahead, 'request')}` : '');
}

/** Draw the progress of a read: a line closes around the file, and the file fills its place, if it has one, from below.
 * @param {ScanState} state @param {number} width @param {number} tall @param {Surface} surface */
function drawReading(state, width, tall, surface) {
  const at = plan(width, tall, state.trace), size = at.cell, somewhere = state.place >= 0;
  const { x, y } = placeOf(at, Math.max(0, state.place));
  drawProgress(state, at, surface);
  const filled = size * (state.hit || !somewhere ? 0 : state.part), fill = MISS_GROUND;
  surface.put('rect', { x: px(x), y: px(y + size - filled), width: px(size), height: px(filled), fill });
}

/** @param {ScanState} state @param {number} width @param {number} tall @param {Surface} surface */
function drawScan(state, width, tall, surface) {
  const at = plan(width, tall, state.trace);
  drawRing(state, at, surface);
  drawCache(state, at, surface);
  drawNextMiss(state, at, surface);
  if (width >= NARROW) drawLastScans(state, { ...at, top: at.foot + 40, bottom: tall - TAPE_HEIGHT - 6 }, surface);
}

/** @type {Renderer<Scan, ScanState>} */
export const scan = {
  prepare, state: stateAt, sentence, height: heightOf, tape, backdrop: drawTape,
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawReading(at, width, tall, surface);
  },
  scene: drawScan,
  ...byNumber,
  measure: 'request',
  words: { start: 'To the start, cold', event: 'request' },
  begins: ({ begins }) => begins,
  round: (at, { begins, files, length }) => begins[Math.min(length - 1, at.scan * files)],
  rule: ({ cost }) => `a miss takes ${cost}`,
  pace: [
    { each: 5, words: '5 hits a second' },
    { each: 20, words: '20 hits a second' },
    { each: 80, words: '80 hits a second' },
  ],
};
