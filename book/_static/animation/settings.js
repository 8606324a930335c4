// What a reader may set of an animation, integers and choices, and what a reader may do to its run: the interventions.
import { button, element } from '../dom.js';
import { withCommas } from '../quantity.js';
import { fits, segments } from '../segments.js';

/** @param {string} id @param {AnimationSetting} setting @param {(value: Value) => void} change */
function few(id, { label, choices, choice_texts: texts }, change) {
  const named = element('span', { id: `${id}-label`, class: 'setting-label' }, label);
  const options = choices.map((name, k) => /** @type {[string, string]} */ ([name, texts[k]]));
  const { box, show } = segments(id, options, change, { 'aria-labelledby': named.id });
  return { row: element('div', { class: 'is-few' }, named, box), show };
}

/** @param {string} id @param {AnimationSetting} setting @param {(value: Value) => void} change */
function choice(id, { label, choices, choice_texts: texts }, change) {
  const options = choices.map((name, k) => element('option', { value: name }, texts[k]));
  const input = element('select', { id }, ...options);
  input.addEventListener('change', () => change(input.value));
  const show = (/** @type {Value} */ value) => {
    input.value = String(value);
  };
  return { row: element('div', {}, element('label', { for: id }, label), input), show };
}

/** @param {string} id @param {AnimationSetting} setting @param {(value: Value) => void} change */
function number(id, { label, low, high }, change) {
  const input = element('input', { type: 'range', id, min: low, max: high, step: 1 });
  const output = element('output', { for: id });
  input.addEventListener('input', () => change(input.valueAsNumber));
  const show = (/** @type {Value} */ value) => {
    input.value = String(value);
    output.textContent = withCommas(Number(value));
  };
  const named = element('label', { for: id }, `${label} `, output);
  return { row: element('div', { class: 'is-slider' }, named, input), show };
}

const FEW = 2; // settings that a phone shows at once

/**
 * The row of the settings. On a phone those after the first few are folded, so that the text is not far below.
 * @param {HTMLElement[]} rows
 * @param {number} first how many stay in view where there are more than a few
 */
function rowOf(rows, first) {
  const box = element('div', { class: 'animation-settings' }, ...rows);
  if (rows.length <= FEW) return box;
  const rest = rows.slice(first);
  for (const row of rest) row.classList.add('is-folded');
  const more = button(`${first ? 'More settings' : 'Settings'} (${rest.length})`, () => {
    more.setAttribute('aria-expanded', String(box.classList.toggle('shows-all')));
  });
  more.className = 'animation-more';
  more.setAttribute('aria-expanded', 'false');
  rest[0].before(more);
  return box;
}

export class Settings {
  /**
   * @param {string} id
   * @param {AnimationSetting[]} settings
   * @param {(changes: State) => void} change
   * @param {number} first how many of many settings a phone shows at once
   */
  constructor(id, settings, change, first) {
    this.settings = settings;
    this.change = change;
    /** @type {State} */
    this.state = {};
    this.controls = settings.map((setting) => {
      const { choices, choice_texts: texts } = setting;
      const make = choices.length ? (fits(texts) ? few : choice) : number;
      return make(`${id}-setting-${setting.name}`, setting, (value) => change({ [setting.name]: value }));
    });
    this.row = rowOf(this.controls.map(({ row }) => row), first);
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    this.settings.forEach(({ name }, n) => this.controls[n].show(state[name]));
  }

  /** Turn a setting to its next choice, or the one before. @param {string} name @param {1 | -1} way */
  turn(name, way) {
    const choices = this.settings.find((each) => each.name === name)?.choices ?? [];
    const next = choices[choices.indexOf(String(this.state[name])) + way];
    if (next) this.change({ [name]: next });
  }

  /** Return the settings in some entries, without those that are not allowed.
   * @param {[string, string][]} entries @returns {State} */
  read(entries) {
    const known = entries.flatMap(([name, text]) => {
      const setting = this.settings.find((each) => each.name === name);
      if (!setting) return [];
      const value = setting.choices.length ? text : Number(text);
      return this.allows(setting, value) ? [[name, value]] : [];
    });
    return Object.fromEntries(known);
  }

  /** @param {AnimationSetting} setting @param {Value} value */
  allows({ choices, low, high }, value) {
    if (typeof value === 'string') return choices.includes(value);
    return Number.isInteger(value) && value >= low && value <= high;
  }
}

const LONG_MS = 200, CLICK_MS = 50; // a release makes a click soon after

/**
 * Make a button one that may be held: what it begins lasts until it is released. A short press is a click, as by keys.
 * @param {HTMLButtonElement} press
 * @param {() => number} now the time of the run
 * @param {(from: number) => void} begin takes the time of the press
 * @param {(from: number, to: number) => void} end
 */
function holdable(press, now, begin, end) {
  let from = 0, waiting = 0, held = false;
  press.addEventListener('pointerdown', ({ button: which, pointerId }) => {
    if (which) return;
    press.setPointerCapture(pointerId); // it may be released outside the button
    from = now();
    waiting = window.setTimeout(() => {
      held = true;
      begin(from);
    }, LONG_MS);
  });
  const release = () => {
    clearTimeout(waiting);
    if (!held) return;
    end(from, now());
    setTimeout(() => held = false, CLICK_MS);
  };
  for (const name of ['pointerup', 'pointercancel']) press.addEventListener(name, release);
  press.addEventListener('click', (event) => {
    if (held) event.stopImmediatePropagation();
  }, { capture: true });
  press.addEventListener('contextmenu', (event) => held && event.preventDefault());
}

