// Lab 3 in the page: hits and misses of SQLite's page cache, counted by SQLite, beside the law.
import { LabFrame, Plot } from '../frame.js';

const ROWS = 4000;
const ORDERS = ['cyclic', 'zigzag', 'shuffle'];
const PER_CENT_WITH_ROOM = 90; // in the question to guess
const CHART = 'Miss ratio against cache size in rows: lines show the law for three scan orders, and rings show '
  + 'what SQLite counts. The table below has the numbers.';
const CAPTION = 'Scans of the table: SQLite’s own counts, an LRU cache of the same size, and the law';
const HEADS = ['order', 'cache_size', 'rows that fit', 'hits', 'misses', 'LRU’s misses', 'miss ratio', 'law'];

/**
 * @typedef {{ hits: number, misses: number }} Counts
 * @typedef {{ order: string, cachePages: number, room: number, requests: number, twin: Counts } & Counts} Measured
 * @typedef {{ version: string, pages: number, fits: number, count: number }} TableLayout
 */

/** @param {number} ratio */
function text(ratio) {
  return ratio.toFixed(4);
}

/** @param {TableLayout} layout */
function describeTable({ version, pages, fits }) {
  return `SQLite ${version}. A table of ${ROWS.toLocaleString('en')} rows fills ${pages.toLocaleString('en')} pages. `
    + `We found by trial that the smallest cache_size without misses is ${fits}.`;
}

/** @param {(Measured & { law: number })[]} rows */
function verdict(rows) {
  const same = rows.filter(({ hits, misses, twin }) => hits === twin.hits && misses === twin.misses);
  const off = Math.max(...rows.map(({ misses, requests, law }) => Math.abs(misses / requests - law)));
  return `In ${same.length} of ${rows.length} measurements SQLite has exactly as many hits and misses as an LRU `
    + `cache. The law, which ignores the inner pages of the B-tree, is off by at most ${text(off)}.`;
}

/** @param {Measured[]} rows */
function measuredPercent(rows) {
  const room = ROWS * PER_CENT_WITH_ROOM / 100;
  const { misses, requests } = /** @type {Measured} */ (
    rows.find((row) => row.order === 'zigzag' && row.room === room));
  return 100 * misses / requests;
}

/**
 * Makes a chart and a table, which grow with each measurement.
 * @param {LabFrame} frame
 */
function makeSheet(frame) {
  const plot = new Plot(ROWS, 'rows', ORDERS.map((order) => `${order}, law`));
  plot.describe(CHART);
  frame.results.append(plot.drawn);
  const table = frame.table(CAPTION, HEADS);
  /** @param {Measured & { law: number }} measured */
  return ({ order, cachePages, room, requests, hits, misses, twin, law }) => {
    plot.point(ORDERS.indexOf(order), room, law);
    plot.ring(room, misses / requests);
    table.row([order, cachePages, room, hits, misses, twin.misses, text(misses / requests), text(law)]);
  };
}

/**
 * @param {HTMLElement} section
 * @param {LabTools} tools
 */
export function open(section, tools) {
  const frame = new LabFrame(section, tools, async (labRun) => {
    /** @type {(Measured & { law: number })[]} */
    const rows = [];
    /** @type {TableLayout | undefined} */
    let layout;
    /** @type {ReturnType<typeof makeSheet>} */
    let show;
    Object.assign(section, { results: rows });
    await labRun.work({ rows: ROWS }, async (note) => {
      if ('fits' in note) {
        layout = note;
        frame.tell(describeTable(note));
        show = makeSheet(frame);
        return;
      }
      const { order, room } = note;
      const law = await labRun.law('miss_ratio', { order, rows: ROWS, room });
      rows.push({ ...note, law });
      show({ ...note, law });
      frame.progress(rows.length, layout?.count ?? 1, `${rows.length} of ${layout?.count}`);
    });
    return verdict(rows) + frame.guessText(measuredPercent(rows), 1);
  });
  frame.run();
}
