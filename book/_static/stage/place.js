// Where a stage stands, as an address or a notebook keeps it, and the links that lead there.
import { hashOf, markCurrent } from '../dom.js';
import { alike } from './compare.js';

export class Place {
  /**
   * @param {HTMLElement} section
   * @param {Staged} description
   * @param {Entries} entries
   * @param {string} measure of a moment: the name that it is kept by
   */
  constructor(section, description, entries, measure) {
    this.section = section;
    this.description = description;
    this.entries = entries;
    this.measure = measure;
    this.key = `stage.${description.name}`;
  }

  /** The beat that an address ends with. @param {string} hash */
  beat(hash) {
    return this.description.beats.find(({ name }) => hash === `#${this.section.id}-${name}`);
  }

  /** The beat that a click leads to. @param {MouseEvent} event */
  clicked(event) {
    return this.beat(hashOf(event));
  }

  /** What is kept, or the beat of the address, or the first.
   * @param {(kept: [string, string][]) => State} read @returns {Wanted} */
  read(read) {
    const [first] = this.description.beats;
    const kept = this.entries.readEntries(this.key);
    if (!kept.length) return { ...this.beat(location.hash) ?? first, until: null };
    const settings = { ...first.settings, ...read(kept) };
    const beside = this.entries.readEntries(`${this.key}.against`), other = Object.entries(read(beside));
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
    const [first] = this.description.beats;
    const moved = Object.entries({ ...settings, [this.measure]: at }).map(([name, value]) => {
      const usual = name === this.measure ? first.at : first.settings[name];
      return [`${this.key}.${name}`, value === usual ? null : value];
    });
    const apart = Object.entries(settings).map(([name, value]) => {
      const other = against?.[name] ?? value;
      return [`${this.key}.against.${name}`, other === value ? null : other];
    });
    const rest = [`${this.key}.against.${this.measure}`, late ?? null];
    this.entries.writeEntries(Object.fromEntries([...moved, ...apart, rest]));
  }

  /** Marks the links whose settings are the stage's.
   * @param {State} settings @param {State | null} against */
  mark(settings, against) {
    const root = /** @type {ParentNode} */ (/** @type {unknown} */ (this.section.getRootNode()));
    for (const beat of this.description.beats) {
      const is = alike(beat.settings, settings) && alike(beat.against, against);
      for (const link of root.querySelectorAll(`a[href="#${this.section.id}-${beat.name}"]`)) markCurrent(link, is);
    }
  }
}