const HINT = 'A stop lasts for the time beside its button, or for as long as you hold the button.';
const AT_HAND = 3; // interventions always in view; the rarer ones are folded

/** A button, and the controls that it unfolds in a row of their own.
 * @param {HTMLElement[]} controls @returns {[HTMLElement | '', HTMLElement | '']} */
function folded(controls) {
  if (!controls.length) return ['', ''];
  const box = element('span', { class: 'animation-rarer' }, ...controls);
  const more = button('More', () => {
    box.hidden = !box.hidden;
    more.textContent = box.hidden ? 'More' : 'Less';
    more.setAttribute('aria-expanded', String(!box.hidden));
  });
  box.hidden = true;
  more.setAttribute('aria-expanded', 'false');
  return [more, box];
}

/** The parts of each intervention in a text. @param {string} text */
const split = (text) => text.split('-').filter(Boolean).map((part) => part.split('_'));

/** What a reader does to a run, as text kept in the address, in the order in which it was done: "20_outage_2-60_drop"
 * is a time, an intervention and its value, and one without a value. Links and settings call it `deeds`. */
export class Interventions {
  /**
   * @param {string} id
   * @param {Intervention[]} interventions
   * @param {() => import('./clock.js').Clock} clock
   * @param {(text: string, until?: number) => void} act takes all interventions, and the time at which the run pauses
   */
  constructor(id, interventions, clock, act) {
    this.known = interventions;
    this.text = '';
    this.clock = clock;
    this.act = act;
    this.undo = button('Undo', () => act(this.text.split('-').slice(0, -1).join('-')));
    this.status = element('span', { class: 'animation-done', role: 'status' });
    const named = { class: 'animation-interventions', role: 'group', 'aria-label': 'Intervene' };
    const row = element('div', named);
    const controls = interventions.map((one) => this.control(`${id}-intervention-${one.name}`, one));
    const [more, rarer] = folded(controls.slice(AT_HAND));
    const hint = interventions.some(({ range }) => range) ? [element('span', { class: 'animation-hint' }, HINT)] : [];
    row.append(...controls.slice(0, AT_HAND), more, this.undo, rarer, ...hint, this.status);
    this.row = interventions.length ? row : '';
  }

  /** Add an intervention to those done before, and let the run go on.
   * @param {string} before @param {number} t @param {string} name @param {number[]} value */
  add(before, t, name, value) {
    const intervention = [Math.ceil(t * 100) / 100, name, ...value].join('_');
    if (t < this.clock().end) this.act([before, intervention].filter(Boolean).join('-'), Infinity);
    else this.status.textContent = 'The run has ended. Step back to intervene.';
  }

  /** A button, and the number that belongs to it: how long the intervention lasts, unless the button is held.
   * @param {string} id @param {Intervention} intervention */
  control(id, { name, label, range, value, unit }) {
    if (!range) return button(label, () => this.add(this.text, this.clock().t, name, []));
    const [min, max] = range, named = { 'aria-label': `${label}, ${unit}` };
    const input = element('input', { type: 'number', id, min, max, step: 'any', value: value ?? min, ...named });
    const lasts = (/** @type {number} */ length) => (
      Math.round(100 * Math.min(max, Math.max(min, length || input.valueAsNumber || min))) / 100);
    const press = button(label, () => this.add(this.text, this.clock().t, name, [lasts(0)]));
    this.hold(press, name, lasts);
    return element('span', { class: 'animation-intervention' }, press, ' for ', input, ` ${unit}`);
  }

  /** While the button is held, the intervention lasts as long as is allowed; when it is released, until then. Where no
   * time passes meanwhile, because a reader wants no motion, it lasts as long as for a click.
   * @param {HTMLButtonElement} press @param {string} name @param {(length: number) => number} lasts */
  hold(press, name, lasts) {
    let before = '';
    holdable(press, () => this.clock().t, (from) => {
      before = this.text;
      this.add(before, from, name, [lasts(Infinity)]);
    }, (from, to) => {
      if (this.text !== before) this.add(before, from, name, [lasts(to - from)]);
    });
  }

  /** @param {Value} [text] */
  show(text = '') {
    this.text = String(text);
    this.undo.disabled = !this.text;
    this.status.textContent = split(this.text).flatMap((part) => this.words(part)).join('; ');
  }

  /** Describe an intervention in words; no words for a text in a link that is not one. @param {string[]} part */
  words([time, name, value = '']) {
    const one = this.known.find((each) => each.name === name);
    if (!one || !Number.isFinite(Number(time)) || (value && !one.unit)) return [];
    return [`${time} s: ${one.sentence}${value && ` ${value} ${one.unit}`}`];
  }

  /** Return the interventions in some entries, as a setting. @param {[string, string][]} entries @returns {State} */
  read(entries) {
    const kept = entries.find(([name]) => name === 'deeds');
    return kept && this.known.length ? { deeds: kept[1] } : {};
  }
}
