// Draws chapter 3's stage: the files on a ring in the order of the scan, the hand, and the cache as
// a row of places. It knows no time: the state says all. What a request changes is drawn once a
// request; how far a file is read, each frame and beneath it.
import { GROUND, HIT, HIT_GROUND, INK, MISS, MISS_GROUND, RAISED, SOFT } from './colours.js';
import { lastScans } from './scan-last.js';
import { TAPE_HEIGHT } from './scan-tape.js';
import { px } from './surface.js';

const LEAST_CELL = 27, MOST_CELL = 36, NAME_ROOM = 15, FIRST_ROW = 26;
const ABOVE = 13, BESIDE = 11; // of the ring, for a word
const NARROW = 450, TIGHT = 340; // px, as a phone is, and a small one
const TURN = 2 * Math.PI;
const MIDDLE = { 'text-anchor': 'middle', fill: INK };

/** @param {number} width */
export function height(width) {
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

/** A point on a ring, file 1 at the top. @param {Plan} plan @param {number} share @param {number} radius */
function on({ x0, y0 }, share, radius) {
  const angle = TURN * share;
  return { x: x0 + radius * Math.sin(angle), y: y0 - radius * Math.cos(angle) };
}

/** @param {ScanState} state @param {Plan} at @param {Surface} surface */
function hand({ file, trace, hit }, at, surface) {
  const share = file / trace.files, tip = at.radius - at.disc - 4, foot = tip - Math.min(22, tip * 0.33);
  const spread = 6 / (TURN * foot);
  const corners = [on(at, share, tip), on(at, share - spread, foot), on(at, share + spread, foot)];
  const d = `M${corners.map(({ x, y }) => `${px(x)} ${px(y)}`).join('L')}z`;
  surface.put('path', { d, fill: hit ? HIT : MISS });
}

/** @param {ScanState} state @param {number} file */
function ground({ file: asked, hit, cached }, file) {
  if (file === asked) return hit ? HIT_GROUND : MISS_GROUND;
  return cached[file] ? RAISED : GROUND;
}

/** A disc a file: hollow and dashed while it is not in the cache.
 * @param {ScanState} state @param {number} file @param {Plan} at @param {Surface} surface */
function disc(state, file, at, surface) {
  const { x, y } = on(at, file / state.trace.files, at.radius);
  const there = state.cached[file], asked = file === state.file;
  const line = { stroke: there ? 'none' : SOFT, 'stroke-width': 1.2, 'stroke-dasharray': '3 2.5' };
  surface.put('circle', { cx: px(x), cy: px(y), r: px(at.disc), fill: ground(state, file), ...line });
  const name = { ...MIDDLE, fill: there || asked ? INK : SOFT };
  surface.put('text', { x: px(x), y: px(y + 4.5), 'font-size': at.disc < 11.5 ? 12 : 13, ...name }, String(file + 1));
}

/** A line around the file that is asked for; on a miss it closes as the file is read.
 * @param {ScanState} state @param {Plan} at @param {Surface} surface */
function served({ file, trace, hit, part }, at, surface) {
  const { x, y } = on(at, file / trace.files, at.radius);
  const r = at.disc + 1.5, round = TURN * r, done = hit ? 1 : part;
  surface.put('circle', {
    cx: px(x), cy: px(y), r: px(r), fill: 'none', stroke: hit ? HIT : MISS, 'stroke-width': 2.5,
    'stroke-dasharray': `${px(done * round)} ${px(round)}`, transform: `rotate(-90 ${px(x)} ${px(y)})`,
  });
}

/** A word outside the ring. @param {number} share @param {string} word @param {Plan} at @param {Surface} surface */
function outside(share, word, at, surface) {
  const { x, y } = on(at, share, at.radius + at.disc + 8);
  const anchor = Math.abs(x - at.x0) < 12 ? 'middle' : x < at.x0 ? 'end' : 'start';
  surface.put('text', { x: px(x), y: px(y + 4), 'font-size': 12, 'text-anchor': anchor, fill: MISS }, word);
}

/** @param {ScanState} state @param {Plan} at @param {Surface} surface */
function ring(state, at, surface) {
  const { trace, hit, scan, victim } = state, { x0: x, y0: y } = at;
  for (let file = 0; file < trace.files; file += 1) disc(state, file, at, surface);
  hand(state, at, surface);
  const verdict = { ...MIDDLE, x, y: y + 1, 'font-size': 15, 'font-weight': 700, fill: hit ? HIT : MISS };
  surface.put('text', verdict, hit ? '✓ hit' : '✕ miss');
  surface.put('text', { ...MIDDLE, x, y: y + 17, 'font-size': 12, fill: SOFT }, `scan ${scan + 1}`);
  if (victim >= 0) outside(victim / trace.files, 'out', at, surface);
}

/** @param {Slot} slot */
function look({ file, mark }) {
  if (mark === 'hit') return { stroke: HIT, fill: HIT_GROUND };
  if (mark === 'read') return { stroke: MISS, fill: 'none' };
  return { stroke: SOFT, fill: file < 0 ? 'none' : RAISED };
}

/** @param {Plan} at @param {number} place */
function placeOf({ left, columns, pitch, cell }, place) {
  return { x: left + (place % columns) * pitch, y: FIRST_ROW + Math.floor(place / columns) * (cell + NAME_ROOM + 3) };
}

/** @param {ScanState} state @param {number} place @param {Plan} at @param {Surface} surface */
function cacheCell(state, place, at, surface) {
  const slot = state.slots[place], { x, y } = placeOf(at, place), size = at.cell;
  const box = { x: px(x), y: px(y), width: px(size), height: px(size), rx: 3 };
  const line = { 'stroke-width': slot.mark ? 2 : 1, 'stroke-dasharray': slot.file < 0 ? '3 3' : 'none' };
  surface.put('rect', { ...box, ...look(slot), ...line });
  const name = slot.file < 0 ? '' : String(slot.file + 1);
  surface.put('text', { ...MIDDLE, x: px(x + size / 2), y: px(y + size / 2 + 4), 'font-size': 13 }, name);
}

/** A bar in each place, the longer the later its file was used. @param {Slot[]} slots @param {Plan} at */
function recency(slots, at) {
  return slots.map(({ file, recency: share }, place) => {
    const { x, y } = placeOf(at, place), bar = file < 0 ? 0 : (at.cell - 6) * share;
    return `M${px(x + 3)} ${px(y + at.cell - 3)}h${px(bar)}`;
  }).join('');
}

/** @param {ScanState} state @param {Plan} at @param {Surface} surface */
function cache(state, at, surface) {
  const { trace, slots, next } = state, title = { x: at.left, y: 14, fill: SOFT, 'font-size': 12 };
  surface.put('text', title, `${at.right < TIGHT ? 'Cache' : 'The cache'}: ${trace.places} places`);
  for (let place = 0; place < slots.length; place += 1) cacheCell(state, place, at, surface);
  surface.put('path', { d: recency(slots, at), stroke: SOFT, 'stroke-width': 2.5 });
  if (!next || next.place < 0) return;
  const { x, y } = placeOf(at, next.place);
  const middle = Math.min(at.right - 26, Math.max(at.left + 26, x + at.cell / 2));
  surface.put('text', { ...MIDDLE, x: px(middle), y: px(y + at.cell + 12), 'font-size': 12 }, 'next out');
}

/** Where the hole lies: the chapter's idea. @param {ScanState} state @param {Plan} at @param {Surface} surface */
function words({ next }, at, surface) {
  const line = { x: at.left, fill: INK, 'font-size': at.right < NARROW ? 12 : 13, 'font-weight': 600 };
  const requests = next?.ahead === 1 ? '1 request' : `${next?.ahead} requests`;
  surface.put('text', { ...line, y: px(at.foot) }, next ? `Next miss: file ${next.file + 1}` : 'No miss ahead');
  surface.put('text', { ...line, y: px(at.foot + 18) }, next ? `in ${requests}` : '');
}

/** How far the file is read: a line closes around it, and it fills its place from below.
 * @param {ScanState} state @param {number} width @param {number} tall @param {Surface} surface */
export function reading(state, width, tall, surface) {
  const at = plan(width, tall, state.trace), { x, y } = placeOf(at, state.place), size = at.cell;
  served(state, at, surface);
  const filled = size * (state.hit ? 0 : state.part), fill = MISS_GROUND;
  surface.put('rect', { x: px(x), y: px(y + size - filled), width: px(size), height: px(filled), fill });
}

/** @param {ScanState} state @param {number} width @param {number} tall @param {Surface} surface */
export function machine(state, width, tall, surface) {
  const at = plan(width, tall, state.trace);
  ring(state, at, surface);
  cache(state, at, surface);
  words(state, at, surface);
  if (width >= NARROW) lastScans(state, { ...at, top: at.foot + 40, bottom: tall - TAPE_HEIGHT - 6 }, surface);
}
