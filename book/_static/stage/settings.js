// What a reader may set of a stage's machine: a few whole numbers and choices.
import { element } from '../dom.js';
import { grouped } from '../quantity.js';

/** @param {string} id @param {StageSetting} setting @param {(value: Value) => void} change */
function choice(id, { label, choices, choice_texts: texts }, change) {
  const options = choices.map((name, k) => element('option', { value: name }, texts[k]));
  const input = element('select', { id }, ...options);
  input.addEventListener('change', () => change(input.value));
  const show = (/** @type {Value} */ value) => {
    input.value = String(value);
  };
  return { row: element('div', {}, element('label', { for: id }, label), input), show };
}

/** @param {string} id @param {StageSetting} setting @param {(value: Value) => void} change */
function number(id, { label, low, high }, change) {
  const input = element('input', { type: 'range', id, min: low, max: high, step: 1 });
  const shown = element('output', { for: id });
  input.addEventListener('input', () => change(input.valueAsNumber));
  const show = (/** @type {Value} */ value) => {
    input.value = String(value);
    shown.textContent = grouped(Number(value));
  };
  return { row: element('div', {}, element('label', { for: id }, `${label} `, shown), input), show };
}

export class Settings {
  /**
   * @param {string} id
   * @param {StageSetting[]} settings
   * @param {(changes: State) => void} change
   */
  constructor(id, settings, change) {
    this.settings = settings;
    this.change = change;
    /** @type {State} */
    this.state = {};
    this.controls = settings.map((setting) => {
      const make = setting.choices.length ? choice : number;
      return make(`${id}-${setting.name}`, setting, (value) => change({ [setting.name]: value }));
    });
    this.row = element('div', { class: 'stage-settings' }, ...this.controls.map(({ row }) => row));
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    this.settings.forEach(({ name }, n) => this.controls[n].show(state[name]));
  }

  /** To the next choice of a setting, or the one before. @param {string} name @param {1 | -1} way */
  turn(name, way) {
    const choices = this.settings.find((one) => one.name === name)?.choices ?? [];
    const next = choices[choices.indexOf(String(this.state[name])) + way];
    if (next) this.change({ [name]: next });
  }

  /** What entries say of the settings; what they may not be is left out.
   * @param {[string, string][]} entries @returns {State} */
  read(entries) {
    const known = entries.flatMap(([name, text]) => {
      const setting = this.settings.find((one) => one.name === name);
      if (!setting) return [];
      const value = setting.choices.length ? text : Number(text);
      return this.allows(setting, value) ? [[name, value]] : [];
    });
    return Object.fromEntries(known);
  }

  /** @param {StageSetting} setting @param {Value} value */
  allows({ choices, low, high }, value) {
    if (typeof value === 'string') return choices.includes(value);
    return Number.isInteger(value) && value >= low && value <= high;
  }
}
