// The text of a file, read piece by piece, and its rows as CSV. Anything but plain text is refused with a sentence.

const LARGEST_MIB = 64;
const PIECE_BYTES = 2 ** 20;

/** Why the input cannot be read, in a sentence for the reader. */
export class InputError extends Error {}

// The first bytes of files that are mistaken for a table, and what to do about each.
const NO_TEXT = [
  { bytes: [0x50, 0x4b, 3, 4], what: 'a spreadsheet or ZIP archive, not text; save the table as CSV (UTF-8)' },
  { bytes: [0x1f, 0x8b], what: 'compressed; unpack the file first' },
  { bytes: [0xff, 0xfe], what: 'UTF-16 text; save the file as UTF-8' },
  { bytes: [0xfe, 0xff], what: 'UTF-16 text; save the file as UTF-8' },
  { bytes: [0x25, 0x50, 0x44, 0x46], what: 'a PDF, not a table; save the table as CSV (UTF-8)' },
];

/** @param {Uint8Array} first bytes of the file */
function checkKind(first) {
  const found = NO_TEXT.find(({ bytes }) => bytes.every((byte, place) => first[place] === byte));
  if (found) throw new InputError(`This is ${found.what}.`);
}

/**
 * @param {TextDecoder} decoder
 * @param {Uint8Array} bytes
 * @param {boolean} stream
 */
function decode(decoder, bytes, stream) {
  try {
    return decoder.decode(bytes, { stream }).replaceAll('\ufeff', ''); // byte-order mark
  } catch {
    throw new InputError('This is not UTF-8 text, but a binary file or another encoding; save it as UTF-8.');
  }
}

/**
 * Yields [text, share of the file read so far].
 * @param {Blob} blob
 * @returns {AsyncGenerator<[string, number]>}
 */
export async function* pieces(blob) {
  if (blob.size > LARGEST_MIB * 2 ** 20) {
    const size = Math.round(blob.size / 2 ** 20);
    throw new InputError(`The file is ${size} MiB; the limit is ${LARGEST_MIB} MiB. Use a shorter time span.`);
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let start = 0; start < blob.size; start += PIECE_BYTES) {
    const end = Math.min(start + PIECE_BYTES, blob.size);
    const bytes = new Uint8Array(await blob.slice(start, end).arrayBuffer());
    if (start === 0) checkKind(bytes);
    yield [decode(decoder, bytes, end < blob.size), end / blob.size];
  }
}

/**
 * Returns the delimiter in the first line that is not blank: tab, semicolon or comma.
 * @param {string} text
 */
export function delimiterOf(text) {
  const first = text.trimStart().split(/[\r\n]/, 1)[0].trim();
  return ['\t', ';'].find((candidate) => first.includes(candidate)) ?? ',';
}

// Rows refuse what Python's csv module refuses when it is strict: tunables/core/reading.py.

const LONGEST_ROW = 2 ** 18; // characters; a line of commas alone would fill the memory with cells
const BINARY = /(?![\t\n\r\u007f-\u009f])\p{Cc}/u;
const LINE_END = /\r\n|\n|\r(?!\n|$)/; // a return at the end may be half of a line end
const GROUPED = /^[+-]?\d[\d.]*$/;
const QUOTED = /"((?:[^"]|"")*)("?)/y;

/** @param {string} cell */
function isBlank(cell) {
  return cell.trim() === '';
}

export class Rows {
  /**
   * @param {string} delimiter
   * @param {(cells: string[], line: number) => void} onRow called for each row that is not blank
   * @param {string} what the text should contain
   */
  constructor(delimiter, onRow, what = 'keys') {
    this.delimiter = delimiter;
    this.onRow = onRow;
    this.what = what;
    this.line = 0;
    this.width = 0;
    this.firstLine = 0;
    this.rest = ''; // the beginning of a line that may continue
    this.open = ''; // lines of a row whose quote is not closed yet
  }

  /**
   * @param {string} reason
   * @param {number} line
   * @returns {never}
   */
  refuse(reason, line = this.line) {
    throw new InputError(`Line ${line}: ${reason}.`);
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
    const last = this.line - (this.rest ? 0 : 1); // there is no line after the last line end
    if (this.open) this.refuse('a quote is not closed: unexpected end of data', last);
    if (!this.width) this.refuse(`there are no ${this.what} in this text`, 1);
  }

  /** @param {string} line */
  readLine(line) {
    this.line += 1;
    const row = this.open ? `${this.open}\n${line}` : line;
    if (row.length > LONGEST_ROW) {
      this.refuse(`a row of more than ${LONGEST_ROW.toLocaleString('en')} characters is not a measurement`);
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
   * @returns {string[] | null} its cells, or null if a quote is not closed
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
    this.onRow(cells, this.line);
  }

  /** @param {string[]} cells of a row that is shorter or longer than the first */
  refuseWidth(cells) {
    const split = cells.length > this.width && cells.every((cell) => GROUPED.test(cell.trim()));
    const hint = split ? '; write a number without commas, or put it in quotes' : '';
    this.refuse(`the number of columns is ${cells.length}, but line ${this.firstLine} has ${this.width}${hint}`);
  }
}

const LONGEST_MIB = 1; // of a text that is read as a whole

/** Reads a text that is not a table as a whole. @param {Blob} blob */
export async function readText(blob) {
  const tooLong = `For this fit the page takes at most ${LONGEST_MIB} MiB; use the command line for more.`;
  if (blob.size > LONGEST_MIB * 2 ** 20) throw new InputError(tooLong);
  let text = '';
  for await (const [piece] of pieces(blob)) text += piece;
  const binary = BINARY.exec(text);
  const line = text.slice(0, binary?.index).split(LINE_END).length;
  if (binary) throw new InputError(`Line ${line}: binary data, not text.`);
  return { text };
}
