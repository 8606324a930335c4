// The requests of a trace as ids, by the rules of tunables.parts.trace.read_keys.
import { Rows } from './rows.js';
import { delimiterOf, pieces, Refused } from './texts.js';

const MOST_REQUESTS = 10_000_000; // what the kernel's memory holds
const MOST_SHOWN = 12;
const NUMBER = /^[+-]?(\d[\d_]*\.?[\d_]*|\.\d[\d_]*|inf|infinity|nan)(e[+-]?\d+)?$/i;

/** The reader has to say where the keys stand. */
export class Choice extends Error {
  /** @param {string[]} columns */
  constructor(columns) {
    const names = columns.slice(0, MOST_SHOWN).join(', ');
    const more = columns.length > MOST_SHOWN ? ` and ${columns.length - MOST_SHOWN} more` : '';
    super(`The columns are ${names}${more}: choose that of the keys.`);
    this.columns = columns;
  }
}

class Keys {
  /**
   * @param {string[]} words what a column of keys is called
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
    if (this.wished !== null) return this.wishedOf(cells, this.wished);
    if (cells.length === 1) return 0;
    const known = cells.filter((cell) => this.words.includes(cell.toLowerCase()));
    if (known.length !== 1) throw new Choice(cells);
    this.named = true;
    return cells.indexOf(known[0]);
  }

  /**
   * @param {string[]} cells
   * @param {string} wished
   */
  wishedOf(cells, wished) {
    this.named = cells.includes(wished);
    if (this.named) return cells.indexOf(wished);
    if (/^\d{1,9}$/.test(wished) && Number(wished) < cells.length) return Number(wished);
    throw new Choice(cells);
  }

  /**
   * @param {string} key
   * @param {number} line
   */
  key(key, line) {
    if (key === '') throw new Refused(`Line ${line}: the key is empty.`);
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
      throw new Refused(`More than ${most} requests are too many for a page; the command line takes them.`);
    }
    if (this.length === this.ids.length) {
      const ids = new Int32Array(2 * this.length);
      ids.set(this.ids);
      this.ids = ids;
    }
    this.ids[this.length] = id;
    this.length += 1;
  }

  // Whether the first row stands over the keys.
  get hasHeading() {
    if (this.named) return true;
    if (this.words.includes(this.head.toLowerCase())) return !this.numbers.has(this.head);
    return this.length > 0 && !NUMBER.test(this.head) && this.othersAreNumbers;
  }

  end() {
    if (this.hasHeading) {
      if (!this.length) throw new Refused(`Line ${this.firstLine}: a header, but no keys below it.`);
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
 * @param {{ words: string[], column: string | null }} asked
 * @param {(share: number) => void} tell how much of it is read
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
  if (!rows) throw new Refused('The text is empty: it wants a key a line.');
  rows.end();
  return keys.end();
}
