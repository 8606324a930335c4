// The state of an explorer: read from and written to the URL or a notebook, compared, and its history.

/**
 * JSON has no 1e999, and an empty string is not a number: such text is left for Python to refuse.
 * @param {Parameter} parameter
 * @param {string} text
 */
function valueOf(parameter, text) {
  const isNumber = !parameter.choices.length && text.trim() !== '' && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}

/**
 * Returns the state that entries keep, and the names among them that are no parameters.
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
 * @param {UrlState} urlState
 * @param {Case} description
 * @param {State} state
 */
export function writeState(urlState, { name: prefix, parameters, defaults }, state) {
  const moved = parameters.map(({ name }) => (
    [`${prefix}.${name}`, state[name] === defaults[name] ? null : state[name]]));
  urlState.write(Object.fromEntries(moved));
}

/**
 * @param {State} state
 * @param {State} settings
 */
export function isAt(state, settings) {
  return Object.entries(settings).every(([name, value]) => state[name] === value);
}

/**
 * Returns the names whose values differ.
 * @param {State} a
 * @param {State} b
 */
export function differing(a, b) {
  return Object.keys(a).filter((name) => a[name] !== b[name]);
}

/** @param {string[]} names */
export function unknownNamesSentence(names) {
  return names.length ? `The link names ${names.join(', ')}, which this explorer does not have.` : '';
}

const KEPT = 50;

/** The last fifty states. A drag, or typing into a field, is one step. */
export class History {
  constructor() {
    /** @type {State[]} */
    this.steps = [];
    this.gesture = ''; // in progress
  }

  /**
   * @param {State} state that is being left
   * @param {string} gesture changes of one gesture are one step; each empty gesture is a new step
   */
  note(state, gesture) {
    if (gesture && gesture === this.gesture) return;
    this.gesture = gesture;
    this.steps.push(state);
    if (this.steps.length > KEPT) this.steps.shift();
  }

  end() {
    this.gesture = '';
  }

  /**
   * Returns the last state that was different, if there is one.
   * @param {State} now
   */
  back(now) {
    this.end();
    let state = this.steps.pop();
    while (state && !differing(state, now).length) state = this.steps.pop();
    return state;
  }
}
