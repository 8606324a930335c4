// What chapter 3's fit asks of a trace: `counted` in tunables/chapters/cache_cliff/own.py.

const FEWEST_INTERVALS = 8; // asked for more often than this, a key may be scanned
const BITS = 32; // of a word of the kernel's line: tunables/simulators/stack.py

/**
 * The first half of a trace: how many keys are asked for how often, and the gaps of those often.
 * @param {Int32Array} ids
 * @param {number} keys
 */
export function firstHalf(ids, keys) {
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
 * How many requests the cache misses with room for 0, 1, ... keys, from stack distances.
 * @param {Int32Array} depths 0 for a first request
 * @param {number} keys
 */
export function missesByRoom(depths, keys) {
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

/**
 * @param {import('../../kernels.js').Kernels} kernels of chapter 3
 * @param {Int32Array} ids
 * @param {number} keys
 */
export function counted(kernels, ids, keys) {
  const split = Math.floor(ids.length / 2);
  const later = ids.subarray(split);
  const { count, distinct, ...half } = firstHalf(ids.subarray(0, split), keys);
  const places = Math.max(64, Math.floor(4 * keys / BITS)) * BITS;
  const [depths] = kernels.call('stack._depths', [ids, keys, places, new Int32Array(ids.length)]);
  const misses = missesByRoom(/** @type {Int32Array} */ (depths).subarray(split), keys);
  const isNew = later.reduce((sum, id) => sum + Number(count[id] === 0), 0);
  return { half: { ...half, new: isNew / later.length }, distinct, misses, later: later.length };
}
