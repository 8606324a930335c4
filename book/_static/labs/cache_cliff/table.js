// A table of one row a page in SQLite's memory, and its own counts of what its page cache held.
import { paths } from './btree.js';

const FILLER_BYTES = 3900; // nearly a page: two rows never share one, and none overflows
const SLACK_PAGES = 20; // more than SQLite keeps for itself beside the database's pages

export class Table {
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
    this.paths = paths(sqlite.capi.sqlite3_js_db_export(this.db), root);
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
   * SQLite's own count since it was last asked.
   * @param {'HIT' | 'MISS'} what
   */
  counted(what) {
    const { capi, wasm } = this.sqlite;
    const counter = capi[`SQLITE_DBSTATUS_CACHE_${what}`];
    capi.sqlite3_db_status(this.db.pointer, counter, this.place, this.place + 4, 1);
    return wasm.peek(this.place, 'i32');
  }

  /**
   * Hits and misses of all scans but the first, which fills an empty cache of so many pages.
   * In one transaction: after another's end SQLite would look at page 1 again.
   * @param {number} cachePages
   * @param {number[][]} all
   */
  measure(cachePages, all) {
    this.db.exec(`PRAGMA shrink_memory; PRAGMA cache_size = ${cachePages}; BEGIN`);
    all.forEach((scan, index) => {
      if (index === 1) ['HIT', 'MISS'].forEach((what) => this.counted(/** @type {'HIT'} */ (what)));
      for (const id of scan) this.query.bind(1, id).stepReset();
    });
    const counts = { hits: this.counted('HIT'), misses: this.counted('MISS') };
    this.db.exec('COMMIT');
    return counts;
  }

  // The smallest cache_size that misses nothing, by bisection.
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
