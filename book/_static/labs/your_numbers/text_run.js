// A run of a fit to a text that is no table: the page's Python reads and counts it.
import { Ended } from '../turn.js';

/** @param {import('./run.js').Run} run */
export async function runText(run) {
  const { rows } = run.offer.wanted;
  const { refusal, text } = await run.read('text', {});
  if (refusal) throw new Ended(refusal);
  run.fitting();
  const counted = await run.ask('read', { text });
  run.show(await run.ask('fitted', { counted }));
  return `${counted.rows.length} ${rows}. Nothing was sent.`;
}
