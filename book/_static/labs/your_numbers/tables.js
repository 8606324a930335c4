// A reader's table as numbers, and a reader's trace as ids of keys.
import { delimiterOf, InputError, pieces, Rows } from './text.js';

// Cells as numbers, by the rules of tunables/core/reading.py. The page's Python decides what is in doubt, and says
// what is wrong: tunables/base/user_data/columns.py.

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const INFINITE = /^[+-]?(?:inf(?:inity)?|nan)$/i;
/** The kind of a cell, by whether it reads with a decimal point, and with a decimal comma. @type {Kind[][]} */
const KINDS = [['word', 'comma'], ['point', 'unsure']];

/**
 * @typedef {'word' | 'point' | 'comma' | 'unsure'} Kind
 * @typedef {{ spacing: string, point: string, comma: string }} Patterns
 * @typedef {[number, string]} CellPlace line, cell
 * @typedef {{ word?: [number, string, string], point?: CellPlace, comma?: CellPlace, unsure?: CellPlace }} Doubt
 */

/** A cell is not a number as programs write it, so the whole file has to be checked. */
class NotPlain extends Error {}

/** @param {string} cell */
function plainNumber(cell) {
  if (PLAIN.test(cell)) return Number(cell);
  if (INFINITE.test(cell)) return NaN;
  throw new NotPlain();
}

/**
 * Returns a function that reads numbers with known separators.
 * @param {Patterns} patterns
 * @param {[string, string]} separators thousands, decimal
 */
function numberWithSeparators({ spacing }, [thousands, decimal]) {
  const blanks = new RegExp(spacing, 'g');
  return (/** @type {string} */ cell) => {
    return plainNumber(cell.replace(blanks, '').replaceAll(thousands, '').replace(decimal, '.'));
  };
}

// The doubts about a file's separators: for each column the first cell of each kind.
class Doubts {
  /**
   * @param {Patterns} patterns
   * @param {string[]} headings of the columns
   */
  constructor({ spacing, point, comma }, headings) {
    this.blanks = new RegExp(spacing, 'g');
    this.point = new RegExp(`^(?:${point})$`);
    this.comma = new RegExp(`^(?:${comma})$`);
    /** @type {Doubt[]} */
    this.first = headings.map(() => ({}));
    this.headings = headings;
  }

  /**
   * @param {string} raw
   * @param {number} column
   * @param {number} line
   */
  see(raw, column, line) {
    const cell = raw.replace(this.blanks, '');
    const first = this.first[column];
    const kind = KINDS[Number(this.point.test(cell))][Number(this.comma.test(cell))];
    if (kind === 'word') first.word ??= [line, this.headings[column], cell];
    else if (kind !== 'unsure' || cell.includes(',')) first[kind] ??= [line, cell];
  }

  /** @returns {Doubt} the first cell of each kind, column by column */
  get found() {
    return this.first.reduceRight((found, first) => ({ ...found, ...first }), {});
  }
}

// The columns in SI units, by the rules of tunables/core/reading.py.

const [SMALLEST, LARGEST] = [1e-15, 1e15]; // limits of measured values: tunables/base/user_data/columns.py
/** @type {Record<string, (x: number, bound: number) => boolean>} whether a number breaks a limit, by its kind */
const BREAKS = {
  size: (x) => Math.abs(x) > LARGEST || (Math.abs(x) < SMALLEST && x !== 0),
  above: (x, bound) => x <= bound,
  at_least: (x, bound) => x < bound,
  at_most: (x, bound) => x > bound,
  integer: (x) => x !== Math.floor(x),
};

/**
 * @typedef {[string, number, string]} Limit kind, bound, what is allowed
 * @typedef {{ name: string, heading: string, index: number, factor: number, limits: Limit[] }} Column
 * @typedef {{ rows: number, infinite?: [number, string, string], beyond?: [number, string, number, string] }} Checked
 * @typedef {{ checked?: Checked, values?: Record<string, Float64Array>, doubt?: Doubt }} Table
 * @typedef {(share: number) => void} Tell called with the share of the file that is read
 */

