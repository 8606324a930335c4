// Lab 3 in the page: SQLite counts the hits and misses of its page cache; beside them the law.
import { Frame } from '../frame.js';
import { Plot } from '../plot.js';

const ROWS = 4000;
const ORDERS = ['cyclic', 'zigzag', 'shuffle'];
const PER_CENT_WITH_ROOM = 90; // of the question that asks for a guess
const CHART = 'Miss ratio over room for rows, by the law for three orders of scan as lines, and as SQLite counts it '
  + 'as rings. The table below has the numbers.';
const CAPTION = 'Scans of SQLite, counted by SQLite; beside it an LRU cache of as many places, and the law';
const HEADS = ['order', 'cache_size', 'room for rows', 'hits', 'misses', 'LRU’s misses', 'miss ratio', 'law'];

/**
 * @typedef {{ hits: number, misses: number }} Counts
 * @typedef {{ order: string, cachePages: number, room: number, requests: number, twin: Counts } & Counts} Measured
 * @typedef {{ version: string, pages: number, fits: number, count: number }} Layout
 */

/** @param {number} ratio */
function text(ratio) {
  return ratio.toFixed(4);
}

/** @param {Layout} layout */
function surveyed({ version, pages, fits }) {
  return `SQLite ${version}. A table of ${ROWS.toLocaleString('en')} rows fills ${pages.toLocaleString('en')} pages. `
    + `A cache_size of ${fits} is the smallest with which nothing misses: found by trying.`;
}

/** @param {(Measured & { law: number })[]} rows */
function verdict(rows) {
  const same = rows.filter(({ hits, misses, twin }) => hits === twin.hits && misses === twin.misses);
  const off = Math.max(...rows.map(({ misses, requests, law }) => Math.abs(misses / requests - law)));
  return `In ${same.length} of ${rows.length} measurements SQLite hits and misses as often as an LRU cache, `
    + `to the page. The law, which leaves out the pages above the rows, is off by ${text(off)} at most.`;
}

/** @param {Measured[]} rows */
function asked(rows) {
  const room = ROWS * PER_CENT_WITH_ROOM / 100;
  const { misses, requests } = /** @type {Measured} */ (
    rows.find((row) => row.order === 'zigzag' && row.room === room));
  return 100 * misses / requests;
}

/**
 * A chart and a table, which grow with what is measured.
 * @param {Frame} frame
 */
function sheet(frame) {
  const plot = new Plot(ROWS, 'rows', ORDERS.map((order) => `${order}, law`));
  plot.describe(CHART);
  frame.found.append(plot.drawn);
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
  const frame = new Frame(section, tools, async (turn) => {
    /** @type {(Measured & { law: number })[]} */
    const rows = [];
    /** @type {Layout | undefined} */
    let layout;
    /** @type {ReturnType<typeof sheet>} */
    let show;
    Object.assign(section, { results: rows });
    await turn.work({ rows: ROWS }, async (told) => {
      if ('fits' in told) {
        layout = told;
        frame.tell(surveyed(told));
        show = sheet(frame);
        return;
      }
      const { order, room } = told;
      const law = await turn.law('miss_ratio', { order, rows: ROWS, room });
      rows.push({ ...told, law });
      show({ ...told, law });
      frame.progress(rows.length, layout?.count ?? 1, `${rows.length} of ${layout?.count}`);
    });
    return verdict(rows) + frame.guessed(asked(rows), 1);
  });
  frame.run();
}
