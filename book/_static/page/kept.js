// What the browser keeps of a student's work between visits, if it keeps anything.

const PREFIX = 'tunables.hand-in';

/** @param {string} name */
function keyOf(name) {
  return name ? `${PREFIX}.${name}` : PREFIX;
}

/**
 * Returns the entries kept under a name; none if there are none, or if they are damaged.
 * @param {string} name
 * @returns {Record<string, any>}
 */
export function recall(name) {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(name)) ?? '{}');
    return kept instanceof Object ? kept : {};
  } catch {
    return {};
  }
}

/**
 * Keeps entries under a name; returns whether the browser did.
 * @param {string} name
 * @param {object} entries
 */
export function keep(name, entries) {
  try {
    const text = JSON.stringify(entries);
    localStorage.setItem(keyOf(name), text);
    return localStorage.getItem(keyOf(name)) === text;
  } catch {
    return false; // the browser blocks the data of sites, or has no room
  }
}

/** Removes all that was kept, of every chapter. */
export function forgetAll() {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, place) => localStorage.key(place) ?? '');
    const ours = keys.filter((key) => key === PREFIX || key.startsWith(`${PREFIX}.`));
    for (const key of ours) localStorage.removeItem(key);
  } catch {
    // there is nothing
  }
}
