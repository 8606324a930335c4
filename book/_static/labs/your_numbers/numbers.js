// Cells of a table as numbers, by the rules of tunables/parts/numerals.py. The page's Python decides
// what is in doubt, and says what is wrong: tunables/plain/own/separators.py.

const DIGITS = String.raw`\d(?:_?\d)*`;
const PLAIN = new RegExp(String.raw`^[+-]?(?:${DIGITS}(?:\.(?:${DIGITS})?)?|\.${DIGITS})(?:e[+-]?${DIGITS})?$`, 'i');
const INFINITE = /^[+-]?(?:inf(?:inity)?|nan)$/i;
/** What a cell is that reads, or not, with a decimal point and with a comma. @type {Kind[][]} */
const KINDS = [['word', 'comma'], ['point', 'unsure']];

/**
 * @typedef {'word' | 'point' | 'comma' | 'unsure'} Kind
 * @typedef {{ spacing: string, point: string, comma: string }} Patterns
 * @typedef {[number, string]} Told line, cell
 * @typedef {{ word?: [number, string, string], point?: Told, comma?: Told, unsure?: Told }} Doubt
 */

/** Some cell is no number as programs write it: the whole file is looked at again. */
export class NotPlain extends Error {}

/** @param {string} cell */
export function plainNumber(cell) {
  if (PLAIN.test(cell)) return Number(cell.includes('_') ? cell.replaceAll('_', '') : cell);
  if (INFINITE.test(cell)) return NaN;
  throw new NotPlain();
}

/**
 * Reads the numbers of a file whose separators are decided.
 * @param {Patterns} patterns
 * @param {[string, string]} separators thousands, decimal
 */
export function separatedNumber({ spacing }, [thousands, decimal]) {
  const blanks = new RegExp(spacing, 'g');
  return (/** @type {string} */ cell) => {
    return plainNumber(cell.replace(blanks, '').replaceAll(thousands, '').replace(decimal, '.'));
  };
}

// What a file's cells leave open: for each column the first cell of each kind.
export class Doubts {
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

  /** @returns {Doubt} the first of each kind, a column after the other */
  get found() {
    return this.first.reduceRight((found, first) => ({ ...found, ...first }), {});
  }
}
