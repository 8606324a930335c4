// Which pages SQLite reads to come to a row: read from the image of a database file, format 3.
// https://www.sqlite.org/fileformat2.html, 1.6

export const PAGE_BYTES = 4096;
const INTERIOR = 5; // the kind of a page of a table's b-tree that leads to others
const MOST_VARINT_BYTES = 9;

/**
 * A number of 1 to 9 bytes, and where it ends. Rows are numbered below 2^31 here.
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
 * The numbers of the pages from the root of a table's b-tree to each row's leaf, by row id.
 * @param {Uint8Array} image
 * @param {number} root the number of its page
 */
export function paths(image, root) {
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
      else found.set(varint(file, varint(file, at).end).value, path); // behind the length: the id
    }
    if (interior) walk(file.getUint32(head + 8), path);
  };
  walk(root, []);
  return found;
}
