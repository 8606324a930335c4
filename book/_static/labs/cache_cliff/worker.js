// Lab 3's worker: SQLite itself, its page cache swept over sizes and orders of scans.
import init from '@sqlite.org/sqlite-wasm';
import { serve } from '../work.js';
import { lru, ORDERS, scans } from './scans.js';
import { Table } from './table.js';

const COUNTED = 3; // scans, behind the one that fills the cache
const SEED = 3;
const WITHOUT_ROOM = [-100, 0, 1]; // rows; with -100 there is room to spare
const PERCENT_WITHOUT_ROOM = [5, 10, 25, 50, 75, 90];

// Its types know of no options.
/** @param {ArrayBuffer} wasm */
function start(wasm) {
  /** @type {(imports: WebAssembly.Imports, ready: (instance: object, module: object) => void) => object} */
  const instantiateWasm = (imports, ready) => {
    WebAssembly.instantiate(wasm, imports).then(({ instance, module }) => ready(instance, module));
    return {};
  };
  return /** @type {any} */ (init)({ print() {}, printErr() {}, wasmBinary: wasm, instantiateWasm });
}

serve(async ({ rows, wasm }, tell) => {
  const sqlite = await start(wasm);
  const table = new Table(sqlite, rows);
  const fits = table.fits();
  const without = [...WITHOUT_ROOM, ...PERCENT_WITHOUT_ROOM.map((percent) => rows * percent / 100)];
  tell({ version: sqlite.version.libVersion, pages: table.pages, fits, count: ORDERS.length * without.length });
  for (const order of ORDERS) {
    const all = scans(order, rows, COUNTED, SEED);
    for (const rowsWithoutRoom of without) {
      const cachePages = fits - rowsWithoutRoom;
      const room = Math.min(rows, rows - rowsWithoutRoom);
      // Of cache_size SQLite keeps one place free, and one for page 1 while a transaction is open.
      const twin = lru(all, table.paths, cachePages - 2);
      tell({ order, cachePages, room, requests: COUNTED * rows, ...table.measure(cachePages, all), twin });
    }
  }
});
