// Lab 3's worker: SQLite itself, with its page cache swept over sizes and orders of scans.
// WebAssembly: node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm
import { serve } from '../serve.js';
import { startSqlite } from '../sqlite.js';
import { lru, ORDERS, pathsToRows, scans } from './pages.js';

const FILLER_BYTES = 3900; // nearly a page: two rows never share one, and none overflows
const SLACK_PAGES = 20; // more than SQLite needs beside the database's pages

/** A table with one row per page in SQLite's memory. */
class Table {
  /**
   * @param {any} sqlite what @sqlite.org/sqlite-wasm starts
   * @param {number} rows
   */
  constructor(sqlite, rows) {
    this.sqlite = sqlite;
    this.rows = rows;
    this.db = new sqlite.oo1.DB('/lab.sqlite3', 'c');
    this.fill();
    this.pages = this.db.selectValue('PRAGMA page_count');
    const root = this.db.selectValue('SELECT rootpage FROM sqlite_schema');
    this.paths = pathsToRows(sqlite.capi.sqlite3_js_db_export(this.db), root);
    this.query = this.db.prepare('SELECT length(filler) FROM pages WHERE id = ?');
    this.place = sqlite.wasm.pstack.alloc(8); // for a counter, and its highest value
  }

  fill() {
    this.db.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = OFF');
    this.db.exec('CREATE TABLE pages (id INTEGER PRIMARY KEY, filler BLOB); BEGIN');
    const put = this.db.prepare(`INSERT INTO pages VALUES (?, zeroblob(${FILLER_BYTES}))`);
    for (let id = 1; id <= this.rows; id += 1) put.bind(1, id).stepReset();
    put.finalize();
    this.db.exec('COMMIT');
  }

  /**
   * Returns and resets SQLite's own count.
   * @param {'HIT' | 'MISS'} what
   */
  takeCount(what) {
    const { capi, wasm } = this.sqlite;
    const counter = capi[`SQLITE_DBSTATUS_CACHE_${what}`];
    capi.sqlite3_db_status(this.db.pointer, counter, this.place, this.place + 4, 1);
    return wasm.peek(this.place, 'i32');
  }

  /**
   * Counts hits and misses of all scans but the first, which fills an empty cache of n pages. All scans are in one
   * transaction, because SQLite reads page 1 again after the end of a transaction.
   * @param {number} cachePages
   * @param {number[][]} all
   */
  measure(cachePages, all) {
    this.db.exec(`PRAGMA shrink_memory; PRAGMA cache_size = ${cachePages}; BEGIN`);
    all.forEach((scan, index) => {
      if (index === 1) ['HIT', 'MISS'].forEach((what) => this.takeCount(/** @type {'HIT'} */ (what)));
      for (const id of scan) this.query.bind(1, id).stepReset();
    });
    const counts = { hits: this.takeCount('HIT'), misses: this.takeCount('MISS') };
    this.db.exec('COMMIT');
    return counts;
  }

  // Finds the smallest cache_size without misses, by bisection.
  fits() {
    const ids = Array.from({ length: this.rows }, (_, index) => index + 1);
    let [small, large] = [this.rows, this.pages + SLACK_PAGES];
    while (large - small > 1) {
      const middle = Math.floor((small + large) / 2);
      if (this.measure(middle, [ids, ids]).misses) small = middle;
      else large = middle;
    }
    return large;
  }
}

const COUNTED = 3; // scans after the one that fills the cache
const SEED = 3;
const WITHOUT_ROOM = [-100, 0, 1]; // rows for which there is no room; -100 leaves room to spare
const PERCENT_WITHOUT_ROOM = [5, 10, 25, 50, 75, 90];

serve(async ({ rows, wasm }, tell) => {
  const sqlite = await startSqlite(wasm);
  const table = new Table(sqlite, rows);
  const fits = table.fits();
  const without = [...WITHOUT_ROOM, ...PERCENT_WITHOUT_ROOM.map((percent) => rows * percent / 100)];
  tell({ version: sqlite.version.libVersion, pages: table.pages, fits, count: ORDERS.length * without.length });
  for (const order of ORDERS) {
    const all = scans(order, rows, COUNTED, SEED);
    for (const rowsWithoutRoom of without) {
      const cachePages = fits - rowsWithoutRoom;
      const room = Math.min(rows, rows - rowsWithoutRoom);
      // SQLite keeps one place of cache_size free, and one for page 1 while a transaction is open.
      const twin = lru(all, table.paths, cachePages - 2);
      tell({ order, cachePages, room, requests: COUNTED * rows, ...table.measure(cachePages, all), twin });
    }
  }
});
