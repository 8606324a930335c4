// Lab 2 in the page: fifty callers, real timeouts, and a black hole, which is a worker that never answers.
import { element, labelField, readDescription } from '../../dom.js';
import { LabFrame } from '../frame.js';
import { NumberField } from '../number_field.js';

const SCALES = { 1: 'a full second', 2: 'half a second', 4: 'a quarter of a second', 10: 'a tenth of a second' };
const USUAL_SCALE = 4;

/**
 * @typedef {{ title: string, timeout_s: number, retries: number, max_delay_s: number, threads: number,
 *   batches: number, published?: { response_s: number, throughput_per_s: number } }} Setting
 * @typedef {import('../number_field.js').Range} Range
 */

/** The fields: the setting that the reader chooses, and how long a second of the report lasts. */
class Fields {
  /** @param {Setting} usual */
  constructor({ timeout_s, retries, max_delay_s, threads }) {
    /** @type {(name: string, label: string, range: Range) => NumberField} */
    const field = (name, label, range) => new NumberField(`lab-hole-${name}`, label, range);
    this.timeout = field('time-out', 'Timeout (s)', { least: 0.1, most: 10, step: 'any', usual: timeout_s });
    this.retries = field('retries', 'Retries', { least: 0, most: 10, step: 1, usual: retries });
    this.delay = field('delay', 'Flush delay (s)', { least: 0, most: 10, step: 'any', usual: max_delay_s });
    this.threads = field('threads', 'Threads', { least: 1, most: threads, step: 1, usual: threads });
    const options = Object.entries(SCALES).map(([value, text]) => element('option', { value }, text));
    this.scale = element('select', {}, ...options);
    this.scale.value = String(USUAL_SCALE);
  }

  get parts() {
    const numbers = [this.timeout, this.retries, this.delay, this.threads].map(({ part }) => part);
    return [...numbers, labelField('lab-hole-scale', 'One second in the report lasts', this.scale)];
  }

  /** How long a second of the report lasts, in seconds. */
  get secondLasts() {
    return 1 / Number(this.scale.value);
  }

  get chosen() {
    const [timeout_s, retries] = [this.timeout.value, this.retries.value];
    return { timeout_s, retries, max_delay_s: this.delay.value, threads: this.threads.value };
  }
}

const CAPTION = 'Response times (s) and batches per second, in the report’s seconds';
const HEADS = ['timeout, retries, flush delay', 'published (s)', 'predicted (s)', 'measured (s)', 'published (1/s)',
  'predicted (1/s)', 'measured (1/s)'];

/**
 * @typedef {import('../frame.js').LabRun} LabRun
 * @typedef {{ callers: number, commits: number, work_s: number, think_s: number }} Shared
 * @typedef {{ shared: Shared, rows: Setting[], own: Setting }} Described
 * @typedef {{ response_s: number, throughput_per_s: number, least_s: number }} Times
 * @typedef {Setting & { measured: Times, predicted: Times, attempts: number }} Result
 */

/**
 * Starts both workers and joins them.
 * @param {LabRun} labRun
 */
async function begin(labRun) {
  const { worker: hole } = await labRun.worker();
  const { worker: callers } = await labRun.worker();
  const { port1, port2 } = new MessageChannel();
  await labRun.ask(hole, { action: 'swallow', port: port1 }, { transfer: [port1] });
  await labRun.ask(callers, { action: 'join', port: port2 }, { transfer: [port2] });
  return { hole, callers };
}

/**
 * @param {Shared} shared
 * @param {Setting} setting
 * @param {number} lasts how long a second of the report lasts, in seconds
 */
function inRealTime({ callers, commits, work_s, think_s }, { timeout_s, max_delay_s, ...counts }, lasts) {
  const ms = 1000 * lasts;
  const times = { timeout_ms: timeout_s, delay_ms: max_delay_s, work_ms: work_s, think_ms: think_s };
  const scaled = Object.entries(times).map(([name, seconds]) => [name, seconds * ms]);
  return { callers, commits, ...counts, ...Object.fromEntries(scaled) };
}

/**
 * Converts a run to the report’s seconds. Throughput is counted as there: all batches until the end of the last.
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
    + `Of ${made.toLocaleString('en')} requests, ${swallowed.toLocaleString('en')} reached the black hole, and none `
    + `was answered. ${early ? 'Some batches' : 'No batch'} ended before the last attempt had timed out.`;
}

/** @param {number} lasts */
function describeSecond(lasts) {
  const second = lasts === 1
    ? ''
    : ` One second in the report lasts ${lasts} s here; the table is in the report’s seconds.`;
  return 'A request is a message to a worker in this page; the worker never answers. No network or server is involved.'
    + second;
}

/**
 * Runs the settings, one after the other.
 * @param {LabRun} labRun
 * @param {{ shared: Shared, settings: Setting[], lasts: number,
 *   onBatch: (ended: number) => void, onResult: (result: Result) => void }} options
 * @returns {Promise<number>} the number of requests that reached the black hole
 */
async function runAll(labRun, { shared, settings, lasts, onBatch, onResult }) {
  const { hole, callers } = await begin(labRun);
  let before = 0;
  for (const setting of settings) {
    const { timeout_s, retries, max_delay_s, threads } = setting;
    const predicted = await labRun.law('batches', { timeout_s, retries, max_delay_s, threads, ...shared });
    const request = { action: 'run', ...inRealTime(shared, setting, lasts) };
    const begun = before;
    const run = await labRun.ask(callers, request, { onNote: (ended) => onBatch(begun + ended) });
    before += setting.batches;
    onResult({ ...setting, predicted, measured: inTheNote(run, lasts), attempts: run.attempts });
  }
  return labRun.ask(hole, { action: 'swallowed' });
}

/**
 * @param {HTMLElement} section
 * @param {LabTools} tools
 */
export function open(section, tools) {
  /** @type {Described} */
  const { shared, rows, own } = readDescription(section, '.lab-published');
  const fields = new Fields(own);
  const frame = new LabFrame(section, tools, async (labRun) => {
    const mine = { ...own, ...fields.chosen };
    const settings = [...rows, mine];
    const lasts = fields.secondLasts;
    frame.tell(describeSecond(lasts));
    const table = frame.table(CAPTION, HEADS);
    const count = settings.reduce((sum, { batches }) => sum + batches, 0);
    /** @type {Result[]} */
    const results = [];
    const swallowed = await runAll(labRun, {
      shared,
      settings,
      lasts,
      onBatch: (ended) => frame.progress(ended, count, `${ended} of ${count} batches`),
      onResult: (result) => {
        results.push(result);
        table.row(cells(result));
      },
    });
    Object.assign(section, { results: { rows: results, swallowed, lasts } });
    const isUsual = JSON.stringify(mine) === JSON.stringify(own);
    return verdict(results, swallowed) + (isUsual ? frame.guessText(results[rows.length].measured.response_s, 2) : '');
  });
  frame.settings.append(...fields.parts);
  frame.run();
}
