// Which of the ledger's lines are shown, and in what order.

/**
 * What the reader chose: filters, and the field to sort by ("-error": the greatest first).
 * @typedef {'status' | 'chapter' | 'text' | 'sort'} Choice
 * @typedef {Record<Choice, string>} View
 */

/**
 * A number of the ledger: its record, and its words in small letters.
 * @typedef {{ record: LedgerRecord, text: string }} Line
 */

/** @type {View} */
export const USUAL = { status: 'all', chapter: 'all', text: '', sort: '' };

/**
 * Up, then down, then back to the order of the documents; an error by its size, the worst first.
 * @param {string} sort
 * @param {string} key
 */
export function nextSort(sort, key) {
  const [first, second] = key === 'error' ? [`-${key}`, key] : [key, `-${key}`];
  if (sort === first) return second;
  return sort === second ? '' : first;
}

/**
 * @param {LedgerRecord} record
 * @param {string} status
 */
function isOf(record, status) {
  if (status === 'all') return true;
  return status === 'misfits' ? record.agrees === false : record.status === status;
}

/**
 * @param {Line} line
 * @param {View} view
 */
function keeps({ record, text }, { status, chapter, text: words }) {
  return isOf(record, status)
    && (chapter === 'all' || String(record.chapter) === chapter)
    && text.includes(words.toLowerCase());
}

/**
 * @param {LedgerRecord} record
 * @param {string} key
 */
function sortedBy(record, key) {
  const value = record[key] ?? null;
  return key === 'error' && value !== null ? Math.abs(Number(value)) : value;
}

/**
 * @param {LedgerRecord[string]} a
 * @param {LedgerRecord[string]} b
 */
function compare(a, b) {
  if (typeof a === 'string') return a.localeCompare(String(b), 'en', { numeric: true });
  return Number(a) - Number(b);
}

/**
 * The lines that a view keeps, in its order; those without a value stand last, either way.
 * @template {Line} T
 * @param {T[]} lines
 * @param {View} view
 */
export function shownLines(lines, view) {
  const kept = lines.filter((line) => keeps(line, view));
  if (!view.sort) return kept;
  const way = view.sort.startsWith('-') ? -1 : 1;
  const key = view.sort.replace('-', '');
  const valued = kept.map((line) => ({ line, value: sortedBy(line.record, key) }));
  const full = valued.filter(({ value }) => value !== null);
  const empty = valued.filter(({ value }) => value === null);
  full.sort((a, b) => way * compare(a.value, b.value));
  return [...full, ...empty].map(({ line }) => line);
}
