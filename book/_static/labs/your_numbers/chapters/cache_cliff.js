// Chapter 3: counts of a trace, as `count` in tunables/chapters/cache_cliff/own.py makes them; and a sample.
import { randomNumbers } from '../../statistics.js';

const FEWEST_INTERVALS = 8; // a key with more requests may be scanned
const BITS = 32; // bits of a word in the kernel: tunables/simulators/stack.py

/**
 * Counts the first half of a trace: how many keys have n requests, and the gaps of frequent keys.
 * @param {Int32Array} ids
 * @param {number} keys
 */
function firstHalf(ids, keys) {
  const count = new Int32Array(keys), last = new Int32Array(keys);
  const gaps = new Float64Array(keys), squares = new Float64Array(keys);
  ids.forEach((id, now) => {
    if (count[id]) {
      const gap = now - last[id];
      gaps[id] += gap;
      squares[id] += gap * gap;
    }
    count[id] += 1;
    last[id] = now;
  });
  /** @type {Map<number, number>} */
  const number = new Map();
  /** @type {number[][]} */
  const often = [];
  count.forEach((times, id) => {
    if (times) number.set(times, (number.get(times) ?? 0) + 1);
    if (times > FEWEST_INTERVALS) often.push([times, gaps[id], squares[id]]);
  });
  const counts = [...number].sort(([a], [b]) => a - b);
  const distinct = counts.reduce((sum, [, those]) => sum + those, 0);
  return { requests: ids.length, counts, often, count, distinct };
}

/**
 * Returns the misses of a cache of 0, 1, ... keys, from stack distances.
 * @param {Int32Array} depths 0 for a first request
 * @param {number} keys
 */
function missesByRoom(depths, keys) {
  const misses = new Int32Array(keys + 1);
  for (const depth of depths) misses[depth] += 1;
  let missed = depths.length;
  misses[0] = missed;
  for (let room = 1; room <= keys; room += 1) {
    missed -= misses[room];
    misses[room] = missed;
  }
  return misses;
}

const NEAR = 0.01; // a miss ratio this close to the least one is as good

/**
 * Returns from which room on the misses are near the least ones, the miss ratio there, and the least one.
 * @param {Int32Array} misses of a cache of 0, 1, ... keys
 */
function enoughRoom(misses) {
  const [all] = misses;
  const least = misses[misses.length - 1];
  const room = misses.findIndex((missed) => missed <= least + NEAR * all);
  return [room, misses[room] / all, least / all];
}

/**
 * @param {import('../../../engine/kernels.js').Kernels} kernels of chapter 3
 * @param {Int32Array} ids
 * @param {number} keys
 */
export function countKeys(kernels, ids, keys) {
  const split = Math.floor(ids.length / 2);
  const later = ids.subarray(split);
  const { count, distinct, ...half } = firstHalf(ids.subarray(0, split), keys);
  const places = Math.max(64, Math.floor(4 * keys / BITS)) * BITS;
  const [depths] = kernels.call('stack._depths', [ids, keys, places, new Int32Array(ids.length)]);
  const misses = missesByRoom(/** @type {Int32Array} */ (depths).subarray(split), keys);
  const isNew = later.reduce((sum, id) => sum + Number(count[id] === 0), 0);
  const counted = { ...half, new: isNew / later.length, enough: enoughRoom(misses) };
  return { half: counted, distinct, misses, later: later.length };
}

const TRACE = { requests: 1_000_000, scanned: 30_000, others: 20_000, share: 0.6 };

/** Returns a scan among independent requests. */
export function sample() {
  const { requests, scanned, others, share } = TRACE;
  const random = randomNumbers();
  let last = 0;
  const rows = Array.from({ length: requests }, () => {
    if (random() >= share) return `page${Math.floor(others * random() ** 3)}`;
    last = (last + 1) % scanned;
    return `scan${last}`;
  });
  return ['key', ...rows];
}
