// The three orders of scans, and what an LRU cache of pages makes of them.

export const ORDERS = ['cyclic', 'zigzag', 'shuffle'];

/**
 * Random numbers in [0, 1), the same ones in every browser.
 * @param {number} seed
 */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/**
 * Scans of the rows 1 to `rows`: the first fills the cache, the others are counted.
 * @param {string} order
 * @param {number} rows
 * @param {number} counted
 * @param {number} seed
 */
export function scans(order, rows, counted, seed) {
  const random = generator(seed);
  const ids = Array.from({ length: rows }, (_, index) => index + 1);
  return Array.from({ length: counted + 1 }, (_, scan) => {
    if (order === 'zigzag' && scan % 2) return [...ids].reverse();
    for (let last = rows - 1; order === 'shuffle' && last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [ids[last], ids[other]] = [ids[other], ids[last]];
    }
    return [...ids];
  });
}

/**
 * Hits and misses of an LRU cache with so many places, over all scans but the first.
 * @param {number[][]} all scans
 * @param {Map<number, number[]>} paths the pages that a row is reached by
 * @param {number} places
 */
export function lru(all, paths, places) {
  /** @type {Set<number>} */
  const held = new Set(); // in the order of last use
  const counts = { hits: 0, misses: 0 };
  /** @type {(page: number) => void} */
  const read = (page) => {
    const hit = held.delete(page);
    counts[hit ? 'hits' : 'misses'] += 1;
    held.add(page);
    if (held.size > places) held.delete(Number(held.keys().next().value));
  };
  all.forEach((scan, index) => {
    if (index === 1) Object.assign(counts, { hits: 0, misses: 0 });
    for (const id of scan) paths.get(id)?.forEach(read);
  });
  return counts;
}
