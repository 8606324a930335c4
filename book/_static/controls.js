// A slider and a number field (or a menu) for one parameter of an explorer.
import { element, markInvalid } from './dom.js';
import { quantity } from './quantity.js';

export const STEPS = 200; // positions of a slider that runs over a range of real numbers

/**
 * A control in the page, where its value is from, and how to move or mark it.
 * @typedef {object} Control
 * @property {HTMLElement} row
 * @property {string} title
 * @property {HTMLElement} origin
 * @property {(value: Value) => void} show
 * @property {() => void} refuse
 */

/**
 * @typedef {{ parts: HTMLElement[], show: (value: Value) => void, refuse: () => void }} Inputs
 */

/**
 * The value at a position of the slider, with four significant digits or whole.
 * @param {number} position
 * @param {Bounds} bounds
 */
export function toValue(position, { low, high, scale, whole }) {
  const share = position / STEPS;
  const value = scale === 'log' ? low * (high / low) ** share : low + (high - low) * share;
  const near = whole ? Math.round(value) : Number(value.toPrecision(4));
  return Math.min(high, Math.max(low, near));
}

/**
 * The slider's position that is nearest to a value.
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

const SHORT = /^.{1,3}$|[^a-z]/; // a unit, not a word for what is counted

/**
 * A number as a field shows it: with its unit, but for the word for what is counted.
 * @param {number} value
 * @param {string} unit
 */
export function fieldText(value, unit) {
  if (unit === '1/s') return `${quantity(value, '1')} /s`;
  return quantity(value, SHORT.test(unit) ? unit : '1');
}

/**
 * A parameter's value in words.
 * @param {Pick<Parameter, 'choices' | 'choice_texts' | 'unit'>} parameter
 * @param {Value} value
 */
export function valueText({ unit, choices, choice_texts: texts = choices }, value) {
  return typeof value === 'string' ? texts[choices.indexOf(value)] ?? value : quantity(value, unit);
}

/**
 * What is typed, as a number if it is a plain one; Python understands the rest.
 * @param {string} text
 */
function typed(text) {
  return text.trim() === '' || !Number.isFinite(Number(text)) ? text.trim() : Number(text);
}

/**
 * Whether the slider moves one whole number a step: where the range has no more of them than positions.
 * @param {Bounds} bounds
 */
export function isDirect({ low, high, whole, scale }) {
  return whole && scale === 'linear' && high - low <= STEPS;
}

/**
 * @param {string} id
 * @param {Parameter} parameter
 * @param {(value: Value) => void} change
 * @returns {Inputs}
 */
function menu(id, { choices, choice_texts: texts = choices }, change) {
  const options = choices.map((name, k) => element('option', { value: name }, texts[k]));
  const select = element('select', { id, 'aria-describedby': `${id}-origin` }, ...options);
  select.addEventListener('input', () => change(select.value));
  const show = (/** @type {Value} */ value) => {
    select.value = String(value);
  };
  return { parts: [select], show, refuse: () => {} };
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
  // By hand it lies where the value is; a key moves it from one of its positions to another.
  slider.addEventListener('keydown', () => slider.setAttribute('step', '1'));
  const show = (/** @type {number} */ value) => {
    if (!direct && !slider.matches(':focus-visible')) slider.step = 'any';
    slider.value = String(direct ? value : exactPosition(value, parameter));
    slider.setAttribute('aria-valuetext', quantity(value, parameter.unit));
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
  const { slider, show: move } = makeSlider(id, parameter, change);
  const attributes = { type: 'text', inputmode: 'decimal', autocomplete: 'off', 'aria-describedby': `${id}-origin` };
  const field = element('input', { id, ...attributes });
  let stands = NaN, typing = false;
  const write = () => {
    if (!typing) field.value = fieldText(stands, parameter.unit);
  };
  field.addEventListener('input', () => {
    typing = true;
    change(typed(field.value));
  });
  // Left, or confirmed, it shows what stands; what was refused is gone.
  field.addEventListener('change', () => {
    typing = false;
    if (field.hasAttribute('aria-invalid')) change(stands);
    write();
  });
  const show = (/** @type {Value} */ shown) => {
    stands = Number(shown);
    move(stands);
    markInvalid(field, false);
    write();
  };
  return { parts: [slider, field], show, refuse: () => markInvalid(field, true) };
}

/**
 * @param {string} prefix of the ids
 * @param {Parameter} parameter
 * @param {(value: Value) => void} change
 * @returns {Control}
 */
export function control(prefix, parameter, change) {
  const id = `${prefix}-${parameter.name}`;
  const make = parameter.choices.length ? menu : sliderAndField;
  const { parts, show, refuse } = make(id, parameter, change);
  const label = element('label', { for: id }, parameter.title);
  const status = element('span', { class: `status status-${parameter.origin}` }, parameter.origin);
  const origin = element('small', { id: `${id}-origin`, class: 'origin' }, status, ` ${parameter.source}`);
  const inputs = element('div', { class: 'control-inputs' }, ...parts);
  const row = element('div', { class: 'control' }, label, inputs);
  return { row, title: parameter.title, origin, show, refuse };
}
