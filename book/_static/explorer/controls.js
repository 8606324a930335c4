// The controls of an explorer or a card: for each parameter a slider and a number field, or a menu.
import { element, markInvalid } from '../dom.js';
import { fitting, formatNumber, joined, quantity } from '../quantity.js';
import { fits, segments } from '../segments.js';

export const STEPS = 200; // positions of a slider over real numbers

/**
 * A control in the page.
 * @typedef {object} Control
 * @property {HTMLElement} row
 * @property {string} title
 * @property {HTMLElement} origin says where its default is from
 * @property {(value: Value) => void} show
 * @property {Field | null} field to type a number
 * @property {HTMLElement | null} slider
 */

/**
 * @typedef {{ parts: HTMLElement[], show: (value: Value) => void } & Pick<Control, 'field' | 'slider'>} Inputs
 */

/**
 * Returns the value at a position of the slider: an integer, or a number of four significant digits.
 * @param {number} position
 * @param {Bounds} bounds
 */
export function toValue(position, { low, high, scale, integer }) {
  const share = position / STEPS;
  const value = scale === 'log' ? low * (high / low) ** share : low + (high - low) * share;
  const near = integer ? Math.round(value) : Number(value.toPrecision(4));
  return Math.min(high, Math.max(low, near));
}

/**
 * Returns the slider's position nearest to a value.
 * @param {number} value
 * @param {Bounds} bounds
 */
export function toPosition(value, bounds) {
  return Math.round(exactPosition(value, bounds));
}

/**
 * @param {number} value
 * @param {Bounds} bounds
 */
function exactPosition(value, { low, high, scale }) {
  const share = scale === 'log' ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return share * STEPS;
}

const SHORT = /^.{1,3}$|[^a-z]/; // a unit, as opposed to a word for counted things

/**
 * Returns a setting with its unit. Bytes are not scaled: a page has 4,096 bytes.
 * @param {number} value
 * @param {string} unit
 */
const withUnit = (value, unit) => (unit === 'B' ? joined(formatNumber(value), 'bytes') : quantity(value, unit));

/**
 * Returns a number as a field shows it: with its unit, unless that is a word for counted things.
 * @param {number} value
 * @param {string} unit
 */
export const fieldText = (value, unit) => withUnit(value, SHORT.test(unit) ? unit : '1');

/**
 * Returns a control's label: with its unit only where neither the field nor the label names it.
 * @param {Pick<Parameter, 'label' | 'title' | 'unit'>} parameter
 */
export function labelText({ label, title, unit }) {
  return SHORT.test(unit) || label.toLowerCase().includes(unit) ? label : title;
}

/**
 * Returns a typed number as a number, and other text as it is, which Python understands or refuses. A number without
 * a unit has the one that the field shows.
 * @param {string} text
 * @param {number} value that the field shows
 * @param {string} unit of the parameter
 */
export function parseTyped(text, value, unit) {
  const typed = text.trim();
  if (typed === '' || !Number.isFinite(Number(typed))) return typed;
  const { factor, name } = unit === 'B' ? { factor: 1, name: '' } : fitting(value, unit);
  return factor === 1 ? Number(typed) : joined(typed, name);
}

/**
 * Returns what a typed text was read as, in words; nothing if the text says the same itself.
 * @param {string} typed
 * @param {number} value
 * @param {string} unit of the parameter
 */
export function readingText(typed, value, unit) {
  const bare = (/** @type {string} */ text) => text.replace(/[\s,]/g, '');
  return bare(typed) === bare(fieldText(value, unit)) ? '' : `${typed.trim()} means ${withUnit(value, unit)}`;
}

/**
 * Returns what a control says of its value: whose it is, and from where. What differs from the default is the reader's.
 * @param {Parameter} parameter
 * @param {Value} value
 */
export function originOf(parameter, value) {
  const { origin, source } = parameter;
  if (value === parameter.default) return { status: origin, words: source };
  return { status: 'yours', words: `instead of ${valueText(parameter, parameter.default)} (${origin})` };
}

/**
 * Returns a parameter's value in words.
 * @param {Pick<Parameter, 'choices' | 'choice_texts' | 'unit'>} parameter
 * @param {Value} value
 */
export function valueText({ unit, choices, choice_texts: texts = choices }, value) {
  return typeof value === 'string' ? texts[choices.indexOf(value)] ?? value : withUnit(value, unit);
}

/**
 * Whether each step of the slider is one integer: if the range has no more integers than the slider positions.
 * @param {Bounds} bounds
 */
