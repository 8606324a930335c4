// Where the cells of a validity map lie on its axes, and what an explorer's state is there.

/**
 * Index of the value nearest to x; -1 beyond the grid's edge by more than half a step.
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
 * Returns where an explorer's state lies on an axis. The closed form takes the assumed value
 * where it has no parameter for the axis.
 * @param {Axis} axis
 * @param {State} state
 */
export function indexOn(axis, state) {
  return nearest(axis.values, axis.assumed ?? Number(state[axis.name]));
}

/**
 * Returns the state of a cell, and the labels of those axes that the explorer has no parameter for.
 * @param {Pick<Mapped, 'x' | 'y' | 'settings'>} map
 * @param {number} column
 * @param {number} up
 */
export function stateOf({ x, y, settings }, column, up) {
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
export function inWords({ label, unit_text: unit, texts }, index) {
  return `${label}: ${texts[index]}${unit}`;
}
