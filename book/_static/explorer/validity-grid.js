// The grid of a validity map: its cells along two axes, and keys to walk through them.

/**
 * Returns the index of the value nearest to x, or -1 if x is more than half a step beyond the edge of the grid.
 * @param {number[]} values
 * @param {number} x
 */
export function nearest(values, x) {
  const scale = values[0] > 0 ? Math.log : (/** @type {number} */ value) => value;
  const at = values.map((value) => Math.abs(scale(value) - scale(x)));
  const index = at.indexOf(Math.min(...at));
  const neighbour = index === 0 ? 1 : index - 1;
  const step = Math.abs(scale(values[index]) - scale(values[neighbour]));
  return at[index] <= step / 2 + 1e-9 ? index : -1;
}

/**
 * Returns the index of an explorer's state on an axis. If the closed form has no parameter for the axis, it assumes a
 * value.
 * @param {Axis} axis
 * @param {State} state
 */
export function indexOnAxis(axis, state) {
  return nearest(axis.values, axis.assumed ?? Number(state[axis.name]));
}

/**
 * Returns the state of a cell, and the labels of the axes whose value the explorer cannot take.
 * @param {Pick<MapDescription, 'x' | 'y' | 'settings'>} map
 * @param {number} column
 * @param {number} up
 */
export function stateOfCell({ x, y, settings }, column, up) {
  const state = { ...settings };
  const missing = [];
  for (const { axis, value } of [{ axis: x, value: x.values[column] }, { axis: y, value: y.values[up] }]) {
    if (axis.assumed === null) state[axis.name] = value;
    else if (axis.assumed !== value) missing.push(axis.label);
  }
  return { state, missing };
}

/**
 * Returns a place on an axis in words.
 * @param {Axis} axis
 * @param {number} index
 */
export function describePlace({ label, unit_text: unit, texts }, index) {
  return `${label}: ${texts[index]}${unit}`;
}

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

/** The cells as a grid that keys walk through; one cell is chosen. */
export class Grid {
  /**
   * @param {HTMLElement} table
   * @param {Events} events
   *
   * @typedef {object} Events
   * @property {(place: Place) => void} pointed a cell is pointed at or chosen
   * @property {() => void} chosen another cell is chosen
   * @property {() => void} pressed the chosen cell is pressed
   */
  constructor(table, { pointed, chosen, pressed }) {
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
      pointed(place);
    });
    this.on(table, 'mouseover', pointed);
    this.on(table, 'dblclick', pressed);
    table.addEventListener('mouseleave', () => pointed(this.chosen));
  }

  /** @param {Place} place */
  cell([row, column]) {
    return this.rows[row][column];
  }

  /**
   * Returns the index of a row counted from below: high values of y are on top.
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
