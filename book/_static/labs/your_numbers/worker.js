// The worker of the lab Your numbers: reads a reader's numbers and counts what a chapter's fit needs.
// WebAssembly: kernels/built/cache_cliff.wasm
import table from '../../../../kernels/built/cache_cliff.json';
import { Kernels } from '../../engine/kernels.js';
import { serve } from '../serve.js';
import { tableOf } from './logs.js';
import { firstRow, readKeys, readTable, UnknownColumn } from './tables.js';
import { InputError, readText } from './text.js';

/** @typedef {(message: { share: number }) => void} Tell */

/**
 * A module of the folder chapters. Every chapter has a sample. One that counts a table has `count`, one that
 * counts a trace has `countKeys`; the others take a table's columns as they are.
 * @typedef {object} Chapter
 * @property {() => string[]} sample its lines
 * @property {(values: any, wanted: any) => object} [count]
 * @property {(kernels: Kernels, ids: Int32Array, keys: number) => object} [countKeys]
 */

/** @type {Record<string, (chapter: Chapter, blob: Blob, request: any, tell: Tell) => Promise<object>>} */
const ACTS = {
  async keys({ countKeys }, blob, { wanted: { words, fewest }, column, wasm }, tell) {
    const begun = performance.now();
    const { ids, keys } = await readKeys(blob, { words, column }, (share) => tell({ share }));
    if (ids.length < fewest) {
      return { refusal: `${ids.length} requests are too few: this fit needs at least ${fewest}; use a longer trace.` };
    }
    const read = performance.now();
    const kernels = new Kernels(new WebAssembly.Module(wasm), table.entries);
    const found = countKeys?.(kernels, ids, keys);
    const done = performance.now();
    return { ...found, requests: ids.length, keys, read_ms: read - begun, count_ms: done - read };
  },

  first: (_, blob) => firstRow(blob),

  text: (_, blob) => readText(blob),

  // Counts only what the page’s Python will not refuse.
  async table(chapter, blob, request, tell) {
    const { doubt, checked, values } = await readTable(blob, request, (share) => tell({ share }));
    if (!checked || !values) return { doubt };
    const { wanted } = request;
    const sound = checked.rows >= wanted.fewest && !checked.infinite && !checked.beyond;
    return { checked, counted: sound ? countTable(chapter, values, wanted) : null };
  },
};

/**
 * @param {Chapter} chapter
 * @param {Record<string, Float64Array>} values
 * @param {{ most?: number }} wanted most: how many rows the page's Python accepts uncounted
 */
function countTable({ count }, values, wanted) {
  if (count) return count(values, wanted);
  const columns = Object.entries(values);
  const most = wanted.most ?? Infinity;
  if (columns[0][1].length > most) {
    const many = most.toLocaleString('en');
    throw new InputError(`For this fit the page takes at most ${many} rows; use the command line for more.`);
  }
  return Object.fromEntries(columns.map(([name, numbers]) => [name, [...numbers]]));
}

/**
 * Starts the worker. The build calls it with all modules of the folder chapters, by name.
 * @param {Record<string, Chapter>} chapters
 */
export function start(chapters) {
  const sample = (/** @type {string} */ chapter) => new Blob([chapters[chapter].sample().join('\n'), '\n']);
  serve(async ({ act, chapter, made, blob = sample(made), ...request }, tell) => {
    try {
      const read = act === 'text' ? blob : await tableOf(blob);
      return await ACTS[act](chapters[chapter], read, request, tell);
    } catch (error) {
      if (error instanceof UnknownColumn) return { refusal: error.message, columns: error.columns };
      if (error instanceof InputError) return { refusal: error.message };
      throw error;
    }
  });
}
