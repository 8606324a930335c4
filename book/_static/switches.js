// The switches at the top of a chapter: each opens and closes all blocks of a kind. The code, once
// shown, is shown on every page; a link may ask for it, too: ?code=shown
import { readEntry, writeEntries } from './link.js';

/** @type {Record<string, string>} */
const BLOCKS = { code: 'details.above-input', folds: 'details.fold', answers: 'details.guess-answer' };
const CODE = 'code';
const SHOWN = 'shown';

/**
 * @param {string} name
 * @returns {HTMLDetailsElement[]}
 */
function blocks(name) {
  return Array.from(document.querySelectorAll(BLOCKS[name]));
}

/**
 * @param {HTMLElement} button
 * @param {boolean} pressed
 */
function press(button, pressed) {
  button.setAttribute('aria-pressed', String(pressed));
  for (const block of blocks(button.dataset.shows ?? '')) block.open = pressed;
}

/** @param {boolean} shown */
function keepCode(shown) {
  writeEntries({ [CODE]: shown ? SHOWN : null });
  if (shown) localStorage.setItem(CODE, SHOWN);
  else localStorage.removeItem(CODE);
}

/** @param {HTMLElement} button */
function wakeSwitch(button) {
  const name = button.dataset.shows ?? '';
  button.addEventListener('click', () => {
    const pressed = button.getAttribute('aria-pressed') !== 'true';
    press(button, pressed);
    if (name === CODE) keepCode(pressed);
  });
  if (name === CODE) press(button, SHOWN === (readEntry(CODE) ?? localStorage.getItem(CODE)));
}

/** A block that its reader opens or closes is told by its switch. */
function follow() {
  for (const button of document.querySelectorAll('.page-switches button')) {
    const all = blocks(/** @type {HTMLElement} */ (button).dataset.shows ?? '');
    button.setAttribute('aria-pressed', String(all.every((block) => block.open || block.hidden)));
  }
}

export function wakeSwitches() {
  for (const button of document.querySelectorAll('.page-switches button')) {
    wakeSwitch(/** @type {HTMLElement} */ (button));
  }
  document.addEventListener('toggle', follow, true);
}
