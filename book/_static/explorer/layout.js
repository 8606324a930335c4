// The layout of an explorer: on one screen its main numbers and one chart with the control of its x below; then a row
// of the main controls, and all other controls in a panel. All other numbers are in a fold; no number is shown twice.
import { button, element, find } from '../dom.js';
import { fits, segments } from '../segments.js';
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
    /** @type {(n: number) => void} */
    this.showChosen = () => {};
    const box = find(section, '.explorer-controls');
    this.settings = new Settings(box, description, controls);
    this.linkReport = element('p', { class: 'explorer-set' });
    const screen = element('div', { class: 'explorer-screen' });
    box.before(screen);
    screen.append(this.takeMain(), this.makeMenu(), this.charts, this.linkReport);
    if (description.rows.length) section.append(this.fold(controls));
    this.choose(0);
  }

  makeMenu() {
    const { views, name } = this.description;
    const titles = views.map(({ title }) => title), id = `${name}-chart`, named = { 'aria-label': 'Chart' };
    if (titles.length < 2) return element('p', { class: 'explorer-chosen' }, titles[0]);
    if (fits(titles)) {
      const options = titles.map((title, n) => /** @type {[string, string]} */ ([String(n), title]));
      const { box, show } = segments(id, options, (n) => this.choose(Number(n)), named);
      this.showChosen = show;
      box.classList.add('explorer-chosen');
      return box;
    }
    const options = titles.map((title, n) => element('option', { value: n }, title));
    const menu = element('select', { id, class: 'explorer-chosen', ...named }, ...options);
    menu.addEventListener('input', () => this.choose(Number(menu.value)));
    this.showChosen = (n) => {
      menu.value = String(n);
    };
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
      element('summary', {}, 'All numbers and their sources'),
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
    this.showChosen(index);
    this.settings.lay(this.description.views[index].x, this.figures[index]);
  }

  /**
   * Shows the controls that a link has set, and the chart that it names.
   * @param {string[]} names
   * @param {number} chart counted from 1; 0 for the present one
   */
  reveal(names, chart) {
    if (this.figures[chart - 1]) this.choose(chart - 1);
    this.settings.reveal(names);
  }

  /**
   * Shows and returns what a link has set and what the outputs are; nothing after any other change.
   * @param {State | null} state
   * @param {Record<string, string>} texts of the outputs
   */
  describeLink(state, texts) {
    if (!state) {
      this.linkReport.textContent = '';
      return '';
    }
    const { parameters, outputs, defaults, main_outputs: main } = this.description;
    const set = parameters.filter(({ name }) => state[name] !== defaults[name])
      .map((parameter) => `${parameter.label} ${valueText(parameter, state[parameter.name])}`);
    const gives = outputs.filter(({ name }) => main.includes(name))
      .map(({ name, label, unit_text: unit }) => `${label} ${texts[name]}${unit}`);
    const text = `Set: ${set.join('; ') || 'as at the start'}. ${gives.join('; ')}.`;
    this.linkReport.replaceChildren(element('span', {}, text)); // new, so that on a phone it fades again
    return text;
  }
}

// The control of the chart's x is under its plot, the main ones are in a row, all others in a panel that opens below:
// no control takes the place of another.

const IN_ROW = 2;

class Settings {
  /**
   * @param {HTMLElement} row
   * @param {ExplorerDescription} description
   * @param {import('./controls.js').Panel['controls']} controls
   */
  constructor(row, { name, parameters, main_parameters: first, defaults }, controls) {
    const others = parameters.map((parameter) => parameter.name).filter((other) => !first.includes(other));
    this.box = row;
    this.controls = controls;
    this.defaults = this.state = defaults;
    this.names = [...first, ...others].filter((known) => controls.has(known));
    this.axis = '';
    this.panel = element('div', { class: 'explorer-more', id: `${name}-more`, hidden: '' });
    this.more = button('', () => this.toggle());
    this.more.setAttribute('aria-controls', this.panel.id);
    this.open(false);
  }

  get others() {
    return this.names.filter((name) => name !== this.axis);
  }

  get folded() {
    return this.others.slice(IN_ROW);
  }

  /**
   * Lays out the controls for a chart: its x below the plot, the others in the row and the panel.
   * @param {string} axis
   * @param {HTMLElement} figure
   */
  lay(axis, figure) {
    this.axis = axis;
    for (const [name, { row, slider }] of this.controls) {
      row.classList.toggle('is-axis', name === axis);
      // The chart is a slider of its own, and the field takes any number: a third stop of the Tab key adds nothing.
      if (slider) slider.tabIndex = name === axis ? -1 : 0;
    }
    this.box.append(...this.others.slice(0, IN_ROW).map((name) => this.row(name)));
    this.panel.prepend(...this.folded.map((name) => this.row(name)));
    figure.append(this.row(axis));
    this.count();
  }

  /** @param {string} name */
  row(name) {
    return /** @type {import('./controls.js').Control} */ (this.controls.get(name)).row;
  }

  /** The button stays where it was pressed: a pane with an open panel does not stick, and may jump. */
  toggle() {
    const before = this.more.getBoundingClientRect().top;
    this.open(Boolean(this.panel.hidden));
    scrollBy({ top: this.more.getBoundingClientRect().top - before, behavior: 'instant' });
  }

  /** @param {boolean} isOpen */
  open(isOpen) {
    this.panel.hidden = !isOpen;
    this.more.setAttribute('aria-expanded', String(isOpen));
  }

  /** Adds a field of another kind to the panel. @param {HTMLElement} part */
  add(part) {
    this.panel.append(part);
    this.count();
  }

  /** Says how many controls the panel holds, and how many of them are changed. @param {State} [state] */
  count(state = this.state) {
    this.state = state;
    const { panel, folded, defaults } = this;
    const changed = folded.filter((name) => state[name] !== defaults[name]).length;
    const text = `More settings (${panel.childElementCount}${changed ? `, ${changed} changed` : ''})`;
    if (this.more.textContent !== text) this.more.textContent = text;
    this.more.hidden = !panel.childElementCount;
  }

  /**
   * Marks these controls, and opens the panel if it holds one of them.
   * @param {string[]} names
   */
  reveal(names) {
    const known = names.filter((name) => this.names.includes(name));
    if (known.some((name) => this.folded.includes(name))) this.open(true);
    for (const { classList } of known.map((name) => this.row(name))) {
      classList.remove('is-set');
      requestAnimationFrame(() => classList.add('is-set'));
    }
  }
}
