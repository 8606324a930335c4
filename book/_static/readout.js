// The numbers of an explorer: its outputs, and the published ones beside the model's, each of which
// sets its own conditions when it is pressed.
import { button, find } from './dom.js';
import { isAt } from './state.js';

export class Readout {
  /**
   * @param {HTMLElement} section
   * @param {Explored} description
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
      if (place.textContent !== text) place.textContent = text; // say aloud only what changed
    }
    rows.forEach(({ model_text: model, error_text: error }, index) => {
      const { output, settings } = this.published[index];
      find(this.rows[index], '[data-cell="model"]').textContent = model;
      find(this.rows[index], '[data-cell="error"]').textContent = error;
      this.rows[index].classList.toggle('is-current', Boolean(output) && isAt(state, settings));
    });
  }
}
