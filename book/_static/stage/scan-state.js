// What stands on chapter 3's stage at time t: a pure function of (trace, t), and its sentence.
// Time counts hits: a hit takes 1, a miss as long as `cost` of them. While a request is served the
// hand stands at its file; on a miss the victim leaves at once, and the file is read meanwhile.
import { eventAt } from './events.js';

const NOBODY = -1;

/** What may be looked up of a run, after each request.
 * @param {ScanColumns} columns @returns {Scan} */
export function prepare(columns) {
  const { files, places, cost, file, hit, place } = columns;
  const length = file.length;
  const begins = new Float64Array(length + 1), misses = new Int32Array(length + 1);
  const nextMiss = new Int32Array(length + 1).fill(NOBODY);
  const holds = new Int16Array(length * places).fill(NOBODY), used = new Int32Array(length * places).fill(NOBODY);
  for (let k = 0; k < length; k += 1) {
    const row = k * places, before = Math.max(0, row - places);
    holds.copyWithin(row, before, row);
    used.copyWithin(row, before, row);
    holds[row + place[k]] = file[k];
    used[row + place[k]] = k;
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
  const filled = Array.from({ length: places }, (_, n) => n).filter((n) => holds[row + n] !== NOBODY);
  const ranked = filled.sort((a, b) => used[row + a] - used[row + b]);
  return Array.from({ length: places }, (_, n) => {
    const mark = n === place[k] ? (reading ? 'read' : trace.hit[k] && 'hit') : '';
    return { file: holds[row + n], recency: (ranked.indexOf(n) + 1) / ranked.length, mark: mark || '' };
  });
}

/** @param {Scan} trace @param {number} k */
function nextAfter(trace, k) {
  const next = trace.nextMiss[k + 1];
  if (next === NOBODY) return null;
  const place = trace.victim[next] === NOBODY ? NOBODY : trace.place[next];
  return { file: trace.file[next], ahead: next - k, place };
}

/** @param {Scan} trace @param {number} t @returns {ScanState} */
export function state(trace, t) {
  const { files, begins, cost } = trace;
  const k = eventAt(begins, t);
  const hit = trace.hit[k] === 1, file = trace.file[k];
  const part = Math.min(1, Math.max(0, (t - begins[k]) / (hit ? 1 : cost)));
  const reading = !hit && part < 1;
  const slots = slotsOf(trace, k, reading);
  const cached = new Array(files).fill(false);
  for (const slot of slots) if (slot.file !== NOBODY) cached[slot.file] = true;
  if (reading) cached[file] = false;
  const counted = Math.max(0, k + 1 - files), misses = trace.misses[k + 1];
  const slowdown = counted ? 1 + (cost - 1) * (misses / counted) : null;
  const asked = { k, file, hit, part, victim: trace.victim[k], place: trace.place[k], scan: Math.floor(k / files) };
  return { trace, t, ...asked, cached, slots, next: nextAfter(trace, k), counted, misses, slowdown };
}

/** How many requests later a file is asked for again; Infinity: not in this run.
 * @param {Scan} trace @param {number} file @param {number} k */
function wantedAgain({ file: asked }, file, k) {
  const again = asked.indexOf(file, k + 1);
  return again < 0 ? Infinity : again - k;
}

/** @param {ScanState} at */
function whatHappens({ trace, k, hit, victim }) {
  if (hit) return 'a hit.';
  if (victim === NOBODY) return 'a miss; it fills an empty place.';
  const later = wantedAgain(trace, victim, k), leaves = `a miss; file ${victim + 1}`;
  if (later === 1) return `${leaves}, the very next one wanted, leaves.`;
  return later === Infinity ? `${leaves} leaves.` : `${leaves} leaves, wanted again ${later} requests later.`;
}

/** @param {ScanState} at */
function sumOf({ counted, misses, slowdown }) {
  if (slowdown === null) return 'The first scan fills the cache and does not count.';
  const requests = counted === 1 ? '1 request' : `${counted} requests`;
  const missed = misses === 1 ? '1 miss' : `${misses} misses`;
  return `Since scan 2: ${requests}, ${missed}; ${slowdown.toFixed(2)} times as slow.`;
}

/** What is on the stage, for those who do not see it, and for those who do. @param {ScanState} at */
export function sentence(at) {
  const { k, scan, file } = at;
  return `Request ${k + 1}, in scan ${scan + 1}: file ${file + 1}, ${whatHappens(at)} ${sumOf(at)}`;
}
