// The state of an explorer as an address, or a notebook, keeps it: each parameter that was moved.

/**
 * JSON knows no 1e999, and an empty text is no number: Python refuses the text.
 * @param {Parameter} parameter
 * @param {string} text
 */
function valueOf(parameter, text) {
  const isNumber = !parameter.choices.length && text.trim() !== '' && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}

/**
 * Returns the parameters that are kept, and the names beside them that are none.
 * @param {[name: string, text: string][]} entries
 * @param {Case} description
 */
export function readState(entries, { parameters }) {
  /** @type {State} */
  const state = {};
  const unknown = [];
  for (const [name, text] of entries) {
    const parameter = parameters.find((candidate) => candidate.name === name);
    if (parameter) state[name] = valueOf(parameter, text);
    else unknown.push(name);
  }
  return { state, unknown };
}

/**
 * @param {Entries} entries
 * @param {Case} description
 * @param {State} state
 */
export function writeState(entries, { name: prefix, parameters, defaults }, state) {
  const moved = parameters.map(({ name }) => (
    [`${prefix}.${name}`, state[name] === defaults[name] ? null : state[name]]));
  entries.writeEntries(Object.fromEntries(moved));
}

/**
 * @param {State} state
 * @param {State} settings
 */
export function isAt(state, settings) {
  return Object.entries(settings).every(([name, value]) => state[name] === value);
}

/**
 * The names whose values differ.
 * @param {State} a
 * @param {State} b
 */
export function differing(a, b) {
  return Object.keys(a).filter((name) => a[name] !== b[name]);
}

/** @param {string[]} names */
export function strangers(names) {
  return names.length ? `The link names ${names.join(', ')}, which this explorer does not have.` : '';
}
