// The numbers of a run, large above its drawing. The sentence says them too, so they are hidden from screen readers.
import { element } from '../dom.js';

const MOST_OFTEN_MS = 100;

/** @typedef {{ box: HTMLElement, label: HTMLElement, value: Text, unit: HTMLElement, shown: Partial<Figure> }} Part */

/** @returns {Part} */
function makePart() {
  const label = element('dt'), value = document.createTextNode(''), unit = element('small');
  return { box: element('div', {}, label, element('dd', {}, value, unit)), label, value, unit, shown: {} };
}

/** Write what is new. @param {Part} part @param {Figure} figure */
function fill({ box, label, value, unit, shown }, figure) {
  if (figure.label !== shown.label) {
    const long = element('span', { class: 'figure-long' }, figure.label);
    label.replaceChildren(long, element('span', { class: 'figure-short' }, figure.short ?? figure.label));
  }
  if (figure.value !== shown.value) value.data = figure.value;
  if (figure.unit !== shown.unit) unit.textContent = figure.unit ?? '';
  if (figure.tone !== shown.tone) box.className = figure.tone ? `is-${figure.tone}` : '';
}

/** The first of a run's numbers in one line, for where there is no room for all. */
class Leading {
  constructor() {
    this.value = element('b');
    this.label = document.createTextNode('');
    this.box = element('span', { class: 'leading-figure', 'aria-hidden': 'true' }, this.value, this.label);
  }

  /** @param {Figure} figure */
  show({ label, short = label, value, unit, tone }) {
    const text = ` ${unit ? `${unit} ` : ''}${short}`, name = `leading-figure ${tone ? `is-${tone}` : ''}`;
    if (this.value.textContent !== value) this.value.textContent = value;
    if (this.label.data !== text) this.label.data = text;
    if (this.box.className !== name) this.box.className = name;
  }
}

export class Figures {
  constructor() {
    this.box = element('dl', { class: 'animation-figures', 'aria-hidden': 'true' });
    /** @type {Part[]} */
    this.parts = [];
    this.leading = new Leading();
    this.last_ms = 0;
  }

  /** Whether it is time for other numbers: while a run plays, nobody reads more of them.
   * @param {boolean} playing */
  isDue(playing) {
    const now_ms = performance.now();
    if (playing && now_ms - this.last_ms < MOST_OFTEN_MS) return false;
    this.last_ms = now_ms;
    return true;
  }

  /** @param {Figure[]} figures */
  show(figures) {
    if (figures.length > this.parts.length) {
      const more = Array.from({ length: figures.length - this.parts.length }, makePart);
      this.parts.push(...more);
      this.box.append(...more.map(({ box }) => box));
    }
    for (const [n, part] of this.parts.entries()) {
      const figure = figures[n];
      part.box.hidden = !figure;
      if (!figure) continue;
      fill(part, figure);
      part.shown = figure;
    }
    this.leading.show(figures[0]);
  }
}
