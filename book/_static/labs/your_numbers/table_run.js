// A run of a fit to a table: its headings are found, its numbers read and counted by the worker.
import { Ended } from '../turn.js';
import { refused } from './run.js';

/** @param {import('./run.js').Run} run */
async function columnsOf(run) {
  const { refusal, line, first } = await run.read('first', {});
  if (refusal) throw new Ended(refusal);
  const found = await run.ask('places', { line, first, named: run.choices.meaning });
  if (!found.refusal) return found.columns;
  run.choices.askColumns(found.lacking, first);
  throw refused(found.refusal);
}

/** @param {import('./run.js').Run} run */
export async function runTable(run) {
  const asked = { columns: await columnsOf(run), patterns: await run.ask('patterns', {}) };
  let found = await run.read('table', asked);
  if (found.doubt) {
    const separators = await run.ask('separated', found.doubt);
    found = await run.read('table', { ...asked, separators });
  }
  if (found.refusal) throw new Ended(found.refusal);
  await run.ask('checked', found.checked);
  run.fitting();
  run.show(await run.ask('fitted', { counted: found.counted }));
  return `${found.checked.rows.toLocaleString('en')} rows. Nothing was sent.`;
}