export function isDirect({ low, high, integer, scale }) {
  return integer && scale === 'linear' && high - low <= STEPS;
}

const LONG = 8; // signs of a choice: three longer ones side by side would break at their hyphens

/**
 * @param {string} id
 * @param {Parameter} parameter
 * @param {(value: Value) => void} change
 * @returns {Inputs}
 */
function menu(id, { choices, choice_texts: texts = choices }, change) {
  if (fits(texts) && (texts.length < 3 || texts.every((text) => text.length <= LONG))) {
    const options = choices.map((name, k) => /** @type {[string, string]} */ ([name, texts[k]]));
    const { box, show } = segments(id, options, change, { 'aria-labelledby': `${id}-label` });
    return { parts: [box], show, field: null, slider: null };
  }
  const options = choices.map((name, k) => element('option', { value: name }, texts[k]));
  const select = element('select', { id, 'aria-describedby': `${id}-origin` }, ...options);
  select.addEventListener('input', () => change(select.value));
  const show = (/** @type {Value} */ value) => {
    select.value = String(value);
  };
  return { parts: [select], show, field: null, slider: null };
}

/**
 * @param {string} id
 * @param {Parameter} parameter
 * @param {(value: number) => void} change
 */
function makeSlider(id, parameter, change) {
  const direct = isDirect(parameter);
  const range = direct ? { min: parameter.low, max: parameter.high } : { min: 0, max: STEPS };
  const label = `${parameter.label}, slider`;
  const slider = element('input', { type: 'range', id: `${id}-slider`, 'aria-label': label, step: 1, ...range });
  slider.addEventListener('input', () => {
    const position = Number(slider.value);
    change(direct ? position : toValue(position, parameter));
  });
  // While it is dragged, the thumb follows the exact value; keys move it step by step.
  slider.addEventListener('keydown', () => slider.setAttribute('step', '1'));
  const show = (/** @type {number} */ value) => {
    if (!direct && !slider.matches(':focus-visible')) slider.step = 'any';
    slider.value = String(direct ? value : exactPosition(value, parameter));
    slider.setAttribute('aria-valuetext', withUnit(value, parameter.unit));
  };
  return { slider, show };
}

/**
 * @param {string} id
 * @param {Parameter} parameter
 * @param {(value: Value) => void} change
 * @returns {Inputs}
 */
function sliderAndField(id, parameter, change) {
  const field = new Field(id, parameter.unit, change);
  const { slider, show: move } = makeSlider(id, parameter, (value) => {
    field.forget();
    change(value);
  });
  const show = (/** @type {Value} */ value) => {
    field.show(value);
    if (typeof value === 'number') move(value);
  };
  return { parts: [slider, field.input, field.reading], show, field, slider };
}

/**
 * @param {string} prefix of the ids
 * @param {Parameter} parameter
 * @param {(value: Value) => void} change
 * @returns {Control}
 */
function makeControl(prefix, parameter, change) {
  const id = `${prefix}-${parameter.name}`;
  const make = parameter.choices.length ? menu : sliderAndField;
  const { parts, show, field, slider } = make(id, parameter, change);
  const label = parts[0].matches('.segments') // whose radio buttons have labels of their own
    ? element('span', { id: `${id}-label`, class: 'control-label' }, labelText(parameter))
    : element('label', { for: id, class: 'control-label' }, labelText(parameter));
  const origin = element('small', { id: `${id}-origin`, class: 'origin' });
  const showWithOrigin = (/** @type {Value} */ value) => {
    show(value);
    if (field && typeof value === 'string') return; // typed, and not read yet
    const { status, words } = originOf(parameter, value);
    origin.replaceChildren(element('span', { class: `status status-${status}` }, status), ` ${words}`);
  };
  const inputs = element('div', { class: 'control-inputs' }, ...parts);
  const row = element('div', { class: 'control' }, label, inputs);
  return { row, title: parameter.title, origin, show: showWithOrigin, field, slider };
}

// The field of one parameter. Beside it is what a text without its unit, or in another one, was read as. Text that
// is refused stays in it, with the sentence that says why, until the reader corrects it; the numbers go back to the
// value from before it was typed.

