// What a reader does to a machine while it runs, as text that the address keeps, in the order in
// which it was done: "20_outage_2-60_drop" is a time, a deed and its value, and a deed without.
import { button, element } from '../dom.js';
import { holdable } from './hold.js';

/** @param {string} text */
const parted = (text) => text.split('-').filter(Boolean).map((part) => part.split('_'));

export class Deeds {
  /**
   * @param {string} id
   * @param {Deed[]} deeds
   * @param {() => import('./clock.js').Clock} clock
   * @param {(text: string, until?: number) => void} act is told all that is done, and till when it runs on
   */
  constructor(id, deeds, clock, act) {
    this.deeds = deeds;
    this.text = '';
    this.clock = clock;
    this.act = act;
    this.undo = button('Undo', () => act(this.text.split('-').slice(0, -1).join('-')));
    this.told = element('span', { class: 'stage-done', role: 'status' });
    const row = element('div', { class: 'stage-deeds', role: 'group', 'aria-label': 'Do something to it now' });
    row.append(...deeds.map((deed) => this.part(`${id}-${deed.name}`, deed)), this.undo, this.told);
    this.row = deeds.length ? row : '';
  }

  /** A deed goes to what was done before, and the run goes on.
   * @param {string} before @param {number} t @param {string} name @param {number[]} value */
  add(before, t, name, value) {
    const deed = [Math.ceil(t * 100) / 100, name, ...value].join('_');
    if (t < this.clock().end) this.act([before, deed].filter(Boolean).join('-'), Infinity);
    else this.told.textContent = 'The run is over: go back in it first.';
  }

  /** A button, and the number that belongs to it: how long it lasts, unless it is held.
   * @param {string} id @param {Deed} deed */
  part(id, { name, label, range, value, unit }) {
    if (!range) return button(label, () => this.add(this.text, this.clock().t, name, []));
    const [min, max] = range, named = { 'aria-label': `${label}, ${unit}` };
    const input = element('input', { type: 'number', id, min, max, step: 'any', value: value ?? min, ...named });
    const lasts = (/** @type {number} */ length) => (
      Math.round(100 * Math.min(max, Math.max(min, length || input.valueAsNumber || min))) / 100);
    const press = button(label, () => this.add(this.text, this.clock().t, name, [lasts(0)]));
    this.hold(press, name, lasts);
    return element('span', { class: 'stage-deed' }, press, input, ` ${unit}, or hold`);
  }

  /** Held, it lasts until it is let go, and till then as long as it may; where no time passes
   * meanwhile, since a reader wants no motion, as long as a click.
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
    this.told.textContent = parted(this.text).map(([time, name, value = '']) => {
      const deed = this.deeds.find((one) => one.name === name);
      return `${time} s: ${deed?.told ?? name}${value && ` ${value} ${deed?.unit}`}`;
    }).join('; ');
  }

  /** What entries say of the deeds. @param {[string, string][]} entries @returns {State} */
  read(entries) {
    const kept = entries.find(([name]) => name === 'deeds');
    return kept && this.deeds.length ? { deeds: kept[1] } : {};
  }
}
