// The controls of an explorer: that of the chart's x under its plot, and of the others as many as
// fit into one row. *More* puts the next ones in their place, so that nothing grows.
import { button } from './dom.js';

const NARROW = matchMedia('(max-width: 599.98px)');

export class Deck {
  /**
   * @param {HTMLElement} box for one row
   * @param {Explored} description
   * @param {import('./panel.js').Panel['controls']} controls
   */
  constructor(box, { parameters, main_parameters: first, defaults }, controls) {
    const others = parameters.map(({ name }) => name).filter((name) => !first.includes(name));
    this.box = box;
    this.controls = controls;
    this.defaults = defaults;
    this.names = [...first, ...others].filter((name) => controls.has(name));
    this.axis = '';
    this.from = 0; // the first of those in the row
    this.changed = 0;
    this.more = button('', () => this.turn(this.from + this.size));
    NARROW.addEventListener('change', () => this.turn(this.from));
  }

  get size() {
    return NARROW.matches ? 1 : 2;
  }

  get others() {
    return this.names.filter((name) => name !== this.axis);
  }

  /**
   * Another chart, with another parameter along its axis.
   * @param {string} name
   * @param {HTMLElement} figure
   */
  lay(name, figure) {
    this.axis = name;
    for (const [other, { row }] of this.controls) row.classList.toggle('is-axis', other === name);
    this.box.append(...this.others.map((other) => this.row(other)));
    figure.append(this.row(name));
    this.row(name).hidden = false;
    this.turn(0);
  }

  /** @param {string} name */
  row(name) {
    return /** @type {import('./controls.js').Control} */ (this.controls.get(name)).row;
  }

  /** @param {number} from */
  turn(from) {
    const { others, size } = this;
    this.from = from < others.length ? from - (from % size) : 0;
    others.forEach((name, n) => {
      this.row(name).hidden = n < this.from || n >= this.from + size;
    });
    this.tell();
  }

  tell() {
    const { others, size } = this;
    const shown = Math.min(size, others.length - this.from);
    this.more.hidden = others.length <= size;
    this.more.textContent = `More (${others.length - shown})${this.changed ? `, ${this.changed} changed` : ''}`;
  }

  /** @param {State} state */
  show(state) {
    const away = this.others.filter((name) => this.row(name).hidden);
    const changed = away.filter((name) => state[name] !== this.defaults[name]).length;
    if (changed === this.changed) return;
    this.changed = changed;
    this.tell();
  }

  /**
   * Brings one of these controls into the row that is not seen, and marks them.
   * @param {string[]} names
   */
  reveal(names) {
    const seen = names.filter((name) => this.names.includes(name));
    const away = seen.find((name) => this.row(name).hidden);
    if (away) this.turn(this.others.indexOf(away));
    for (const { classList } of seen.map((name) => this.row(name))) {
      classList.remove('is-set');
      requestAnimationFrame(() => classList.add('is-set'));
    }
  }
}
