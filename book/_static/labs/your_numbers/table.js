// A table's columns as numbers in SI units, by the rules of tunables/parts/reading.py.
import { Doubts, NotPlain, plainNumber, separatedNumber } from './numbers.js';
import { Rows } from './rows.js';
import { delimiterOf, pieces } from './texts.js';

const [SMALLEST, LARGEST] = [1e-15, 1e15]; // of what is measured: tunables/plain/own/columns.py
/** @type {Record<string, (x: number, bound: number) => boolean>} where a number breaks a limit, by its kind */
const BREAKS = {
  size: (x) => Math.abs(x) > LARGEST || (Math.abs(x) < SMALLEST && x !== 0),
  above: (x, bound) => x <= bound,
  at_least: (x, bound) => x < bound,
  at_most: (x, bound) => x > bound,
  whole: (x) => x !== Math.floor(x),
};

/**
 * @typedef {[string, number, string]} Limit kind, bound, what is allowed
 * @typedef {{ name: string, heading: string, index: number, factor: number, limits: Limit[] }} Column
 * @typedef {{ rows: number, infinite?: [number, string, string], beyond?: [number, string, number, string] }} Checked
 * @typedef {{ checked?: Checked, values?: Record<string, Float64Array>, doubt?: import('./numbers.js').Doubt }} Table
 * @typedef {(share: number) => void} Tell how much of it is read
 */

class First extends Error {
  /** @param {string[]} cells @param {number} line */
  constructor(cells, line) {
    super('the first row');
    this.row = { line, first: cells.map((cell) => cell.trim()) };
  }

  /** @param {string[]} cells @param {number} line @returns {never} */
  static found(cells, line) {
    throw new First(cells, line);
  }
}

/**
 * @param {Blob} blob
 * @param {(cells: string[], line: number) => void} heard
 * @param {Tell} tell
 */
async function readRows(blob, heard, tell) {
  /** @type {Rows | undefined} */
  let rows;
  for await (const [text, share] of pieces(blob)) {
    if (!rows && share === 1 && text.trim() === '') return;
    rows ??= new Rows(delimiterOf(text), heard, 'rows');
    rows.read(text);
    tell(share);
  }
  rows?.end();
}

/**
 * The first row and its line; none where the text is empty.
 * @param {Blob} blob
 */
export async function firstRow(blob) {
  try {
    await readRows(blob, First.found, () => {});
  } catch (error) {
    if (error instanceof First) return error.row;
    throw error;
  }
  return { line: 0, first: [] };
}

/**
 * Tells each cell of the columns below the headings.
 * @param {Blob} blob
 * @param {Column[]} columns
 * @param {(cell: string, column: number, line: number) => void} heard
 * @param {Tell} tell
 */
async function readCells(blob, columns, heard, tell) {
  let begun = false;
  await readRows(blob, (cells, line) => {
    if (begun) columns.forEach(({ index }, column) => heard(cells[index].trim(), column, line));
    begun = true;
  }, tell);
}

/**
 * The first number that breaks a limit of its column.
 * @param {Column[]} columns
 * @param {number[][]} numbers in the units of the file
 * @param {number[]} lines
 * @returns {Checked['beyond']}
 */
function beyond(columns, numbers, lines) {
  const limits = columns.flatMap((column, place) => column.limits.map((limit) => ({ column, place, limit })));
  for (const { column: { heading, factor }, place, limit: [kind, bound, allowed] } of limits) {
    const row = numbers[place].findIndex((value) => BREAKS[kind](value * factor, bound));
    if (row >= 0) return [lines[row], heading, numbers[place][row], allowed];
  }
  return undefined;
}

/**
 * @param {Blob} blob
 * @param {Column[]} columns
 * @param {(cell: string) => number} numberOf
 * @param {Tell} tell
 */
async function read(blob, columns, numberOf, tell) {
  /** @type {number[]} */
  const lines = [];
  /** @type {number[][]} */
  const numbers = columns.map(() => []);
  /** @type {Checked['infinite'][]} */
  const infinite = [];
  await readCells(blob, columns, (cell, column, line) => {
    const value = numberOf(cell);
    if (column === 0) lines.push(line);
    if (!Number.isFinite(value)) infinite[column] ??= [line, columns[column].heading, cell];
    numbers[column].push(value);
  }, tell);
  const odd = infinite.find(Boolean);
  const checked = { rows: lines.length, infinite: odd, beyond: odd ? undefined : beyond(columns, numbers, lines) };
  const values = Object.fromEntries(columns.map(({ name, factor }, column) => {
    return [name, Float64Array.from(numbers[column], (value) => value * factor)];
  }));
  return { checked, values };
}

/**
 * The columns, and what the page's Python must check; or what it must decide first.
 * @param {Blob} blob
 * @param {{ columns: Column[], patterns: import('./numbers.js').Patterns, separators?: [string, string] }} asked
 * @param {Tell} tell
 * @returns {Promise<Table>}
 */
export async function readTable(blob, { columns, patterns, separators }, tell) {
  try {
    const numberOf = separators ? separatedNumber(patterns, separators) : plainNumber;
    return await read(blob, columns, numberOf, tell);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
  }
  const doubts = new Doubts(patterns, columns.map(({ heading }) => heading));
  await readCells(blob, columns, (cell, column, line) => doubts.see(cell, column, line), tell);
  return { doubt: doubts.found };
}
