// Lab 7 in the page: BLOBs from files and from rows of SQLite, both in the browser's own storage, beside the formula.
import { withCommas } from '../../quantity.js';
import { LabFrame, LabStopped } from '../frame.js';
import { median } from '../statistics.js';

const PAGES = [1024, 4096, 8192, 16_384, 65_536];
const SIZES = [10_000, 20_000, 50_000, 200_000, 1_000_000];
const ASKED = { page: 4096, size: 10_000 }; // in the question to guess
const PREFIX = 'tunables-blobs-';
const COSTS = [
  'opening and closing a file, expressed as kB read from a file', 'finding a row, expressed as kB read from a file',
  'each page, expressed as kB read from a file',
  'each byte of a page, relative to a byte of a file',
];
const FAR_KB = 100_000; // an opening that costs more: the bytes of a file are nearly free beside it
const ROUGH = 0.25; // if half of the errors are greater, the formula doesn't describe the times

/** @typedef {{ page: number, size: number, file_ms: number, row_ms: number }} Measured */

/**
 * Removes a folder. Its files stay locked for a moment after their worker has ended.
 * @param {FileSystemDirectoryHandle} root
 * @param {string} name
 */
async function remove(root, name) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await root.removeEntry(name, { recursive: true }).then(() => true, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// Removes what the lab ever left, even if a page was closed while it ran.
async function removeFolders() {
  const root = await navigator.storage?.getDirectory?.().catch(() => undefined);
  if (!root) return;
  for await (const name of /** @type {any} */ (root).keys()) {
    if (name.startsWith(PREFIX)) await remove(root, name);
  }
}

/** @param {string} lacks the name of an error */
function lackSentence(lacks) {
  return `This browser won’t give the page private files (${lacks}), so there is nothing to measure. Not every `
    + 'browser supports them, some disable them in private windows, and none allows them for a page opened from disk '
    + 'or over plain http from another machine. The lab in Jupyter measures your disk instead.';
}

/** @param {Measured} row @returns {[number, number, number, number]} as the formula takes it */
function asRow({ page, size, file_ms, row_ms }) {
  return [page, size, file_ms, row_ms];
}

/** @param {number} ratio */
function signedPercent(ratio) {
  return `${ratio < 1 ? '' : '+'}${withCommas(100 * (ratio - 1))}%`;
}

/** Makes the table of ratios, which grows by a row for each size of BLOB. @param {LabFrame} frame */
function makeMatrix(frame) {
  const heads = ['BLOB', ...PAGES.map((page) => `pages of ${withCommas(page)} bytes`)];
  const title = 'Time to read from files divided by time to read from rows (above 1: rows are faster)';
  const table = frame.table(title, heads);
  /** @param {Measured[]} all */
  return (all) => {
    if (all.length % PAGES.length) return;
    const last = all.slice(-PAGES.length);
    const ratios = last.map(({ file_ms, row_ms }) => (file_ms / row_ms).toFixed(2));
    table.row([`${withCommas(last[0].size / 1000)} kB`, ...ratios]);
  };
}

/**
 * Fits the costs to two page sizes, shows them and what they predict, and returns the verdict.
 * @param {LabFrame} frame
 * @param {import('../frame.js').LabRun} labRun
 * @param {Measured[]} all
 */
async function predictOthers(frame, labRun, all) {
  const fitted = await labRun.law('fitted_pages', { page_bytes: PAGES });
  const [known, others] = [true, false].map((holds) => all.filter(({ page }) => fitted.includes(page) === holds));
  const costs = await labRun.law('fit_costs', { rows: known.map(asRow) });
  const ratios = await labRun.law('ratios', { rows: others.map(asRow), costs });
  const costTable = frame.table('The four costs, fitted to two page sizes', ['cost', 'value']);
  COSTS.forEach((name, k) => costTable.row([name, Number(costs[k].toPrecision(3))]));
  const table = frame.table(
    'Predictions for the other page sizes', ['BLOB', 'page size', 'measured', 'predicted', 'error'],
  );
  const errors = others.map(({ page, size, file_ms, row_ms }, k) => {
    const measured = file_ms / row_ms, error = ratios[k] / measured;
    const cells = [withCommas(page), measured.toFixed(2), ratios[k].toFixed(2), signedPercent(error)];
    table.row([`${withCommas(size / 1000)} kB`, ...cells]);
    return Math.abs(error - 1);
  });
  Object.assign(frame.section, { costs, fitted, predicted: ratios });
  const names = fitted.map((/** @type {number} */ page) => withCommas(page));
  const [middle, worst] = [median(errors), Math.max(...errors)].map((error) => (100 * error).toFixed(0));
  const rough = ' That is too far off: the formula doesn’t describe these times, so don’t use the four costs. Close '
    + 'other tabs and programs, and run the lab again.';
  const unitless = ' Here, opening a file costs so much more than reading its bytes that kB read from a file is not '
    + 'a useful unit, so compare the costs only with each other.';
  return `The costs were fitted to pages of ${names.join(' and ')} bytes. Half of the other `
    + `${others.length} ratios are predicted to within ${middle}%, and the worst is off by ${worst}%.`
    + (median(errors) > ROUGH ? rough : costs[0] > FAR_KB ? unitless : '');
}

/**
 * @param {HTMLElement} section
 * @param {LabTools} tools
 */
export function open(section, tools) {
  const frame = new LabFrame(section, tools, async (labRun) => {
    await labRun.until(removeFolders());
    labRun.finally(removeFolders);
    /** @type {Measured[]} */
    const results = [];
    Object.assign(section, { results });
    const show = makeMatrix(frame);
    const name = PREFIX + crypto.getRandomValues(new Uint32Array(1))[0];
    const done = await labRun.work({ name, pages: PAGES, sizes: SIZES }, (measured) => {
      results.push(measured);
      show(results);
      const count = PAGES.length * SIZES.length;
      frame.progress(results.length, count, `${results.length} of ${count} measurements done`);
    });
    if (done.lacks) throw new LabStopped(lackSentence(done.lacks));
    frame.tell(`SQLite ${done.version}, compiled to WebAssembly, with its database in the browser’s storage. Each `
      + 'file is opened again each time it is read.');
    const words = await predictOthers(frame, labRun, results);
    const asked = /** @type {Measured} */ (
      results.find(({ page, size }) => page === ASKED.page && size === ASKED.size));
    return words + frame.guessText(asked.file_ms / asked.row_ms, 2);
  });
  frame.run();
}
