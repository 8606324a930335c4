// Lab 7's worker: the same BLOBs in files of the browser's own storage, and in rows of SQLite on the same storage.
// WebAssembly: node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm
import { serve } from '../serve.js';
import { startSqlite } from '../sqlite.js';

const CONTENT_BYTES = 1_500_000;
const FEWEST_BLOBS = 4;
const CACHE_SHARE = 50; // SQLite's page cache holds this part of the BLOBs, as the report's did
const LEAST_CACHE_PAGES = 2;
const ROUNDS = 5; // the fastest counts, because other work can only add to a time
const LEAST_MS = 10; // a browser's clock is coarse

/** @typedef {{ folder: any, names: string[], buffer: Uint8Array }} Files */

/** Returns 0 to n - 1 in a random order. @param {number} n */
function shuffled(n) {
  const order = Array.from({ length: n }, (_, index) => index);
  for (let last = n - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** @param {number} number @param {number} size */
function content(number, size) {
  return new Uint8Array(size).fill(number % 256);
}

/**
 * @param {any} root
 * @param {number} size
 * @param {number} count
 * @returns {Promise<Files>}
 */
async function writeFiles(root, size, count) {
  const folder = await root.getDirectoryHandle(`files-${size}`, { create: true });
  const names = Array.from({ length: count }, (_, number) => `${number}.blob`);
  for (const [number, name] of names.entries()) {
    const file = await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle();
    file.write(content(number, size), { at: 0 });
    file.close();
  }
  return { folder, names, buffer: new Uint8Array(size) };
}

/** Opens, reads and closes each file; returns the bytes. @param {Files} files @param {number[]} order */
async function readFiles({ folder, names, buffer }, order) {
  let total = 0;
  for (const number of order) {
    const file = await (await folder.getFileHandle(names[number])).createSyncAccessHandle();
    total += file.read(buffer, { at: 0 });
    file.close();
  }
  return total;
}

/** @param {any} db @param {number} pageBytes @param {number} size @param {number} count */
function writeRows(db, pageBytes, size, count) {
  db.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = OFF`);
  db.exec('CREATE TABLE blobs (id INTEGER PRIMARY KEY, content BLOB); BEGIN');
  const put = db.prepare('INSERT INTO blobs VALUES (?, ?)');
  for (let id = 0; id < count; id += 1) put.bind(1, id).bind(2, content(id, size)).stepReset();
  put.finalize();
  const pages = Math.max(LEAST_CACHE_PAGES, Math.floor(size * count / CACHE_SHARE / pageBytes));
  db.exec(`COMMIT; PRAGMA shrink_memory; PRAGMA cache_size = ${pages}`);
}

/** @param {any} query @param {number[]} order */
function readRows(query, order) {
  let total = 0;
  for (const id of order) {
    query.bind(1, id).step();
    total += query.getBlob(0).byteLength;
    query.reset();
  }
  return total;
}

/** Returns the mean time of as many passes as the clock needs. @param {() => Promise<void>} pass */
async function timeOf(pass) {
  const begun = performance.now();
  let passes = 0, elapsed = 0;
  while (elapsed < LEAST_MS) {
    await pass();
    passes += 1;
    elapsed = performance.now() - begun;
  }
  return elapsed / passes;
}

/** @typedef {(order: number[]) => number | Promise<number>} Read */
/** @typedef {{ read: Read, remove: () => void }} Rows */

/**
 * Returns the time of one BLOB by each of several ways to read them, in the fastest round. In each round they take
 * turns, so that a slow moment hits all alike.
 * @param {number} count
 * @param {number} size
 * @param {Read[]} reads
 */
async function fastest(count, size, reads) {
  /** @param {Read} read */
  const passOf = (read) => async () => {
    const total = await read(shuffled(count));
    if (total !== size * count) throw new Error(`${total} of ${size * count} bytes were read`);
  };
  const best = reads.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [way, read] of reads.entries()) best[way] = Math.min(best[way], await timeOf(passOf(read)));
  }
  return best.map((time) => time / count);
}

/**
 * Writes a database of rows, and returns how to read it and how to remove it.
 * @param {any} pool of SQLite's files
 * @param {number} pageBytes
 * @param {number} size
 * @param {number} count
 * @returns {Rows}
 */
function openRows(pool, pageBytes, size, count) {
  const path = `/rows-${pageBytes}.sqlite3`, db = new pool.OpfsSAHPoolDb(path);
  writeRows(db, pageBytes, size, count);
  const query = db.prepare('SELECT content FROM blobs WHERE id = ?');
  db.exec('BEGIN'); // SQLite reads page 1 again after the end of a transaction
  const remove = () => {
    query.finalize();
    db.close();
    pool.unlink(path);
  };
  return { read: (order) => readRows(query, order), remove };
}

/** Resolves to the lab's folder, or to the name of the error if this page has no storage. @param {string} name */
async function openFolder(name) {
  try {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(name, { create: true });
    const file = await folder.getFileHandle('try', { create: true });
    (await /** @type {any} */ (file).createSyncAccessHandle()).close();
    return { folder };
  } catch (error) {
    return { lacks: String(/** @type {Error} */ (error).name) };
  }
}

serve(async ({ name, pages, sizes, wasm }, tell) => {
  const { folder, lacks } = await openFolder(name);
  if (lacks) return { lacks };
  const sqlite = await startSqlite(wasm);
  const pool = await sqlite.installOpfsSAHPoolVfs({
    name, directory: `/${name}/sqlite`, clearOnInit: true, initialCapacity: pages.length + 1,
  });
  for (const size of sizes) {
    const count = Math.max(FEWEST_BLOBS, Math.floor(CONTENT_BYTES / size));
    const files = await writeFiles(folder, size, count);
    /** @type {Rows[]} */
    const rows = pages.map((/** @type {number} */ page) => openRows(pool, page, size, count));
    const ways = [(/** @type {number[]} */ order) => readFiles(files, order), ...rows.map(({ read }) => read)];
    const [file_ms, ...row_ms] = await fastest(count, size, ways);
    rows.forEach(({ remove }) => remove());
    await folder?.removeEntry(`files-${size}`, { recursive: true });
    pages.forEach((/** @type {number} */ page, /** @type {number} */ k) => {
      tell({ page, size, file_ms, row_ms: row_ms[k] });
    });
  }
  await pool.removeVfs();
  return { version: sqlite.version.libVersion };
});
