// The cells of a validity map as a grid that keys walk through: one of them is chosen.

/** @typedef {[row: number, column: number]} Place */

/** @type {Record<string, [down: number, right: number]>} */
const KEYS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
  PageUp: [-Infinity, 0],
  PageDown: [Infinity, 0],
};

/**
 * @param {number} index
 * @param {number} count
 */
function clamp(index, count) {
  return Math.min(Math.max(index, 0), count - 1);
}

export class Grid {
  /**
   * @param {HTMLElement} table
   * @param {Events} events
   *
   * @typedef {object} Events
   * @property {(place: Place) => void} told a cell's numbers are wanted
   * @property {() => void} chosen another cell is
   * @property {() => void} pressed on the chosen cell
   */
  constructor(table, { told, chosen, pressed }) {
    this.rows = [...table.querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll('td')]);
    /** @type {Place} */
    this.chosen = [this.rows.length - 1, 0];
    for (const cell of this.rows.flat()) cell.tabIndex = -1;
    this.choose(this.chosen);
    table.setAttribute('role', 'grid');
    table.addEventListener('keydown', (event) => this.press(event, pressed));
    this.on(table, 'focusin', (place) => {
      this.choose(place);
      chosen();
      told(place);
    });
    this.on(table, 'mouseover', told);
    this.on(table, 'dblclick', pressed);
    table.addEventListener('mouseleave', () => told(this.chosen));
  }

  /** @param {Place} place */
  cell([row, column]) {
    return this.rows[row][column];
  }

  /**
   * High values of y stand on top.
   * @param {number} row
   */
  fromBelow(row) {
    return this.rows.length - 1 - row;
  }

  /**
   * @param {HTMLElement} table
   * @param {'focusin' | 'mouseover' | 'dblclick'} type
   * @param {(place: Place) => void} act
   */
  on(table, type, act) {
    table.addEventListener(type, ({ target }) => {
      const within = target instanceof Element ? target.closest('td') : null;
      const row = this.rows.findIndex((cells) => cells.some((cell) => cell === within));
      if (within && row >= 0) act([row, this.rows[row].indexOf(within)]);
    });
  }

  /**
   * @param {KeyboardEvent} event
   * @param {() => void} pressed
   */
  press(event, pressed) {
    if (event.key === 'Enter' || event.key === ' ') pressed();
    else if (event.key in KEYS) this.move(KEYS[event.key]);
    else return;
    event.preventDefault();
  }

  /** @param {[down: number, right: number]} way */
  move([down, right]) {
    const [row, column] = this.chosen;
    const target = this.rows[clamp(row + down, this.rows.length)];
    target[clamp(column + right, target.length)].focus();
  }

  /** @param {Place} place */
  choose(place) {
    const old = this.cell(this.chosen);
    old.tabIndex = -1;
    old.removeAttribute('aria-selected');
    this.chosen = place;
    this.cell(place).tabIndex = 0;
    this.cell(place).setAttribute('aria-selected', 'true');
  }
}
