// Lab 2 in the page: fifty callers, real time-outs, and a black hole: a worker that never answers.
import { described } from '../../dom.js';
import { Frame } from '../frame.js';
import { Fields } from './settings.js';

const CAPTION = 'Response times (s) and batches a second, in seconds of the note';
const HEADS = ['time-out, retries, flush delay', 'published (s)', 'predicted (s)', 'measured (s)', 'published (1/s)',
  'predicted (1/s)', 'measured (1/s)'];

/**
 * @typedef {import('../turn.js').Turn} Turn
 * @typedef {import('./settings.js').Setting} Setting
 * @typedef {{ callers: number, commits: number, work_s: number, think_s: number }} Shared
 * @typedef {{ shared: Shared, rows: Setting[], own: Setting }} Described
 * @typedef {{ response_s: number, throughput_per_s: number, least_s: number }} Times
 * @typedef {Setting & { measured: Times, predicted: Times, attempts: number }} Result
 */

/**
 * Begins both workers and joins them.
 * @param {Turn} turn
 */
async function begin(turn) {
  const { worker: hole } = await turn.worker();
  const { worker: callers } = await turn.worker();
  const { port1, port2 } = new MessageChannel();
  await turn.ask(hole, { deed: 'swallow', port: port1 }, { transfer: [port1] });
  await turn.ask(callers, { deed: 'join', port: port2 }, { transfer: [port2] });
  return { hole, callers };
}

/**
 * @param {Shared} shared
 * @param {Setting} setting
 * @param {number} lasts what a second of the note lasts, in seconds
 */
function inRealTime({ callers, commits, work_s, think_s }, { timeout_s, max_delay_s, ...counts }, lasts) {
  const ms = 1000 * lasts;
  const times = { timeout_ms: timeout_s, delay_ms: max_delay_s, work_ms: work_s, think_ms: think_s };
  const scaled = Object.entries(times).map(([name, seconds]) => [name, seconds * ms]);
  return { callers, commits, ...counts, ...Object.fromEntries(scaled) };
}

/**
 * In seconds of the note, counted as the note counts: all batches by the time of the last.
 * @param {{ responses_ms: number[], ended_ms: number }} run
 * @param {number} lasts
 */
function inTheNote({ responses_ms, ended_ms }, lasts) {
  const ms = 1000 * lasts, count = responses_ms.length;
  const mean_ms = responses_ms.reduce((sum, each) => sum + each, 0) / count;
  return { response_s: mean_ms / ms, throughput_per_s: count / ended_ms * ms, least_s: Math.min(...responses_ms) / ms };
}

/** @param {Result} result */
function cells({ title, timeout_s, retries, max_delay_s, published, predicted, measured }) {
  const response = [published, predicted, measured].map((times) => times?.response_s.toFixed(3) ?? '–');
  const [, ...rates] = [published, predicted, measured].map((times) => times?.throughput_per_s.toFixed(2) ?? '–');
  const published_per_s = published?.throughput_per_s ?? '–'; // with as many digits as it was printed
  const setting = `${title}: ${timeout_s} s, ${retries}, ${max_delay_s} s`;
  return /** @type {[string, ...(string | number)[]]} */ ([setting, ...response, published_per_s, ...rates]);
}

/**
 * @param {Result[]} results
 * @param {number} swallowed
 */
function verdict(results, swallowed) {
  const { predicted, measured } = results[results.length - 1];
  const made = results.reduce((sum, { attempts }) => sum + attempts, 0);
  const early = results.filter((result) => result.measured.least_s < 0.99 * result.predicted.least_s).length;
  return `Your setting: ${predicted.response_s.toFixed(2)} s predicted, ${measured.response_s.toFixed(2)} s measured. `
    + `Of ${made.toLocaleString('en')} requests ${swallowed.toLocaleString('en')} came to the black hole, and none was `
    + `answered. ${early ? 'Some batches' : 'No batch'} ended before the last attempt had timed out.`;
}

/** @param {number} lasts */
function told(lasts) {
  const second = lasts === 1 ? '' : ` A second of the note lasts ${lasts} s here; the table has seconds of the note.`;
  return `A request is a message to a worker of this page that never answers: no network, no server.${second}`;
}

/**
 * Runs the settings, one after the other.
 * @param {Turn} turn
 * @param {{ shared: Shared, settings: Setting[], lasts: number,
 *   heard: (ended: number) => void, found: (result: Result) => void }} wanted
 * @returns {Promise<number>} how many requests came to the black hole
 */
async function runAll(turn, { shared, settings, lasts, heard, found }) {
  const { hole, callers } = await begin(turn);
  let before = 0;
  for (const setting of settings) {
    const { timeout_s, retries, max_delay_s, threads } = setting;
    const predicted = await turn.law('batches', { timeout_s, retries, max_delay_s, threads, ...shared });
    const asked = { deed: 'run', ...inRealTime(shared, setting, lasts) };
    const begun = before;
    const run = await turn.ask(callers, asked, { heard: (ended) => heard(begun + ended) });
    before += setting.batches;
    found({ ...setting, predicted, measured: inTheNote(run, lasts), attempts: run.attempts });
  }
  return turn.ask(hole, { deed: 'swallowed' });
}

/**
 * @param {HTMLElement} section
 * @param {LabTools} tools
 */
export function open(section, tools) {
  /** @type {Described} */
  const { shared, rows, own } = described(section, '.lab-published');
  const fields = new Fields(own);
  const frame = new Frame(section, tools, async (turn) => {
    const mine = { ...own, ...fields.chosen };
    const settings = [...rows, mine];
    const lasts = fields.secondLasts;
    frame.tell(told(lasts));
    const table = frame.table(CAPTION, HEADS);
    const count = settings.reduce((sum, { batches }) => sum + batches, 0);
    /** @type {Result[]} */
    const results = [];
    const swallowed = await runAll(turn, {
      shared,
      settings,
      lasts,
      heard: (ended) => frame.progress(ended, count, `${ended} of ${count} batches`),
      found: (result) => {
        results.push(result);
        table.row(cells(result));
      },
    });
    Object.assign(section, { results: { rows: results, swallowed, lasts } });
    const isUsual = JSON.stringify(mine) === JSON.stringify(own);
    return verdict(results, swallowed) + (isUsual ? frame.guessed(results[rows.length].measured.response_s, 2) : '');
  });
  frame.settings.append(...fields.parts);
  frame.run();
}
