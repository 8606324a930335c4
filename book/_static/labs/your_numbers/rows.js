// Rows of a CSV, as its text comes. What Python's csv refuses (strict), this does:
// tunables/parts/text.py.
import { Refused } from './texts.js';

const LONGEST_ROW = 2 ** 18; // characters; a line of commas alone would fill the memory with cells
export const BINARY = /(?![\t\n\r\u007f-\u009f])\p{Cc}/u;
export const LINE_END = /\r\n|\n|\r(?!\n|$)/; // a return at the end may be half of one
const GROUPED = /^[+-]?\d[\d.]*$/;
const QUOTED = /"((?:[^"]|"")*)("?)/y;

/** @param {string} cell */
function isBlank(cell) {
  return cell.trim() === '';
}

export class Rows {
  /**
   * @param {string} delimiter
   * @param {(cells: string[], line: number) => void} heard is told each row that is not blank
   * @param {string} what there is in the text
   */
  constructor(delimiter, heard, what = 'keys') {
    this.delimiter = delimiter;
    this.heard = heard;
    this.what = what;
    this.line = 0;
    this.width = 0;
    this.firstLine = 0;
    this.rest = ''; // of a line, of which more may come
    this.open = ''; // lines of a row with a quote that is not closed yet
  }

  /**
   * @param {string} reason
   * @param {number} line
   * @returns {never}
   */
  refuse(reason, line = this.line) {
    throw new Refused(`Line ${line}: ${reason}.`);
  }

  /** @param {string} text the next piece */
  read(text) {
    const lines = (this.rest + text).split(LINE_END);
    const binary = BINARY.test(text) ? lines.findIndex((line) => BINARY.test(line)) : -1;
    if (binary >= 0) this.refuse('binary data, not text', this.line + binary + 1);
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.readLine(line);
    if (this.rest.length > LONGEST_ROW) this.readLine(this.rest);
  }

  end() {
    this.readLine(this.rest.replace(/\r$/, ''));
    const last = this.line - (this.rest ? 0 : 1); // nothing after the last end of a line is no line
    if (this.open) this.refuse('a quote is not closed: unexpected end of data', last);
    if (!this.width) this.refuse(`there are no ${this.what} in this text`, 1);
  }

  /** @param {string} line */
  readLine(line) {
    this.line += 1;
    const row = this.open ? `${this.open}\n${line}` : line;
    if (row.length > LONGEST_ROW) {
      this.refuse(`a row of more than ${LONGEST_ROW.toLocaleString('en')} characters is no measurement`);
    }
    if (this.open && !line.includes('"')) {
      this.open = row;
      return;
    }
    const cells = row.includes('"') ? this.withQuotes(row) : row.split(this.delimiter);
    this.open = cells ? '' : row;
    if (cells) this.tell(cells);
  }

  /**
   * @param {string} row
   * @returns {string[] | null} its cells, or nothing where a quote is not closed
   */
  withQuotes(row) {
    /** @type {string[]} */
    const cells = [];
    for (let at = 0; at <= row.length;) {
      const end = row[at] === '"' ? this.afterQuotes(row, at, cells) : this.afterPlain(row, at, cells);
      if (end < 0) return null;
      at = end + 1;
    }
    return cells;
  }

  /**
   * @param {string} row
   * @param {number} at
   * @param {string[]} cells
   */
  afterPlain(row, at, cells) {
    const found = row.indexOf(this.delimiter, at);
    const end = found < 0 ? row.length : found;
    cells.push(row.slice(at, end));
    return end;
  }

  /**
   * @param {string} row
   * @param {number} at
   * @param {string[]} cells
   */
  afterQuotes(row, at, cells) {
    QUOTED.lastIndex = at;
    const [all, held, close] = QUOTED.exec(row) ?? ['', '', ''];
    const end = at + all.length;
    if (!close) return -1;
    if (end < row.length && row[end] !== this.delimiter) this.refuse(`'${this.delimiter}' expected after '"'`);
    cells.push(held.replaceAll('""', '"'));
    return end;
  }

  /** @param {string[]} cells */
  tell(cells) {
    if (isBlank(cells[0]) && cells.every(isBlank)) return;
    if (!this.width) {
      this.width = cells.length;
      this.firstLine = this.line;
    }
    if (cells.length !== this.width) this.refuseWidth(cells);
    this.heard(cells, this.line);
  }

  /** @param {string[]} cells of a row that is shorter or longer than the first */
  refuseWidth(cells) {
    const split = cells.length > this.width && cells.every((cell) => GROUPED.test(cell.trim()));
    const hint = split ? '; a number with commas in it must stand in quotes, or better without them' : '';
    this.refuse(`the columns are ${cells.length}, but ${this.width} in line ${this.firstLine}${hint}`);
  }
}
