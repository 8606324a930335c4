// What a link holds of a table: a sample's name, or a text and its file's name; and the reader's corrections.

/** @typedef {import('./result.js').Chosen} Chosen */
/** @typedef {RequestOf<'tunables.audit.session:AuditSession'>} Request */

/** @param {any} given @returns {Chosen | null} */
function readCorrections(given) {
  if (!given) return null;
  const columns = Object.entries(given.columns ?? {})
    .filter(([index, meaning]) => /^\d{1,4}$/.test(index) && typeof meaning === 'string');
  const turned = typeof given.turned === 'boolean' ? given.turned : null;
  return { columns: /** @type {Record<string, string>} */ (Object.fromEntries(columns)), turned };
}

/**
 * Reads the corrections that a link holds; those of a broken link are left out.
 * @param {string | undefined} text
 * @returns {(Chosen | null)[]}
 */
export function readChosen(text) {
  try {
    const chosen = JSON.parse(text ?? '[]');
    return Array.isArray(chosen) ? chosen.map(readCorrections) : [];
  } catch {
    return [];
  }
}

/**
 * Returns the entries of a link to a sample; null leaves one out.
 * @param {string} sample its name
 * @param {Request} request
 * @returns {Record<string, string | null>}
 */
export function entriesOf(sample, { text, name, chosen }) {
  const read = chosen.some(Boolean) ? JSON.stringify(chosen) : null;
  if (sample) return { sample, text: null, name: null, read };
  if (!text.trim()) return { sample: null, text: null, name: null, read: null };
  return { sample: null, text, name: name || null, read };
}

/** The entries of a link that holds no table. */
export const NOTHING = entriesOf('', { text: '', name: '', chosen: [] });
