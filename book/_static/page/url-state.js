// The state that a page keeps in its URL: ?rrd.graphs=45000&rrd.scheme=2q&guess.rrd.slowdown=4

const PAUSE_MS = 500; // between two writes, because browsers refuse frequent ones

const query = new URLSearchParams(location.search);
let written_ms = -Infinity;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let writing;

function replaceUrl() {
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
  if (wait_ms <= 0) replaceUrl();
  else writing ??= setTimeout(replaceUrl, wait_ms);
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
export function readAll(prefix) {
  const entries = [...query].filter(([key]) => key.startsWith(`${prefix}.`));
  return entries.map(([key, text]) => [key.slice(prefix.length + 1), text]);
}

/** @param {string} key */
export function read(key) {
  return query.get(key);
}

/**
 * Writes entries beside existing ones; null removes one.
 * @param {Record<string, Value | null>} entries
 */
export function write(entries) {
  for (const [key, value] of Object.entries(entries)) change(key, value);
  writeSoon();
}

/**
 * Returns the address of a page, as seen from this one, with all that is kept.
 * @param {string} page
 * @param {URLSearchParams} kept
 */
function pageAddress(page, kept) {
  const found = new URL(page, location.href);
  found.search = kept.toString();
  return found;
}

/**
 * Returns a link to a section with what is kept for it, and nothing of the other parts of the page: whoever gets the
 * link must not find a guess answered. From an embedded page it leads to the chapter. An animation at a step of its own
 * has the page of that step, if there is one, which leads to the step and shows its picture where it is shared.
 * @param {Element} section
 * @param {string} prefix of the section's entries
 */
export function address(section, prefix) {
  const { chapter, share, step } = /** @type {HTMLElement} */ (section).dataset;
  const kept = new URLSearchParams([...query].filter(([key]) => key.startsWith(`${prefix}.`)));
  if (share && step) return pageAddress(`${share}${step}.html`, kept).href;
  const found = pageAddress(chapter ?? location.pathname, kept);
  found.hash = section.id;
  return found.href;
}

const FRAME = 'width="100%" height="800" loading="lazy" allow="clipboard-write" style="border: 0"';

/** @param {string} text */
function quote(text) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/**
 * Returns a function for the code that shows a section in a page of the reader's own, at the settings that are kept;
 * none if no embedded page shows it, or if the book was opened from disk. The code leaves out the reader's guesses.
 * @param {Element} section
 */
export function embedding(section) {
  const { embed } = /** @type {HTMLElement} */ (section).dataset;
  if (!embed || location.protocol === 'file:') return null;
  return () => {
    const kept = new URLSearchParams([...query].filter(([key]) => !key.startsWith('guess.')));
    const { href } = pageAddress(embed, kept);
    return `<iframe src="${quote(href)}" title="${quote(document.title)}" ${FRAME}></iframe>`;
  };
}

// A page left early keeps its last change in the history.
addEventListener('pagehide', () => {
  if (writing !== undefined) replaceUrl();
});
