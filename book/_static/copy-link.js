// A button that copies a link, and tells it where it may not copy.
import { button, element } from './dom.js';

/** @param {string} link */
async function copyLink(link) {
  try {
    await navigator.clipboard.writeText(link);
    return 'Copied.';
  } catch {
    return link;
  }
}

/**
 * Returns the button and the place that says what it did.
 * @param {() => string} address
 */
export function copyButton(address) {
  const copied = element('span', { role: 'status' });
  const copy = async () => {
    copied.textContent = await copyLink(address());
  };
  return [button('Copy link', copy), copied];
}
