// Lab 7's worker: reads a reader's numbers, and counts what a chapter's fit asks of them.
import table from '../../../../kernels/built/cache_cliff.json';
import { Kernels } from '../../kernels.js';
import { serve } from '../work.js';
import { counted as countedKeys } from './cache_cliff.js';
import * as counting from './counting.js';
import { Choice, readKeys } from './keys.js';
import { made as madeUp } from './made.js';
import { firstRow, readTable } from './table.js';
import { wholeText } from './text.js';
import { Refused } from './texts.js';

/** @typedef {(told: { share: number }) => void} Tell */

/** @type {Record<string, (blob: Blob, asked: any, tell: Tell) => Promise<object>>} */
const ACTS = {
  async keys(blob, { wanted: { words, fewest }, column, wasm }, tell) {
    const begun = performance.now();
    const { ids, keys } = await readKeys(blob, { words, column }, (share) => tell({ share }));
    if (ids.length < fewest) {
      return { refusal: `${ids.length} requests are too few: this fit needs at least ${fewest}.` };
    }
    const read = performance.now();
    const kernels = new Kernels(new WebAssembly.Module(wasm), table.entries);
    const found = countedKeys(kernels, ids, keys);
    const done = performance.now();
    return { ...found, requests: ids.length, keys, read_ms: read - begun, count_ms: done - read };
  },

  first: (blob) => firstRow(blob),

  text: (blob) => wholeText(blob),

  // Counts only what the page’s Python will not refuse.
  async table(blob, asked, tell) {
    const { doubt, checked, values } = await readTable(blob, asked, (share) => tell({ share }));
    if (!checked || !values) return { doubt };
    const { chapter, wanted } = asked;
    const sound = checked.rows >= wanted.fewest && !checked.infinite && !checked.beyond;
    return { checked, counted: sound ? countedTable(chapter, values, wanted) : null };
  },
};

/**
 * @param {string} chapter
 * @param {Record<string, Float64Array>} values
 * @param {{ most?: number }} wanted most: rows that the page's Python takes as they are
 */
function countedTable(chapter, values, wanted) {
  const own = /** @type {Record<string, (values: object, wanted: any) => object>} */ (counting)[chapter];
  if (own) return own(values, wanted);
  const columns = Object.entries(values);
  const most = wanted.most ?? Infinity;
  if (columns[0][1].length > most) {
    const many = most.toLocaleString('en');
    throw new Refused(`More than ${many} rows are too many for this fit in the page; the command line takes them.`);
  }
  return Object.fromEntries(columns.map(([name, numbers]) => [name, [...numbers]]));
}

serve(async ({ act, made, blob = madeUp(made), ...asked }, tell) => {
  try {
    return await ACTS[act](blob, asked, tell);
  } catch (error) {
    if (error instanceof Choice) return { refusal: error.message, columns: error.columns };
    if (error instanceof Refused) return { refusal: error.message };
    throw error;
  }
});