class FirstRow extends Error {
  /** @param {string[]} cells @param {number} line */
  constructor(cells, line) {
    super('the first row');
    this.row = { line, first: cells.map((cell) => cell.trim()) };
  }

  /** @param {string[]} cells @param {number} line @returns {never} */
  static leave(cells, line) {
    throw new FirstRow(cells, line);
  }
}

/**
 * @param {Blob} blob
 * @param {(cells: string[], line: number) => void} onCell
 * @param {Tell} tell
 */
async function readRows(blob, onCell, tell) {
  /** @type {Rows | undefined} */
  let rows;
  for await (const [text, share] of pieces(blob)) {
    if (!rows && share === 1 && text.trim() === '') return;
    rows ??= new Rows(delimiterOf(text), onCell, 'rows');
    rows.read(text);
    tell(share);
  }
  rows?.end();
}

/**
 * Returns the first row and its line; no row if the text is empty.
 * @param {Blob} blob
 */
export async function firstRow(blob) {
  try {
    await readRows(blob, FirstRow.leave, () => {});
  } catch (error) {
    if (error instanceof FirstRow) return error.row;
    throw error;
  }
  return { line: 0, first: [] };
}

/**
 * Calls back for each cell of the columns below the headings.
 * @param {Blob} blob
 * @param {Column[]} columns
 * @param {(cell: string, column: number, line: number) => void} onCell
 * @param {Tell} tell
 */
async function readCells(blob, columns, onCell, tell) {
  let begun = false;
  await readRows(blob, (cells, line) => {
    if (begun) columns.forEach(({ index }, column) => onCell(cells[index].trim(), column, line));
    begun = true;
  }, tell);
}

/**
 * Returns the first number that breaks a limit of its column.
 * @param {Column[]} columns
 * @param {number[][]} numbers in the units of the file
 * @param {number[]} lines
 * @returns {Checked['beyond']}
 */
function firstBeyondLimit(columns, numbers, lines) {
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
  const outside = odd ? undefined : firstBeyondLimit(columns, numbers, lines);
  const checked = { rows: lines.length, infinite: odd, beyond: outside };
  const values = Object.fromEntries(columns.map(({ name, factor }, column) => {
    return [name, Float64Array.from(numbers[column], (value) => value * factor)];
  }));
  return { checked, values };
}

/**
 * Reads the columns, and what the page's Python must check; or the doubts that it must settle first.
 * @param {Blob} blob
 * @param {{ columns: Column[], patterns: Patterns, separators?: [string, string] }} request
 * @param {Tell} tell
 * @returns {Promise<Table>}
 */
export async function readTable(blob, { columns, patterns, separators }, tell) {
  try {
    const numberOf = separators ? numberWithSeparators(patterns, separators) : plainNumber;
    return await read(blob, columns, numberOf, tell);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
  }
  const doubts = new Doubts(patterns, columns.map(({ heading }) => heading));
  await readCells(blob, columns, (cell, column, line) => doubts.see(cell, column, line), tell);
  return { doubt: doubts.found };
}

// The requests of a trace as ids, by the rules of tunables.core.trace.read_keys.

const MOST_REQUESTS = 10_000_000; // as many as the kernel's memory can hold
const MOST_SHOWN = 12;
const NUMBER = /^[+-]?(\d[\d_]*\.?[\d_]*|\.\d[\d_]*|inf|infinity|nan)(e[+-]?\d+)?$/i;

/** The reader must say which column has the keys. */
export class UnknownColumn extends Error {
  /** @param {string[]} columns */
  constructor(columns) {
    const names = columns.slice(0, MOST_SHOWN).join(', ');
    const more = columns.length > MOST_SHOWN ? ` and ${columns.length - MOST_SHOWN} more` : '';
    super(`The columns are ${names}${more}: choose the one that holds the keys.`);
    this.columns = columns;
  }
}

