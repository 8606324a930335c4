// The pages of SQLite's cache: which ones a row needs, the orders of scans, and an LRU cache of pages.

// The pages that SQLite reads to find a row, from the image of a database file of format 3:
// https://www.sqlite.org/fileformat2.html, 1.6

export const PAGE_BYTES = 4096;
const INTERIOR = 5; // the type of an interior page of a table's b-tree
const MOST_VARINT_BYTES = 9;

/**
 * Reads a number of 1 to 9 bytes; returns it and where it ends. Row ids are below 2^31 here.
 * @param {DataView} file
 * @param {number} start
 */
function varint(file, start) {
  let value = 0;
  for (let at = start; at < start + MOST_VARINT_BYTES; at += 1) {
    const byte = file.getUint8(at);
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, end: at + 1 };
  }
  throw new Error('the file has a number that is too long');
}

/**
 * Returns the page numbers from the root of a table's b-tree to each row's leaf, by row id.
 * @param {Uint8Array} image
 * @param {number} root the page number of the root
 */
export function pathsToRows(image, root) {
  const file = new DataView(image.buffer, image.byteOffset, image.byteLength);
  /** @type {Map<number, number[]>} */
  const found = new Map();
  /** @type {(page: number, above: number[]) => void} */
  const walk = (page, above) => {
    const start = (page - 1) * PAGE_BYTES;
    const head = start + (page === 1 ? 100 : 0);
    const interior = file.getUint8(head) === INTERIOR;
    const cells = head + (interior ? 12 : 8);
    const path = [...above, page];
    for (let cell = 0; cell < file.getUint16(head + 3); cell += 1) {
      const at = start + file.getUint16(cells + 2 * cell);
      if (interior) walk(file.getUint32(at), path);
      else found.set(varint(file, varint(file, at).end).value, path); // the id is after the length
    }
    if (interior) walk(file.getUint32(head + 8), path);
  };
  walk(root, []);
  return found;
}

export const ORDERS = ['cyclic', 'zigzag', 'shuffle'];

/**
 * Returns a generator of random numbers in [0, 1), the same ones in every browser.
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
 * Returns scans of the rows 1 to `rows`: the first fills the cache, the others are counted.
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
 * Counts hits and misses of an LRU cache with n places, over all scans but the first.
 * @param {number[][]} all scans
 * @param {Map<number, number[]>} paths the pages on the way to each row
 * @param {number} places
 */
export function lru(all, paths, places) {
  /** @type {Set<number>} */
  const held = new Set(); // ordered by last use
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
