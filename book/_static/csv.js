// Records as CSV, as Python's csv module writes them: lines ended by CR LF (RFC 4180).

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
