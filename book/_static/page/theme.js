// Fixes what the theme leaves unclear to readers who use a screen reader, or out of reach.
import { button, hashOf } from '../dom.js';

/**
 * Binds buttons. The theme's own handlers were in attributes, which the page's policy forbids.
 * @param {string} selector
 * @param {() => unknown} press
 */
function bind(selector, press) {
  for (const each of document.querySelectorAll(selector)) each.addEventListener('click', press);
}

export function fixTheme() {
  bind('.btn-fullscreen-button', () => toggleFullScreen());
  bind('.btn-download-pdf-button', () => print());
  for (const each of document.querySelectorAll('.search-button__button')) {
    // A visible text says more than the label.
    if (each.textContent?.trim()) each.removeAttribute('aria-label');
  }
  for (const each of document.querySelectorAll('.theme-switch-button')) {
    each.setAttribute('aria-label', 'Colours: light, dark or as the system has them');
  }
  const sidebar = document.querySelector('#pst-primary-sidebar');
  sidebar?.setAttribute('role', 'complementary');
  sidebar?.setAttribute('aria-label', 'Book');
  mountContents();
}

// The contents of a page in narrow windows, and of a chapter in all: a panel at the side of the window. The theme
// moves the page while the panel opens, and leaves it open after a choice.

const LABEL = 'Contents of this page';

/** Moves the content of an element to another, and its classes, which the theme's styles need.
 * @param {Element} from @param {Element} to */
function move(from, to) {
  to.append(...from.childNodes);
  for (const name of [...from.classList]) {
    from.classList.remove(name);
    to.classList.add(name);
  }
}

/** Returns the heading of what a hash names. @param {string} hash */
function headingOf(hash) {
  const target = document.getElementById(decodeURIComponent(hash.slice(1)));
  return target?.querySelector('h1, h2, h3, h4, h5, h6') ?? target;
}

/** Goes to a heading and focuses it, so that the keyboard continues from there. @param {string} hash */
function goTo(hash) {
  const heading = headingOf(hash);
  if (location.hash === hash) heading?.scrollIntoView();
  else location.hash = hash;
  if (!(heading instanceof HTMLElement)) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

class Contents {
  /** @param {HTMLDialogElement} dialog @param {HTMLElement} sidebar */
  constructor(dialog, sidebar) {
    this.dialog = dialog;
    this.sidebar = sidebar;
    /** @type {HTMLElement | null} */
    this.opener = null;
    this.target = '';
    const close = button('Close', () => dialog.close());
    close.className = 'contents-close';
    sidebar.prepend(close);
    dialog.setAttribute('aria-label', LABEL);
    dialog.addEventListener('click', (event) => this.choose(event));
    dialog.addEventListener('close', () => this.finish());
  }

  /** @param {HTMLElement} opener */
  open(opener) {
    this.opener = opener;
    this.target = '';
    move(this.sidebar, this.dialog);
    this.dialog.showModal();
  }

  /** @param {MouseEvent} event */
  choose(event) {
    const hash = hashOf(event);
    if (!hash) return;
    event.preventDefault();
    this.target = hash;
    this.dialog.close();
  }

  // The theme may have moved the content back already.
  finish() {
    if (this.dialog.childNodes.length) move(this.dialog, this.sidebar);
    if (this.target) goTo(this.target);
    else this.opener?.focus({ preventScroll: true });
  }
}

/** The theme's own button, the first, is never shown. */
function mountContents() {
  const dialog = document.querySelector('#pst-secondary-sidebar-modal');
  const sidebar = document.querySelector('#pst-secondary-sidebar');
  const [, ...buttons] = document.querySelectorAll('button.secondary-toggle');
  if (!(dialog instanceof HTMLDialogElement) || !(sidebar instanceof HTMLElement)) return;
  const contents = new Contents(dialog, sidebar);
  for (const each of /** @type {HTMLElement[]} */ (buttons)) {
    each.setAttribute('aria-label', LABEL);
    each.setAttribute('data-bs-original-title', LABEL);
    each.addEventListener('click', () => contents.open(each));
  }
}
