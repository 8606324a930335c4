// The numbers of an explorer, in its tables and for screen readers.
import { button, element, find } from '../dom.js';
import { isAt } from './state.js';

/** The outputs, and the published numbers beside the model's; pressing a published number sets its conditions. */
export class Readout {
  /**
   * @param {HTMLElement} section
   * @param {ExplorerDescription} description
   * @param {(settings: State) => void} set
   */
  constructor(section, { rows }, set) {
    this.section = section;
    this.published = rows;
    this.rows = [...section.querySelectorAll('[data-cell="model"]')].flatMap((cell) => cell.closest('tr') ?? []);
    this.rows.forEach((row, index) => {
      if (!rows[index].output) return;
      const label = find(row, '.row-label');
      label.replaceChildren(button(label.textContent ?? '', () => set(rows[index].settings)));
    });
  }

  /**
   * @param {State} state
   * @param {Numbers} reply
   */
  show(state, { output_texts: texts, rows }) {
    for (const place of this.section.querySelectorAll('[data-output]')) {
      const text = texts[place.getAttribute('data-output') ?? ''];
      if (place.textContent !== text) place.textContent = text; // screen readers announce only changes
    }
    // A card's advice depends on the state of the system.
    for (const place of this.section.querySelectorAll('[data-states]')) {
      const states = place.getAttribute('data-states') ?? '';
      place.toggleAttribute('hidden', !states.split(' ').includes(texts.state));
    }
    rows.forEach(({ model_text: model, error_text: error }, index) => {
      const { output, settings } = this.published[index];
      find(this.rows[index], '[data-cell="model"]').textContent = model;
      find(this.rows[index], '[data-cell="error"]').textContent = error;
      this.rows[index].classList.toggle('is-current', Boolean(output) && isAt(state, settings));
    });
  }
}

const REST_MS = 700; // after the last change

/** Announces to screen readers: the outputs once the controls rest, what a link has set, how a simulation goes. */
export class Announcer {
  /**
   * @param {HTMLElement} section
   * @param {ExplorerDescription['outputs']} outputs
   */
  constructor(section, outputs) {
    this.section = section;
    this.outputs = outputs;
    this.element = element('p', { class: 'visually-hidden', role: 'status' });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
  }

  /** @param {string} text */
  say(text) {
    clearTimeout(this.waiting);
    this.element.textContent = text;
  }

  /**
   * @param {Record<string, string>} texts of the outputs
   * @param {string[]} first said before them
   */
  announce(texts, first) {
    clearTimeout(this.waiting);
    if (!this.section.matches(':focus-within')) return;
    this.waiting = setTimeout(() => {
      const words = this.outputs.map(({ name, label, unit_text: unit }) => (
        `${label}: ${texts[name]}${unit}`));
      this.element.textContent = [...first, ...words].join('; ');
    }, REST_MS);
  }
}
