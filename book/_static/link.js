// What a page keeps in its address: ?rrd.graphs=45000&rrd.scheme=2q&guess.rrd.slowdown=4

const PAUSE_MS = 500; // between two writes: browsers refuse to write the address too often

const query = new URLSearchParams(location.search);
let written_ms = -Infinity;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let writing;

function write() {
  clearTimeout(writing);
  writing = undefined;
  const text = query.toString();
  const search = text ? `?${text}` : '';
  if (search === location.search) return;
  written_ms = performance.now();
  history.replaceState(null, '', location.pathname + search + location.hash);
}

function writeSoon() {
  const wait_ms = written_ms + PAUSE_MS - performance.now();
  if (wait_ms <= 0) write();
  else writing ??= setTimeout(write, wait_ms);
}

/**
 * @param {string} key
 * @param {Value | null} value
 */
function change(key, value) {
  if (value === null) query.delete(key);
  else query.set(key, String(value));
}

/**
 * Returns [name, text] of each entry prefix.name=text.
 * @param {string} prefix
 * @returns {[string, string][]}
 */
export function readEntries(prefix) {
  const entries = [...query].filter(([key]) => key.startsWith(`${prefix}.`));
  return entries.map(([key, text]) => [key.slice(prefix.length + 1), text]);
}

/** @param {string} key */
export function readEntry(key) {
  return query.get(key);
}

/**
 * Writes entries beside those that are there; those that are null are taken out.
 * @param {Record<string, Value | null>} entries
 */
export function writeEntries(entries) {
  for (const [key, value] of Object.entries(entries)) change(key, value);
  writeSoon();
}

/** @param {Element} section */
export function address(section) {
  write();
  return `${location.origin}${location.pathname}${location.search}#${section.id}`;
}

// A page left early keeps its last change in the history.
addEventListener('pagehide', () => {
  if (writing !== undefined) write();
});
