// The bar of a page: what its menu does, and where its contents lead.
import { hashOf, markCurrent } from '../dom.js';

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

const READ_FROM = 1 / 3; // of the window's height: a section is read once its heading is above that

/**
 * Returns the number of the section that is read, or -1 before the first. Near the page's end headings count that
 * can't come up so far.
 * @param {number[]} tops of the headings, from the window's upper edge
 * @param {number} height of the window
 * @param {number} rest of the page, below the window
 */
export function sectionRead(tops, height, rest) {
  const line = Math.max(height * READ_FROM, height - rest);
  return tops.reduce((read, top, n) => (top <= line ? n : read), -1);
}

/** Marks the section that is read, while the contents are in view. @param {HTMLElement} contents */
function followReader(contents) {
  const links = [...contents.querySelectorAll('a')], headings = links.map(({ hash }) => headingOf(hash));
  const mark = () => {
    if (!contents.getClientRects().length) return;
    const { clientHeight: height, scrollHeight: whole } = document.documentElement;
    const tops = headings.map((heading) => heading?.getClientRects()[0]?.top ?? Infinity); // some are hidden
    const read = sectionRead(tops, height, whole - height - scrollY);
    links.forEach((link, n) => markCurrent(link, n === read));
  };
  let isDue = false;
  const soon = () => {
    if (!isDue) requestAnimationFrame(() => {
      isDue = false;
      mark();
    });
    isDue = true;
  };
  for (const event of ['scroll', 'resize']) addEventListener(event, soon, { passive: true });
  contents.addEventListener('toggle', mark);
  mark();
}

/** A choice in the contents of the page closes their panel. */
function mountContents() {
  const contents = document.querySelector('#page-contents');
  if (!(contents instanceof HTMLElement)) return;
  followReader(contents);
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
