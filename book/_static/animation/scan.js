// Chapter 3: a scan over a few files, and a cache that may be too small for them.
import { byNumber, eventAt } from './events.js';
import {
  FORMULA_LINE, GROUND, HIT, HIT_GROUND, INK, MISS, MISS_GROUND, ON_COLOUR, RAISED, SOFT, plural, px,
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

/** When the next victim leaves. @param {ScanState['next']} next */
const outWords = (next) => (next?.ahead === 1 ? 'next out' : `out in ${next?.ahead}`);
/** @param {Scan} trace @param {number} t @returns {ScanState} */
function stateAt(trace, t) {
  const { files, begins, cost } = trace, k = eventAt(begins, t);
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
  if (place === NONE) return 'a miss; the file isn’t kept, so nothing is evicted.';
  if (victim === NONE) return 'a miss; it fills an empty place.';
  const later = reuseDistance(trace, victim, k), file = `a miss; file ${victim + 1}`;
  if (later === 1) return `${file}, the very next one wanted, is evicted.`;
  return `${file} is evicted${later === Infinity ? '' : `, but is wanted again ${later} requests later`}.`;
}

/** @param {ScanState} at */
function describeSlowdown({ counted, misses, slowdown }) {
  if (slowdown === null) return 'The first scan fills the cache and is not counted.';
  const counts = `${plural(counted, 'request')}, ${plural(misses, 'miss', 'misses')}`;
  return `From scan 2 on: ${counts}; ${slowdown.toFixed(2)} times as slow as with hits alone.`;
}

/** Describe the state in a sentence, for all readers. @param {ScanState} at */
function sentence(at) {
  const { k, scan, file } = at;
  return `Request ${k + 1}, in scan ${scan + 1}: file ${file + 1}, ${describeRequest(at)} ${describeSlowdown(at)}`;
}

/** The numbers of the run so far. @param {ScanState} at @returns {Figure[]} */
function figures({ slowdown, misses, counted, trace: { formula } }) {
  const number = (/** @type {number | null} */ value) => (value === null ? '–' : value.toFixed(2));
  return [
    { label: 'slowdown so far', short: 'slowdown', value: number(slowdown) },
    { label: 'slowdown according to the formula', short: 'formula', value: number(formula), tone: 'model' },
    {
      label: 'misses from scan 2 on', short: 'missed', value: counted ? String(misses) : '–',
      unit: counted ? `of ${counted}` : '', tone: misses ? 'miss' : 'hit',
    },
  ];
}

// ---- The tape: the run from end to end, with hits as bars up, misses as bars down, and above them the slowdown so far
// and the closed form

const WIDE = 500; // px: below, a phone
const BAR = 8, NARROW_PX = 3;

/** @param {number} width */
const tapeHeight = (width) => (width < WIDE ? 44 : 60);

/** The size of the time axis. @param {number} width */
const tape = (width) => ({ width, height: tapeHeight(width) });

/** The places of everything on the tape. @param {Scan} trace @param {number} width @param {number} height */
function tapePlan({ begins, length, cost }, width, height) {
  const top = height - tapeHeight(width) + 5, base = height - 2 * BAR - 6;
  return {
    top, base,
    middle: height - BAR - 1,
    x: (/** @type {number} */ t) => (t / begins[length]) * width,
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

/** What is said of the first scan, as far as there is room. @param {number} wide */
function coldWords(wide) {
  if (wide > 180) return 'first scan, not counted';
  return wide > 84 ? 'first scan' : '';
}

/** Draw what does not move.
 * @param {Scan} trace @param {number} width @param {number} height @param {Surface} surface */
function drawTape(trace, width, height, surface) {
  const at = tapePlan(trace, width, height), { top, base, x, y } = at, { formula } = trace;
  const [misses, hits] = barPaths(trace, x, at.middle), cold = px(x(trace.begins[trace.files]));
  const ground = { x: 0, y: top - 4, width: cold, height: height - top + 4, rx: 3 };
  surface.put('rect', { ...ground, fill: RAISED, 'fill-opacity': 0.7 });
  surface.put('text', { x: 6, y: top + 8, 'font-size': 12, fill: SOFT }, coldWords(cold));
  surface.put('path', { d: `M0 ${base + 0.5}H${width}`, stroke: SOFT, 'stroke-opacity': 0.4 });
  surface.put('path', { d: formula === null ? 'M0 0' : `M0 ${px(y(formula))}H${width}`, ...FORMULA_LINE });
  surface.put('path', { d: slowdownPath(trace, at), fill: 'none', stroke: INK, 'stroke-width': 2 });
  surface.put('path', { d: hits || 'M0 0', fill: HIT });
  surface.put('path', { d: misses || 'M0 0', fill: MISS });
}

/** Draw the current time. @param {ScanState} state @param {number} width @param {number} height
 * @param {Surface} surface */
function drawNow({ trace, t, slowdown }, width, height, surface) {
  const { top, base, x, y } = tapePlan(trace, width, height);
  const here = px(x(Math.min(t, trace.begins[trace.length])));
  const veil = { x: here, y: top - 4, width: px(width - here), height: height - top + 4 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.72 });
  surface.put('path', { d: `M${here} ${top - 4}V${height}`, stroke: INK, 'stroke-width': 2 });
  const level = px(slowdown === null ? base : y(slowdown)), fill = slowdown === null ? GROUND : INK;
  surface.put('circle', { cx: here, cy: level, r: 5, fill, stroke: INK, 'stroke-width': 2 });
}

// ---- The drawing: the files on a ring in the order of the scan, the hand, the last scans as rings within, and the
// cache as rows of places. What a request changes is drawn once per request; the progress of a read is drawn in each
// frame, beneath it.

const TURN = 2 * Math.PI;
const MIDDLE = { 'text-anchor': 'middle' };
const COLUMNS = 6; // of places
const MOST_RINGS = 5;

/** What depends on the room alone. @param {number} width */
function sizesOf(width) {
  if (width < WIDE) {
    const side = 142, left = side + (width < 340 ? 42 : 60), columns = width < 340 ? 4 : COLUMNS;
    return {
      wide: false, side, outer: side / 2 - 11, x0: side / 2 + 22, left, columns, mostDisc: 12.5, mostCell: 30,
      top: 22, below: 15, gap: 4, ring: { pitch: 6.5, apart: 8, hub: 20 },
      said: { small: 12, large: 13, first: 9, second: 24, third: 39 },
    };
  }
  const side = Math.round(Math.min(300, 0.42 * width)), left = side + 60;
  return {
    wide: true, side, outer: side / 2 - 20, x0: side / 2 + 16, left, columns: COLUMNS, mostDisc: 0.06 * side + 1.5,
    mostCell: 46, top: 30, below: 19, gap: 6, ring: { pitch: 9.5, apart: 13, hub: 36 },
    said: { small: 14, large: 22, first: 16, second: 42, third: 62 },
  };
}

/** @param {number} width */
const heightOf = (width) => sizesOf(width).side + 8 + tapeHeight(width);

/** @param {number} width @param {Scan} trace */
function plan(width, { files, places }) {
  const sizes = sizesOf(width), { outer, mostDisc, mostCell, left, columns, gap, top, below, ring } = sizes;
  const half = Math.sin(Math.PI / files), disc = Math.min(mostDisc, (0.9 * outer * half) / (1 + half));
  const cell = Math.min(mostCell, (width - left + gap) / columns - gap);
  const radius = outer - disc, first = radius - disc - ring.apart;
  const rings = Math.max(1, Math.min(MOST_RINGS, Math.floor((first - ring.hub) / ring.pitch) + 1));
  const row = cell + below, foot = top + Math.ceil(places / columns) * row;
  return {
    ...sizes, y0: sizes.side / 2, right: width, disc, radius, first, rings, cell, row, foot,
    hub: sizes.wide ? first - (rings - 1) * ring.pitch - 5 : first,
  };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** A point on a ring, with file 1 at the top.
 * @param {Pick<Plan, 'x0' | 'y0'>} plan @param {number} share @param {number} radius */
function pointOn({ x0, y0 }, share, radius) {
  const angle = TURN * share;
  return { x: px(x0 + radius * Math.sin(angle)), y: px(y0 - radius * Math.cos(angle)) };
}

/** The arcs of a scan so far, hits and misses apart.
 * @param {ScanState} state @param {number} scan @param {number} radius @param {Plan} at */
function ringPaths({ trace: { files, file, hit }, k }, scan, radius, at) {
  const paths = ['', ''], half = 0.38 / files, r = px(radius), end = Math.min(k + 1, (scan + 1) * files);
  for (let n = Math.max(0, scan * files); n < end; n += 1) {
    const from = pointOn(at, file[n] / files - half, radius), to = pointOn(at, file[n] / files + half, radius);
    paths[hit[n]] += `M${from.x} ${from.y}A${r} ${r} 0 0 1 ${to.x} ${to.y}`;
  }
  return paths;
}

/** Draw the last scans as rings, the present one outside: a hit thin, a miss thick.
 * @param {ScanState} state @param {Plan} at @param {Surface} surface */
function drawRings(state, at, surface) {
  const thick = at.wide ? 7 : 4.5, thin = at.wide ? 2.5 : 2;
  for (let n = 0; n < at.rings; n += 1) {
    const [misses, hits] = ringPaths(state, state.scan - n, at.first - n * at.ring.pitch, at);
    const opacity = px(1 - 0.15 * n);
    const look = (/** @type {string} */ stroke, /** @type {number} */ width) => (
      { fill: 'none', stroke, 'stroke-width': width, 'stroke-opacity': opacity });
    surface.put('path', { d: hits || 'M0 0', ...look(HIT, thin) });
    surface.put('path', { d: misses || 'M0 0', ...look(MISS, thick) });
  }
}

/** @param {ScanState} state @param {Plan} at @param {Surface} surface */
function drawHand({ file, trace, hit }, at, surface) {
  const share = file / trace.files, end = at.radius - at.disc - 4, head = at.wide ? 12 : 9;
  const spread = (at.wide ? 5.5 : 4.5) / (TURN * (end - head));
  const [from, tip, one, other] = [
    pointOn(at, share, at.hub), pointOn(at, share, end - head / 2), pointOn(at, share - spread, end - head),
    pointOn(at, share + spread, end - head),
  ];
  const point = pointOn(at, share, end), line = `M${from.x} ${from.y}L${tip.x} ${tip.y}`, fill = hit ? HIT : MISS;
  surface.put('path', { d: line, stroke: GROUND, 'stroke-width': at.wide ? 8 : 5 });
  surface.put('path', { d: line, stroke: fill, 'stroke-width': at.wide ? 3 : 2 });
  surface.put('path', { d: `M${point.x} ${point.y}L${one.x} ${one.y}L${other.x} ${other.y}z`, fill });
}

/** How a file looks: filled if it is requested, hollow and dashed while it is not in the cache, with a line in the
 * colour of a miss if it is the next one. @param {ScanState} state @param {number} file */
function lookOf({ file: asked, hit, cached, next }, file) {
  if (file === asked) return { fill: hit ? HIT : MISS, stroke: 'none', ink: ON_COLOUR, strong: true };
  const misses = next?.file === file, ink = misses ? MISS : SOFT;
  if (cached[file]) return { fill: RAISED, stroke: misses ? MISS : 'none', ink: INK, strong: misses };
  return { fill: 'none', stroke: ink, ink, strong: misses };
}

/** @param {ScanState} state @param {number} file @param {Plan} at @param {Surface} surface */
function drawDisc(state, file, at, surface) {
  const { x, y } = pointOn(at, file / state.trace.files, at.radius);
  const { fill, stroke, ink, strong } = lookOf(state, file);
  const line = { stroke, 'stroke-width': strong ? 2.2 : 1.4, 'stroke-dasharray': '3.5 3' };
  surface.put('circle', { cx: x, cy: y, r: px(at.disc), fill, ...line });
  /** @type {Record<string, number>} */
  const weight = strong ? { 'font-weight': 700 } : {};
  const size = at.wide ? 15 : 12;
  const name = { ...MIDDLE, x, y: px(y + 0.35 * size), 'font-size': size, ...weight, fill: ink };
  surface.put('text', name, String(file + 1));
}

/** Draw a line around the requested file; on a miss it closes as the file is read.
 * @param {ScanState} state @param {Plan} at @param {Surface} surface */
function drawProgress({ file, trace, hit, part }, at, surface) {
  const { x, y } = pointOn(at, file / trace.files, at.radius);
  const r = px(at.disc + (at.wide ? 4 : 3)), round = TURN * r, done = hit ? 1 : part;
  surface.put('circle', {
    cx: x, cy: y, r, fill: 'none', stroke: hit ? HIT : MISS, 'stroke-width': at.wide ? 3 : 2,
    'stroke-dasharray': `${px(done * round)} ${px(round)}`, transform: `rotate(-90 ${x} ${y})`,
  });
}

/** Say outside the ring which file leaves.
 * @param {ScanState} state @param {Plan} at @param {Surface} surface */
function drawVictim({ victim, trace }, at, surface) {
  const { x, y } = pointOn(at, Math.max(0, victim) / trace.files, at.outer + 5);
  const anchor = Math.abs(x - at.x0) < 12 ? 'middle' : x < at.x0 ? 'end' : 'start';
  const words = { 'font-size': 12, 'font-weight': 600, 'text-anchor': anchor, fill: MISS };
  surface.put('text', { x, y: px(y + 4), ...words }, victim < 0 ? '' : 'out');
}

/** @param {ScanState} state @param {Plan} at @param {Surface} surface */
function drawRing(state, at, surface) {
  const { trace, hit, scan } = state, { x0: x, y0: y, wide } = at;
  drawRings(state, at, surface);
  drawHand(state, at, surface);
  for (let file = 0; file < trace.files; file += 1) drawDisc(state, file, at, surface);
  const verdict = { ...MIDDLE, 'font-size': wide ? 19 : 12, 'font-weight': 700, fill: hit ? HIT : MISS };
  surface.put('text', { x, y: y + (wide ? 2 : 4), ...verdict }, hit ? '✓ hit' : '✕ miss');
  // On a phone the rings leave room for the verdict alone; the sentence says which scan it is.
  surface.put('text', { ...MIDDLE, x, y: y + 20, 'font-size': 13, fill: SOFT }, wide ? `scan ${scan + 1}` : '');
  drawVictim(state, at, surface);
}

/** @param {Plan} at @param {number} place */
function placeOf({ left, columns, cell, gap, top, row }, place) {
  return { x: left + (place % columns) * (cell + gap), y: top + Math.floor(place / columns) * row };
}

/** @param {Slot} slot @param {boolean} leaves @returns {Record<string, string>} */
function lookOfPlace({ file, mark }, leaves) {
  if (mark === 'hit') return { stroke: HIT, fill: HIT_GROUND };
  if (mark === 'read') return { stroke: MISS, fill: 'none' };
  if (file < 0) return { stroke: SOFT, fill: 'none', 'stroke-dasharray': '3.5 3' };
  return leaves ? { stroke: MISS, fill: RAISED, 'stroke-dasharray': '3.5 3' } : { stroke: 'none', fill: RAISED };
}

/** @param {ScanState} state @param {number} place @param {Plan} at @param {Surface} surface */
function drawCell({ slots, next }, place, at, surface) {
  const slot = slots[place], { x, y } = placeOf(at, place), size = at.cell, letters = at.wide ? 15 : 12;
  const box = { x: px(x), y: px(y), width: px(size), height: px(size), rx: 5, 'stroke-width': slot.mark ? 2 : 1.5 };
  surface.put('rect', { ...box, ...lookOfPlace(slot, next?.place === place) });
  const name = { ...MIDDLE, x: px(x + size / 2), y: px(y + size / 2 + (at.wide ? 3 : 1)), 'font-size': letters };
  surface.put('text', { ...name, 'font-weight': 500, fill: INK }, slot.file < 0 ? '' : String(slot.file + 1));
}

/** The path of a bar in each place, longer if its file was used more recently.
 * @param {Slot[]} slots @param {Plan} at */
function recencyPath(slots, at) {
  const inset = at.wide ? 7 : 4, up = at.wide ? 7 : 3;
  return slots.map(({ file, recency: share }, place) => {
    const { x, y } = placeOf(at, place), bar = file < 0 ? 0 : (at.cell - 2 * inset) * share;
    return bar ? `M${px(x + inset)} ${px(y + at.cell - up)}h${px(bar)}` : '';
  }).join('') || 'M0 0';
}

/** @param {ScanState} state @param {Plan} at @param {Surface} surface */
function drawCache(state, at, surface) {
  const { trace, slots, next } = state;
  const title = { x: at.left, y: at.top - 9, 'font-size': at.said.small, 'font-weight': 600, fill: INK };
  surface.put('text', title, `${at.wide ? 'The cache: ' : ''}${trace.places} places`);
  for (let place = 0; place < slots.length; place += 1) drawCell(state, place, at, surface);
  const bars = { stroke: SOFT, 'stroke-width': at.wide ? 3 : 2, 'stroke-linecap': 'round' };
  surface.put('path', { d: recencyPath(slots, at), ...bars });
  const place = next?.place ?? NONE, leaves = place !== NONE, { x, y } = placeOf(at, Math.max(0, place));
  const middle = px(Math.min(at.right - 38, x + at.cell / 2));
  const words = { ...MIDDLE, 'font-size': 12, 'font-weight': 600, fill: MISS };
  surface.put('text', { x: middle, y: px(y + at.cell + 12), ...words }, leaves ? outWords(next) : '');
}

/** Say how far ahead the next miss is: the idea of the chapter.
 * @param {ScanState} state @param {Plan} at @param {Surface} surface */
function drawNextMiss({ next }, { left: x, foot, said }, surface) {
  const fill = next ? MISS : HIT;
  surface.put('text', { x, y: px(foot + said.first), 'font-size': said.small, fill: SOFT }, 'Next miss');
  const large = { 'font-size': said.large, 'font-weight': 600, fill };
  surface.put('text', { x, y: px(foot + said.second), ...large }, next ? `file ${next.file + 1}` : 'none ahead');
  const when = next ? `in ${plural(next.ahead, 'request')}` : '';
  surface.put('text', { x, y: px(foot + said.third), 'font-size': said.small, fill }, when);
}

/** Say what the rings and their widths mean. @param {Plan} at @param {Surface} surface */
function drawKey({ side, left }, surface) {
  const y = side - 6, words = { 'font-size': 13, fill: SOFT };
  surface.put('path', { d: `M${left} ${y - 22}h18`, stroke: HIT, 'stroke-width': 2.5 });
  surface.put('text', { x: left + 24, y: y - 18, ...words }, '✓ hit');
  surface.put('path', { d: `M${left + 78} ${y - 22}h18`, stroke: MISS, 'stroke-width': 7 });
  surface.put('text', { x: left + 102, y: y - 18, ...words }, '✕ miss');
  surface.put('text', { x: left, y, ...words }, 'One ring per scan, the newest outermost');
}

/** Draw the progress of a read: a line closes around the file, and the file fills its place, if it has one, from below.
 * @param {ScanState} state @param {number} width @param {Surface} surface */
function drawReading(state, width, surface) {
  const at = plan(width, state.trace), size = at.cell, somewhere = state.place >= 0;
  const { x, y } = placeOf(at, Math.max(0, state.place));
  drawProgress(state, at, surface);
  const filled = size * (state.hit || !somewhere ? 0 : state.part), fill = MISS_GROUND;
  surface.put('rect', { x: px(x), y: px(y + size - filled), width: px(size), rx: 5, fill, height: px(filled) });
}

/** @param {ScanState} state @param {number} width @param {Surface} surface */
function drawScan(state, width, surface) {
  const at = plan(width, state.trace);
  drawRing(state, at, surface);
  drawCache(state, at, surface);
  if (width >= 340) drawNextMiss(state, at, surface);
  if (at.side - 42 > at.foot + 70) drawKey(at, surface);
}

/** @type {Renderer<Scan, ScanState>} */
export const scan = {
  prepare, state: stateAt, sentence, figures, height: heightOf, tape, backdrop: drawTape,
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawReading(at, width, surface);
  },
  scene: (at, width, tall, surface) => drawScan(at, width, surface),
  ...byNumber,
  measure: 'request',
  words: { start: 'Back to the start, with an empty cache', event: 'request' },
  begins: ({ begins }) => begins,
  round: (at, { begins, files, length }) => begins[Math.min(length - 1, at.scan * files)],
  rule: ({ cost }) => `a miss takes as long as ${cost} hits`,
  pace: [
    { each: 5, words: '5 hits a second' },
    { each: 20, words: '20 hits a second' },
    { each: 80, words: '80 hits a second' },
  ],
};
