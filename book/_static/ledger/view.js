// Which lines of the ledger are shown, in what order, and as CSV.

/**
 * The reader's choices: filters, and the field to sort by ("-error": the greatest first).
 * @typedef {'status' | 'chapter' | 'text' | 'sort'} Choice
 * @typedef {Record<Choice, string>} View
 */

/**
 * A line of the ledger: its record, and its words in lower case.
 * @typedef {{ record: LedgerRecord, text: string }} Line
 */

/** @type {View} */
export const USUAL = { status: 'all', chapter: 'all', text: '', sort: '' };

/**
 * Returns the next order: up, then down, then that of the documents. Errors are sorted by size, the worst first.
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
function hasStatus(record, status) {
  if (status === 'all') return true;
  return status === 'misfits' ? record.agrees === false : record.status === status;
}

/**
 * @param {Line} line
 * @param {View} view
 */
function matches({ record, text }, { status, chapter, text: words }) {
  return hasStatus(record, status)
    && (chapter === 'all' || String(record.chapter) === chapter)
    && text.includes(words.toLowerCase());
}

/**
 * @param {LedgerRecord} record
 * @param {string} key
 */
function sortValue(record, key) {
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
 * Returns the lines that a view selects, in its order. Lines without a value come last in either direction.
 * @template {Line} T
 * @param {T[]} lines
 * @param {View} view
 */
export function selectLines(lines, view) {
  const kept = lines.filter((line) => matches(line, view));
  if (!view.sort) return kept;
  const way = view.sort.startsWith('-') ? -1 : 1;
  const key = view.sort.replace('-', '');
  const valued = kept.map((line) => ({ line, value: sortValue(line.record, key) }));
  const full = valued.filter(({ value }) => value !== null);
  const empty = valued.filter(({ value }) => value === null);
  full.sort((a, b) => way * compare(a.value, b.value));
  return [...full, ...empty].map(({ line }) => line);
}

// CSV as Python's csv module writes it: lines end with CR LF (RFC 4180).

/** @param {LedgerRecord[string]} value */
function cell(value) {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * @param {LedgerRecord[]} records
 * @param {string[]} fields
 */
export function toCsv(records, fields) {
  return [fields, ...records.map((record) => fields.map((field) => record[field]))]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}
