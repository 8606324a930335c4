// Tells an explorer's outputs to those who listen, once the controls rest.
import { element } from './dom.js';

const REST_MS = 700; // after the last change

export class Announcer {
  /**
   * @param {HTMLElement} section
   * @param {Explored['outputs']} outputs
   */
  constructor(section, outputs) {
    this.section = section;
    this.outputs = outputs;
    this.place = element('p', { class: 'visually-hidden', role: 'status' });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
  }

  /** @param {Record<string, string>} texts of the outputs */
  announce(texts) {
    clearTimeout(this.waiting);
    if (!this.section.matches(':focus-within')) return;
    this.waiting = setTimeout(() => {
      const words = this.outputs.map(({ name, label, unit_text: unit }) => (
        `${label}: ${texts[name]}${unit}`));
      this.place.textContent = words.join('; ');
    }, REST_MS);
  }
}
