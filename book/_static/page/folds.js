// The folded blocks of a page: the switches in its menu, and links that lead into a block.
import { hashOf, linkTarget } from '../dom.js';
import * as urlState from './url-state.js';

// A link to a place within a folded block, or to a part of a chapter that is folded itself, opens the block; not every
// browser does so by itself.

const CLOSED = 'details:not([open])';

// What the page's URL names; for an empty label in front of a part, the part.
function named() {
  const target = linkTarget();
  return target?.matches('span:empty') ? target.parentElement : target;
}

function open() {
  const target = named();
  if (!target) return;
  const closed = [...target.querySelectorAll(`:scope > ${CLOSED}.part`)];
  for (let box = target.closest(CLOSED); box; box = box.parentElement?.closest(CLOSED) ?? null) closed.push(box);
  for (const each of closed) each.setAttribute('open', '');
  if (closed.length) target.scrollIntoView();
}

export function openLinkTargets() {
  addEventListener('hashchange', open);
  // A link to where the page already is changes no hash.
  document.addEventListener('click', (event) => {
    if (location.hash && hashOf(event) === location.hash) open();
  });
  open();
}

// Each switch opens and closes all blocks of a kind. Code, once shown, is shown on every page; a link may ask for it
// too: ?code=shown

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

/** Returns what the browser keeps for all pages; null if it blocks the data of sites. */
function readCode() {
  try {
    return localStorage.getItem(CODE);
  } catch {
    return null;
  }
}

/** @param {boolean} shown */
function keepCode(shown) {
  urlState.write({ [CODE]: shown ? SHOWN : null });
  try {
    if (shown) localStorage.setItem(CODE, SHOWN);
    else localStorage.removeItem(CODE);
  } catch {
    // The browser blocks the data of sites, so only the page's URL keeps it.
  }
}

/** @param {HTMLElement} button */
function mountSwitch(button) {
  const name = button.dataset.shows ?? '';
  button.addEventListener('click', () => {
    const pressed = button.getAttribute('aria-pressed') !== 'true';
    press(button, pressed);
    if (name === CODE) keepCode(pressed);
  });
  if (name === CODE) press(button, SHOWN === (urlState.read(CODE) ?? readCode()));
}

/** Updates the switches when a reader opens or closes a block. */
function follow() {
  for (const button of document.querySelectorAll('.page-switches button')) {
    const all = blocks(/** @type {HTMLElement} */ (button).dataset.shows ?? '');
    button.setAttribute('aria-pressed', String(all.every((block) => block.open || block.hidden)));
  }
}

export function mountSwitches() {
  for (const button of document.querySelectorAll('.page-switches button')) {
    mountSwitch(/** @type {HTMLElement} */ (button));
  }
  document.addEventListener('toggle', follow, true);
}