class Keys {
  /**
   * @param {string[]} words usual names of a column of keys
   * @param {string | null} wished a heading, or the number of a column from 0
   */
  constructor(words, wished) {
    this.words = words;
    this.wished = wished;
    /** @type {Map<string, number>} */
    this.numbers = new Map();
    this.ids = new Int32Array(2 ** 16);
    this.length = 0;
    this.head = '';
    this.firstLine = 1;
    this.column = -1;
    this.named = false;
    this.othersAreNumbers = true;
  }

  /**
   * @param {string[]} cells of a row
   * @param {number} line
   */
  row(cells, line) {
    if (this.column >= 0) return this.key(cells[this.column].trim(), line);
    const first = cells.map((cell) => cell.trim());
    this.column = this.columnOf(first);
    this.head = first[this.column];
    this.firstLine = line;
  }

  /** @param {string[]} cells */
  columnOf(cells) {
    if (this.wished !== null) return this.wishIn(cells, this.wished);
    if (cells.length === 1) return 0;
    const known = cells.filter((cell) => this.words.includes(cell.toLowerCase()));
    if (known.length !== 1) throw new UnknownColumn(cells);
    this.named = true;
    return cells.indexOf(known[0]);
  }

  /**
   * @param {string[]} cells
   * @param {string} wished
   */
  wishIn(cells, wished) {
    this.named = cells.includes(wished);
    if (this.named) return cells.indexOf(wished);
    if (/^\d{1,9}$/.test(wished) && Number(wished) < cells.length) return Number(wished);
    throw new UnknownColumn(cells);
  }

  /**
   * @param {string} key
   * @param {number} line
   */
  key(key, line) {
    if (key === '') throw new InputError(`Line ${line}: the key is empty.`);
    let id = this.numbers.get(key);
    if (id === undefined) {
      id = this.numbers.size;
      this.numbers.set(key, id);
      this.othersAreNumbers &&= NUMBER.test(key);
    }
    this.add(id);
  }

  /** @param {number} id */
  add(id) {
    if (this.length === MOST_REQUESTS) {
      const most = MOST_REQUESTS.toLocaleString('en');
      throw new InputError(`The page takes at most ${most} requests; use the command line for more.`);
    }
    if (this.length === this.ids.length) {
      const ids = new Int32Array(2 * this.length);
      ids.set(this.ids);
      this.ids = ids;
    }
    this.ids[this.length] = id;
    this.length += 1;
  }

  // Whether the first row is a heading.
  get hasHeading() {
    if (this.named) return true;
    if (this.words.includes(this.head.toLowerCase())) return !this.numbers.has(this.head);
    return this.length > 0 && !NUMBER.test(this.head) && this.othersAreNumbers;
  }

  end() {
    if (this.hasHeading) {
      if (!this.length) throw new InputError(`Line ${this.firstLine}: a header, but no keys below it.`);
      return { ids: this.ids.slice(0, this.length), keys: this.numbers.size };
    }
    const later = this.ids.subarray(0, this.length);
    const ids = new Int32Array(this.length + 1);
    this.key(this.head, this.firstLine);
    ids[0] = this.ids[this.length - 1];
    ids.set(later, 1);
    return { ids, keys: this.numbers.size };
  }
}

/**
 * @param {Blob} blob
 * @param {{ words: string[], column: string | null }} request
 * @param {Tell} tell
 */
export async function readKeys(blob, { words, column }, tell) {
  const keys = new Keys(words, column);
  /** @type {Rows | undefined} */
  let rows;
  for await (const [text, share] of pieces(blob)) {
    rows ??= new Rows(delimiterOf(text), (cells, line) => keys.row(cells, line));
    rows.read(text);
    tell(share);
  }
  if (!rows) throw new InputError('The text is empty. Write one key per line.');
  rows.end();
  return keys.end();
}
