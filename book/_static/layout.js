// An explorer on one screen: its main numbers, one chart with the control of its x beneath, a row
// of further controls. All other numbers are folded, and none is there twice.
import { valueText } from './controls.js';
import { Deck } from './deck.js';
import { element, find } from './dom.js';

export class Layout {
  /**
   * @param {HTMLElement} section
   * @param {Explored} description
   * @param {import('./panel.js').Panel['controls']} controls
   */
  constructor(section, description, controls) {
    this.section = section;
    this.description = description;
    this.charts = find(section, '.explorer-views');
    /** @type {NodeListOf<HTMLElement>} */
    this.figures = section.querySelectorAll('figure.tunables-chart');
    const box = find(section, '.explorer-controls');
    this.deck = new Deck(box, description, controls);
    this.told = element('p', { class: 'explorer-set', role: 'status' });
    this.chosen = this.makeMenu();
    const screen = element('div', { class: 'explorer-screen' });
    box.before(screen);
    screen.append(this.takeMain(), this.chosen, this.charts, box, this.told);
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
   * What needs no place on the first screen.
   * @param {import('./panel.js').Panel['controls']} controls
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
    if (this.chosen instanceof HTMLSelectElement) this.chosen.value = String(index);
    this.deck.lay(this.description.views[index].x, this.figures[index]);
  }

  /**
   * Shows the controls that a link has set, and the chart that it names.
   * @param {string[]} names
   * @param {number} chart counted from 1; 0 for the one that is shown
   */
  reveal(names, chart) {
    if (this.figures[chart - 1]) this.choose(chart - 1);
    this.deck.reveal(names);
  }

  /**
   * What a link has set, and what that gives; nothing once the reader goes on.
   * @param {State | null} state
   * @param {Record<string, string>} texts of the outputs
   */
  tell(state, texts) {
    if (!state) {
      this.told.textContent = '';
      return;
    }
    const { parameters, outputs, defaults, main_outputs: main } = this.description;
    const set = parameters.filter(({ name }) => state[name] !== defaults[name])
      .map((parameter) => `${parameter.label} ${valueText(parameter, state[parameter.name])}`);
    const gives = outputs.filter(({ name }) => main.includes(name))
      .map(({ name, label, unit_text: unit }) => `${label} ${texts[name]}${unit}`);
    const text = `Set: ${set.join('; ') || 'as at the start'}. ${gives.join('; ')}.`;
    this.told.replaceChildren(element('span', {}, text)); // on a phone each fades by itself
  }
}
