// The explorer beside a validity map: the cell in which it stands, and the way to set it.
import { indexOn, stateOf } from './axes.js';
import { button, element, find, markCurrent } from './dom.js';

export class Beside {
  /**
   * @param {HTMLElement} section
   * @param {Mapped} description
   * @param {import('./grid.js').Grid} grid
   * @param {AbortSignal} signal
   */
  constructor(section, description, grid, signal) {
    this.description = description;
    this.grid = grid;
    this.here = find(section, '.validity-here');
    this.reached = element('span', { role: 'status' });
    /** @type {import('./explorer.js').Explorer | null} */
    this.explorer = null;
    this.set = button('Set the explorer to this cell', () => this.setExplorer());
    this.set.hidden = true;
    find(section, '.validity-cell').after(element('div', { class: 'validity-actions' }, this.set, this.reached));
    // It may stand in a shadow, or be made anew: the document carries what they say.
    document.addEventListener('tunables:state', (event) => {
      const explorer = /** @type {CustomEvent<import('./explorer.js').Explorer>} */ (event).detail;
      if (explorer.description.name === description.name) this.follow(explorer);
    }, { signal });
    document.dispatchEvent(new CustomEvent('tunables:who', { detail: description.name }));
  }

  /** @param {import('./explorer.js').Explorer} explorer */
  follow(explorer) {
    this.explorer = explorer;
    this.set.hidden = false;
    this.mark(explorer.state);
  }

  /**
   * The map is of other settings now.
   * @param {State} settings off its axes
   */
  standOn(settings) {
    this.description = { ...this.description, settings };
    if (this.explorer) this.mark(this.explorer.state);
  }

  // Another cell was chosen: the explorer does not stand there.
  forget() {
    this.reached.textContent = '';
  }

  /**
   * Outlines the cell in which the explorer stands, if it stands on the map.
   * @param {State} state
   */
  mark(state) {
    const { x, y, settings } = this.description;
    const other = Object.keys(settings).find((name) => state[name] !== settings[name]);
    const [column, up] = [indexOn(x, state), indexOn(y, state)];
    const here = !other && column >= 0 && up >= 0 ? this.grid.cell([this.grid.fromBelow(up), column]) : null;
    this.here.textContent = here ? 'Outlined: the setting of the explorer.' : this.elsewhere(state, other);
    for (const cell of this.grid.rows.flat()) {
      cell.classList.toggle('is-here', cell === here);
      markCurrent(cell, cell === here);
    }
  }

  /**
   * @param {State} state
   * @param {string} [name] of a parameter that the map holds elsewhere
   */
  elsewhere(state, name) {
    if (!name) return 'The setting of the explorer lies beyond the map.';
    const parameters = this.explorer?.description.parameters;
    const label = parameters?.find((parameter) => parameter.name === name)?.label;
    return `The explorer is not on the map: its “${label}” is ${state[name]}, here ${this.description.settings[name]}.`;
  }

  setExplorer() {
    if (!this.explorer) return;
    const [row, column] = this.grid.chosen;
    const { state, missing } = stateOf(this.description, column, this.grid.fromBelow(row));
    this.explorer.change(state);
    this.reached.textContent = missing.length
      ? `The explorer is set. It knows no “${missing[0]}” and shows the closed form without.`
      : 'The explorer is set.';
  }
}
