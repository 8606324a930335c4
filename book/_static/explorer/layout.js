// The layout of an explorer on one screen: its main numbers, one chart with the control of its x below, and a row
// of further controls. All other numbers are in a fold; no number is shown twice.
import { button, element, find } from '../dom.js';
import { valueText } from './controls.js';

export class Layout {
  /**
   * @param {HTMLElement} section
   * @param {ExplorerDescription} description
   * @param {import('./controls.js').Panel['controls']} controls
   */
  constructor(section, description, controls) {
    this.section = section;
    this.description = description;
    this.charts = find(section, '.explorer-views');
    /** @type {NodeListOf<HTMLElement>} */
    this.figures = section.querySelectorAll('figure.tunables-chart');
    const box = find(section, '.explorer-controls');
    this.controlRow = new ControlRow(box, description, controls);
    this.linkReport = element('p', { class: 'explorer-set', role: 'status' });
    this.chartMenu = this.makeMenu();
    const screen = element('div', { class: 'explorer-screen' });
    box.before(screen);
    screen.append(this.takeMain(), this.chartMenu, this.charts, box, this.linkReport);
    if (description.rows.length) section.append(this.fold(controls));
    this.choose(0);
  }

  makeMenu() {
    const { views, name } = this.description;
    const titles = views.map(({ title }, n) => element('option', { value: n }, title));
    if (titles.length < 2) return element('p', { class: 'explorer-chosen' }, views[0].title);
    const menu = element('select', { id: `${name}-chart`, class: 'explorer-chosen', 'aria-label': 'Chart' }, ...titles);
    menu.addEventListener('input', () => this.choose(Number(menu.value)));
    return menu;
  }

  takeMain() {
    const outputs = find(this.section, '.explorer-outputs');
    const main = this.description.main_outputs.flatMap((name) => (
      outputs.querySelector(`[data-output="${name}"]`)?.closest('div') ?? []));
    const label = outputs.getAttribute('aria-label') ?? '';
    const made = element('dl', { class: 'explorer-outputs explorer-live', 'aria-label': label }, ...main);
    if (!outputs.childElementCount) outputs.remove();
    return made;
  }

  /**
   * Makes the fold with everything that is not on the first screen.
   * @param {import('./controls.js').Panel['controls']} controls
   */
  fold(controls) {
    const origins = [...controls.values()].map(({ title, origin }) => (
      element('div', {}, element('b', {}, title), ' ', origin)));
    return element(
      'details',
      { class: 'explorer-numbers' },
      element('summary', {}, 'All numbers, and where the settings are from'),
      ...this.section.querySelectorAll('.explorer-outputs:not(.explorer-live), .table-scroll'),
      element('div', { class: 'explorer-origins' }, ...origins),
    );
  }

  /**
   * Shows one of the charts.
   * @param {number} index
   */
  choose(index) {
    this.figures.forEach((figure, n) => {
      figure.hidden = n !== index;
    });
    if (this.chartMenu instanceof HTMLSelectElement) this.chartMenu.value = String(index);
    this.controlRow.lay(this.description.views[index].x, this.figures[index]);
  }

  /**
   * Shows the controls that a link has set, and the chart that it names.
   * @param {string[]} names
   * @param {number} chart counted from 1; 0 for the present one
   */
  reveal(names, chart) {
    if (this.figures[chart - 1]) this.choose(chart - 1);
    this.controlRow.reveal(names);
  }

  /**
   * Says what a link has set and what the outputs are; nothing after any other change.
   * @param {State | null} state
   * @param {Record<string, string>} texts of the outputs
   */
  describeLink(state, texts) {
    if (!state) {
      this.linkReport.textContent = '';
      return;
    }
    const { parameters, outputs, defaults, main_outputs: main } = this.description;
    const set = parameters.filter(({ name }) => state[name] !== defaults[name])
      .map((parameter) => `${parameter.label} ${valueText(parameter, state[parameter.name])}`);
    const gives = outputs.filter(({ name }) => main.includes(name))
      .map(({ name, label, unit_text: unit }) => `${label} ${texts[name]}${unit}`);
    const text = `Set: ${set.join('; ') || 'as at the start'}. ${gives.join('; ')}.`;
    this.linkReport.replaceChildren(element('span', {}, text)); // new, so that on a phone it fades again
  }
}

// The row of controls. The control of the chart's x is under its plot; of the others, the row has as many as fit.
// *More* replaces them by the next ones, so the row never grows.

const NARROW = matchMedia('(max-width: 599.98px)');

class ControlRow {
  /**
   * @param {HTMLElement} box of the row
   * @param {ExplorerDescription} description
   * @param {import('./controls.js').Panel['controls']} controls
   */
  constructor(box, { parameters, main_parameters: first, defaults }, controls) {
    const others = parameters.map(({ name }) => name).filter((name) => !first.includes(name));
    this.box = box;
    this.controls = controls;
    this.defaults = defaults;
    this.names = [...first, ...others].filter((name) => controls.has(name));
    this.axis = '';
    this.from = 0; // index of the first one in the row
    this.changed = 0; // hidden controls that are not at their default
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
   * Lays out the controls for a chart: its x below the plot, the others in the row.
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
    this.countHidden();
  }

  countHidden() {
    const { others, size } = this;
    const shown = Math.min(size, others.length - this.from);
    this.more.hidden = others.length <= size;
    this.more.textContent = `More (${others.length - shown})${this.changed ? `, ${this.changed} changed` : ''}`;
  }

  /** @param {State} state */
  show(state) {
    const hidden = this.others.filter((name) => this.row(name).hidden);
    const changed = hidden.filter((name) => state[name] !== this.defaults[name]).length;
    if (changed === this.changed) return;
    this.changed = changed;
    this.countHidden();
  }

  /**
   * Marks these controls, and brings the first hidden one into the row.
   * @param {string[]} names
   */
  reveal(names) {
    const known = names.filter((name) => this.names.includes(name));
    const hidden = known.find((name) => this.row(name).hidden);
    if (hidden) this.turn(this.others.indexOf(hidden));
    for (const { classList } of known.map((name) => this.row(name))) {
      classList.remove('is-set');
      requestAnimationFrame(() => classList.add('is-set'));
    }
  }
}
