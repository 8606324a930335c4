// What the address of the page keeps of a reader's table: after the #, which a browser sends to no server.

const PREFIX = 'audit.';

/** @returns {URLSearchParams} of what is after the #, if it is a table's */
function kept() {
  const entries = [...new URLSearchParams(location.hash.slice(1))];
  return new URLSearchParams(entries.filter(([key]) => key.startsWith(PREFIX)));
}

/** @param {string} key */
export function read(key) {
  return kept().get(key);
}

/**
 * Returns [name, text] of each entry prefix.name=text.
 * @param {string} prefix
 * @returns {[string, string][]}
 */
export function readAll(prefix) {
  return [...kept()].map(([key, text]) => [key.slice(prefix.length + 1), text]);
}

/**
 * Writes entries beside existing ones; null removes one.
 * @param {Record<string, Value | null>} entries
 */
export function write(entries) {
  const query = kept();
  const before = String(query);
  for (const [key, value] of Object.entries(entries)) {
    if (value === null) query.delete(key);
    else query.set(key, String(value));
  }
  const after = String(query);
  if (after === before) return; // another # than a table's stays
  history.replaceState(null, '', location.pathname + location.search + (after && `#${after}`));
}

/** Returns a link with all that is kept. */
export function address() {
  return location.href;
}

/** Calls when the reader follows a link to another table. @param {{ moved(): void }} follower */
export function follow({ moved }) {
  addEventListener('hashchange', () => {
    if (String(kept())) moved();
  });
}