class Field {
  /**
   * @param {string} id
   * @param {string} unit
   * @param {(value: Value) => void} change
   */
  constructor(id, unit, change) {
    const described = { 'aria-describedby': `${id}-reading ${id}-origin` };
    this.input = element('input', { id, type: 'text', inputmode: 'decimal', autocomplete: 'off', ...described });
    this.reading = element('small', { id: `${id}-reading`, class: 'control-reading' });
    this.unit = unit;
    this.change = change;
    this.value = NaN; // of the numbers shown
    this.before = NaN; // the value before the reader began to type
    this.shown = NaN; // the value in the field when the reader began to type
    this.typed = ''; // what the reader typed last
    this.refusal = ''; // of the text that stays in the field
    this.typing = false;
    this.touched = false; // the reader typed the text
    this.waits = false; // for an answer to the text
    this.returned = false; // to the value before
    this.input.addEventListener('input', () => this.type());
    this.input.addEventListener('change', () => this.leave());
  }

  type() {
    if (!this.typing && !this.refusal) this.before = this.value;
    if (!this.typing) this.shown = this.value;
    this.refusal = '';
    this.returned = false;
    this.typing = this.touched = this.waits = true;
    this.typed = this.input.value;
    this.change(parseTyped(this.input.value, this.shown, this.unit));
  }

  // The reader has left or confirmed the field: it shows the value, unless the text was refused or is not answered yet.
  leave() {
    this.typing = false;
    if (this.refusal) this.goBack();
    else if (!this.waits) this.write();
  }

  /** @param {number} value */
  text(value) {
    return fieldText(value, this.unit);
  }

  write() {
    this.input.value = this.text(this.value);
  }

  goBack() {
    if (this.returned || !Number.isFinite(this.before)) return;
    this.returned = true;
    this.change(this.before);
  }

  /** @param {Value} value the answered one; text has no answer yet */
  show(value) {
    if (typeof value === 'string') return;
    this.value = value;
    if (this.refusal) return;
    this.waits = false;
    this.reading.textContent = this.touched ? readingText(this.typed, value, this.unit) : '';
    markInvalid(this.input, false);
    if (!this.typing) this.write();
  }

  /** @param {string} sentence */
  refuse(sentence) {
    markInvalid(this.input, true);
    if (!this.touched) return; // the value came from a link, for example
    this.waits = false;
    this.reading.textContent = '';
    this.refusal = sentence;
    if (!this.typing) this.goBack();
  }

  // The value now comes from another control, a button or a link.
  forget() {
    this.typing = this.touched = this.waits = false;
    this.refusal = '';
  }

  /** A sentence: what the reader has to correct, and which value the numbers have meanwhile. */
  get correction() {
    return this.refusal && `${this.refusal} The numbers here are for ${this.text(this.value)}.`;
  }
}

/** The controls by the names of their parameters. */
export class Panel {
  /**
   * @param {ExplorerDescription} description
   * @param {(changes: State, gesture: string) => void} change
   */
  constructor({ name: prefix, parameters }, change) {
    const visible = parameters.filter(({ hidden }) => !hidden);
    this.controls = new Map(visible.map((parameter) => [
      parameter.name,
      makeControl(`${prefix}-control`, parameter, (value) => change({ [parameter.name]: value }, parameter.name)),
    ]));
  }

  // All rows with the origins of their defaults: a card is for the reader's own numbers.
  rows() {
    return [...this.controls.values()].map(({ row, origin }) => {
      row.append(origin);
      return row;
    });
  }

  /** @param {State} state */
  show(state) {
    for (const [name, { show }] of this.controls) show(state[name]);
  }

  /**
   * Marks the controls of refused parameters.
   * @param {string[]} names
   * @param {string} sentence
   */
  refuse(names, sentence) {
    for (const name of names) this.controls.get(name)?.field?.refuse(sentence);
  }

  /** Returns those of the parameters whose numbers the reader typed. @param {string[]} names */
  typed(names) {
    return names.filter((name) => this.controls.get(name)?.field?.touched);
  }

  /** Drops what was typed for these parameters. @param {string[]} names */
  forget(names = [...this.controls.keys()]) {
    for (const name of names) this.controls.get(name)?.field?.forget();
  }

  /** What the last texts were read as. */
  get readings() {
    return [...this.controls.values()].flatMap(({ field }) => field?.reading.textContent || []);
  }

  /** The rows that keep what was refused. */
  get refused() {
    return [...this.controls.values()].filter(({ field }) => field?.refusal).map(({ row }) => row);
  }

  /** What the reader has to correct, one field a line. */
  get corrections() {
    return [...this.controls.values()].map(({ field }) => field?.correction).filter(Boolean).join('\n');
  }
}
