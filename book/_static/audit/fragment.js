// What the address of the page keeps of a reader's table: #audit?text=...; a browser sends nothing after # to a server.
import { find } from '../dom.js';

const PLACE = '#audit?';

/** @returns {URLSearchParams} of what is after the #, if it is a table's */
function kept() {
  return new URLSearchParams(location.hash.startsWith(PLACE) ? location.hash.slice(PLACE.length) : '');
}

/** @param {string} key such as "audit.text" */
function nameOf(key) {
  return key.slice(key.indexOf('.') + 1);
}

/** @param {string} key */
export function read(key) {
  return kept().get(nameOf(key));
}

/** Returns [name, text] of each entry. @returns {[string, string][]} */
export function readAll() {
  return [...kept()];
}

/**
 * Writes entries beside existing ones; null removes one.
 * @param {Record<string, Value | null>} entries
 */
export function write(entries) {
  const query = kept();
  const before = String(query);
  for (const [key, value] of Object.entries(entries)) {
    if (value === null) query.delete(nameOf(key));
    else query.set(nameOf(key), String(value));
  }
  const after = String(query);
  if (after === before) return; // another # than a table's stays
  history.replaceState(null, '', location.pathname + location.search + (after && PLACE + after));
}

/** Returns a link with all that is kept. */
export function address() {
  return location.href;
}

/** Calls when the reader follows a link to another table. @param {{ moved(): void }} follower */
export function follow({ moved }) {
  addEventListener('hashchange', () => {
    if (!String(kept())) return;
    moved();
    find(document, PLACE.slice(0, -1)).scrollIntoView();
  });
}
