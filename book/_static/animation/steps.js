// The bookmarks of an animation as a numbered list: one open at a time, with what its picture shows. On a page of the
// book, and on a narrow one, only the open one is listed.
import { button, element } from '../dom.js';

const SIGNS = { back: 'M10 3 5 8l5 5', on: 'm6 3 5 5-5 5' };

/** @param {keyof typeof SIGNS} sign @param {string} words @param {() => void} press */
function arrow(sign, words, press) {
  const made = button('', press);
  made.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${SIGNS[sign]}"/></svg>`;
  made.setAttribute('aria-label', words);
  made.title = words;
  return made;
}

export class Steps {
  /**
   * @param {Element} section
   * @param {Bookmark[]} bookmarks
   * @param {(bookmark: Bookmark) => void} take
   */
  constructor(section, bookmarks, take) {
    this.bookmarks = bookmarks;
    this.now = -1;
    this.items = bookmarks.map(({ name, label, title }) => {
      const link = element('a', { class: 'step', href: `#${section.id}-${name}` }, label);
      const caption = element('p', { class: 'step-caption' }, title);
      return { link, caption, row: element('li', {}, link, caption) };
    });
    const go = (/** @type {1 | -1} */ way) => take(bookmarks[Math.max(0, this.now + way)]);
    this.back = arrow('back', 'Previous step', () => go(-1));
    this.on = arrow('on', 'Next step', () => go(1));
    const turn = element('span', { class: 'steps-turn' }, this.back, this.on);
    this.where = element('span', {}, 'Follow the steps');
    const head = element('div', { class: 'steps-head' }, this.where, turn);
    const list = element('ol', {}, ...this.items.map(({ row }) => row));
    const named = { id: `${section.id}-steps`, class: 'animation-steps', role: 'group', 'aria-label': 'Steps' };
    this.box = element('div', named, head, list);
  }

  /** Open a step, or none. @param {Bookmark} [here] */
  mark(here) {
    this.now = here ? this.bookmarks.indexOf(here) : -1;
    for (const [n, { link, caption, row }] of this.items.entries()) {
      const isHere = n === this.now;
      row.classList.toggle('is-here', isHere);
      caption.hidden = !isHere;
      if (isHere) link.setAttribute('aria-current', 'step');
      else link.removeAttribute('aria-current');
    }
    this.where.textContent = here ? `Step ${this.now + 1} of ${this.items.length}` : 'Follow the steps';
    this.back.disabled = this.now <= 0;
    this.on.disabled = this.now === this.items.length - 1;
  }
}
