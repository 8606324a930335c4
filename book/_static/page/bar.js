// The bar of a page: what its menu does, and where its contents lead.
import { hashOf } from '../dom.js';

/**
 * Binds buttons; the page's policy forbids handlers in attributes.
 * @param {string} selector
 * @param {() => unknown} press
 */
function bind(selector, press) {
  for (const each of document.querySelectorAll(selector)) each.addEventListener('click', press);
}

function turnFullScreen() {
  return document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
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
  const summary = heading.closest('summary'); // of a part that can be folded
  if (!summary) heading.tabIndex = -1;
  (summary ?? heading).focus({ preventScroll: true });
}

/** A choice in the contents of the page closes their panel. */
function mountContents() {
  const contents = document.querySelector('#page-contents');
  if (!(contents instanceof HTMLElement)) return;
  contents.addEventListener('click', (event) => {
    const hash = hashOf(event);
    if (!hash) return;
    event.preventDefault();
    if (contents.matches(':popover-open')) contents.hidePopover();
    goTo(hash);
  });
}

/** Leaves Escape to an open panel: Sphinx's scripts prevent it wherever they take it to end a search's marks. */
function keepEscape() {
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && document.querySelector(':popover-open')) event.stopPropagation();
  }, { capture: true });
}

export function mountBar() {
  bind('.fills-screen', turnFullScreen);
  bind('.prints-page', () => print());
  mountContents();
  keepEscape();
}
