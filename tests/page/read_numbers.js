// In node: what the lab Your numbers makes of tables, with the page's own Python in MicroPython.
// Standard input: {sources: {path: text}, asked: [{chapter, hex, named}, ...]}
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { firstRow, readTable } from '../../book/_static/labs/your_numbers/tables.js';
import { readText } from '../../book/_static/labs/your_numbers/text.js';
import { readInput, startPython } from './micropython.js';

/** @param {Record<string, string>} sources */
async function python(sources) {
  const engine = await startPython(sources);
  const page = engine.pyimport('tunables.page.labs.your_numbers').LabSession('{}');
  return (name, given) => {
    const { answer, refusal } = JSON.parse(page.reply(JSON.stringify({ function: name, arguments: given })));
    if (refusal) throw new Error(refusal);
    return answer;
  };
}

const KINDS = { table: countTable, text: countText };
const { sources, asked } = await readInput();
const ask = await python(sources);
const offers = Object.fromEntries(ask('list_fits', {}).map((offer) => [offer.chapter, offer]));
const patterns = ask('patterns', {});

async function countTable(chapter, blob, named) {
  const { line, first } = await firstRow(blob);
  const { columns, refusal, lacking } = ask('places', { chapter, line, first, named });
  if (refusal) throw Object.assign(new Error(refusal), { lacking });
  let found = await readTable(blob, { columns, patterns }, () => {});
  if (found.doubt) {
    const separators = ask('find_separators', found.doubt);
    found = await readTable(blob, { columns, patterns, separators }, () => {});
  }
  ask('check_numbers', { chapter, ...found.checked });
  const { count } = await import(`../../book/_static/labs/your_numbers/chapters/${chapter}.js`);
  if (count) return count(found.values, offers[chapter].wanted);
  return Object.fromEntries(Object.entries(found.values).map(([name, values]) => [name, [...values]]));
}

async function countText(chapter, blob) {
  return ask('read', { chapter, ...await readText(blob) });
}

async function answerOne({ chapter, hex, named = {} }) {
  try {
    const blob = new Blob([Buffer.from(hex, 'hex')]);
    const counted = await (KINDS[offers[chapter].wanted.kind])(chapter, blob, named);
    const report = ask('finish_fit', { chapter, counted });
    return { counted, report, linked: ask('link_result', { result: JSON.parse(JSON.stringify(report.result)) }) };
  } catch (error) {
    return { refused: error.message, lacking: error.lacking ?? null };
  }
}

const answers = [];
for (const each of asked) answers.push(await answerOne(each));
process.stdout.write(JSON.stringify(answers));
