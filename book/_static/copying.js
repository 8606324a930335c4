// Buttons that copy a link to a part of the page, or the code that shows it in another page.
import { button, element } from './dom.js';

/**
 * Copies a text; returns what to say of it.
 * @param {string} text
 * @param {() => string} otherwise says what to do where the browser forbids copying
 */
export async function copyText(text, otherwise) {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied.';
  } catch {
    return otherwise();
  }
}

/**
 * Returns buttons that copy, and an element that confirms it, or shows the text if copying is forbidden.
 * @param {Record<string, () => string>} texts by the words on the buttons
 */
export function copyButtons(texts) {
  const copied = element('span', { role: 'status' });
  const copy = async (/** @type {() => string} */ text) => {
    const wanted = text();
    copied.textContent = await copyText(wanted, () => wanted);
  };
  return [...Object.entries(texts).map(([words, text]) => button(words, () => copy(text))), copied];
}

/**
 * Returns such buttons for a part of a page: its link, and its code where an embedded page shows it. A notebook has
 * no links.
 * @param {Element} section
 * @param {UrlState} urlState
 * @param {string} prefix of the section's entries
 */
export function linkButtons(section, urlState, prefix) {
  if (!urlState.address) return [];
  /** @type {Record<string, () => string>} */
  const texts = { 'Copy link': () => urlState.address?.(section, prefix) ?? '' };
  const code = urlState.embedding?.(section);
  if (code) texts['Copy embed'] = code;
  return copyButtons(texts);
}
