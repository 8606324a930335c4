// A run of chapter 3's fit: a key trace, and its miss-ratio curve beside the model's.
import { Ended } from '../turn.js';
import { curve } from './curve.js';

const POINTS = 60;

/**
 * @typedef {{ half: object, distinct: number, misses: Int32Array, later: number }} Counted
 * @typedef {Counted & { requests: number, keys: number, read_ms: number, count_ms: number }} Found
 */

/** @param {import('./run.js').Run} run */
export async function runKeys(run) {
  const found = await run.read('keys', { column: run.choices.ofKeys });
  if (found.columns && !run.choices.ofKeys) run.choices.askKeys(found.columns);
  if (found.refusal) throw new Ended(found.refusal);
  return fitted(run, found);
}

/**
 * @param {import('./run.js').Run} run
 * @param {Found} found
 */
async function fitted(run, { misses, later, requests, keys, read_ms, count_ms, half, distinct }) {
  run.fitting();
  const measured = (/** @type {number[]} */ at) => at.map((room) => misses[room] / later);
  const held = await run.ask('capacities', { keys: distinct });
  const counted = { ...half, measured: measured(held).map((ratio, place) => [held[place], ratio]) };
  const report = await run.ask('fitted', { counted });
  const shares = Array.from({ length: POINTS }, (_, point) => (point + 1) / POINTS);
  const at = await run.ask('capacities', { keys: distinct, shares });
  const model = await run.ask('curve', { counted, at });
  const lines = [{ name: 'measured', misses: measured(at) }, { name: 'model', misses: model }];
  run.show({ ...report, requests, keys, read_ms, count_ms }, curve(at, lines));
  const { n, cliff } = report.result;
  const [many, different] = [requests, keys].map((number) => number.toLocaleString('en'));
  return `${many} requests for ${different} keys. Exact misses at every size of the cache: `
    + `${Math.ceil(count_ms)} ms by the chapter’s compiled kernel. Nothing was sent.`
    + (n ? run.guessed(cliff) : '');
}
