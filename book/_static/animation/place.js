// The place of an animation: its settings and its moment, as kept in an address or a notebook, and the links to it.
import { hashOf, markCurrent } from '../dom.js';
import { alike } from './compare.js';

export class Place {
  /**
   * @param {HTMLElement} section
   * @param {Animated} description
   * @param {UrlState} urlState
   * @param {string} measure of a moment: the name under which it is kept
   */
  constructor(section, description, urlState, measure) {
    this.section = section;
    this.description = description;
    this.urlState = urlState;
    this.measure = measure;
    this.key = `stage.${description.name}`;
  }

  /** The bookmark named at the end of an address. @param {string} hash */
  bookmark(hash) {
    return this.description.bookmarks.find(({ name }) => hash === `#${this.section.id}-${name}`);
  }

  /** The bookmark that a click leads to. @param {MouseEvent} event */
  clicked(event) {
    return this.bookmark(hashOf(event));
  }

  /** Return what is kept, or the bookmark of the address, or the first one.
   * @param {(kept: [string, string][]) => State} read @returns {Wanted} */
  read(read) {
    const [first] = this.description.bookmarks;
    const kept = this.urlState.readAll(this.key);
    if (!kept.length) return this.bookmark(location.hash) ?? first;
    const settings = { ...first.settings, ...read(kept) };
    const beside = this.urlState.readAll(`${this.key}.against`), other = Object.entries(read(beside));
    const against = other.length ? { ...settings, ...Object.fromEntries(other) } : null;
    return { settings, against, at: this.momentOf(kept) ?? first.at, late: this.momentOf(beside) };
  }

  /** @param {[string, string][]} kept */
  momentOf(kept) {
    const at = Number(kept.find(([name]) => name === this.measure)?.[1]);
    return Number.isFinite(at) ? at : undefined;
  }

  /** @param {State} settings @param {State | null} against @param {Moment} moment */
  write(settings, against, { at, late }) {
    const [first] = this.description.bookmarks;
    const moved = Object.entries({ ...settings, [this.measure]: at }).map(([name, value]) => {
      const usual = name === this.measure ? first.at : first.settings[name];
      return [`${this.key}.${name}`, value === usual ? null : value];
    });
    const different = Object.entries(settings).map(([name, value]) => {
      const other = against?.[name] ?? value;
      return [`${this.key}.against.${name}`, other === value ? null : other];
    });
    const rest = [`${this.key}.against.${this.measure}`, late ?? null];
    this.urlState.write(Object.fromEntries([...moved, ...different, rest]));
  }

  /** The bookmark with these settings; of several, which differ in their moment alone, the one taken last.
   * @param {State} settings @param {State | null} against @param {Bookmark} [taken] */
  at(settings, against, taken) {
    const fits = (/** @type {Bookmark} */ one) => alike(one.settings, settings) && alike(one.against, against);
    return taken && fits(taken) ? taken : this.description.bookmarks.find(fits);
  }

  /** Mark the links to a bookmark in the text, and no others. @param {Bookmark} [here] */
  mark(here) {
    const root = /** @type {ParentNode} */ (/** @type {unknown} */ (this.section.getRootNode()));
    for (const bookmark of this.description.bookmarks) {
      const links = root.querySelectorAll(`a[href="#${this.section.id}-${bookmark.name}"]:not(.step)`);
      for (const link of links) markCurrent(link, bookmark === here);
    }
  }
}
