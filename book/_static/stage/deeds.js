// What a reader does to a machine while it runs, as text that the address keeps, in the order in
// which it was done: "20_outage_2-60_drop" is a time, a deed and its value, and a deed without.
import { button, element } from '../dom.js';

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
    const done = (/** @type {Deed} */ { name }, /** @type {number[]} */ value) => {
      const { t, end } = clock();
      const deed = [Math.ceil(t * 100) / 100, name, ...value].join('_');
      if (t < end) act([this.text, deed].filter(Boolean).join('-'), Infinity);
      else this.told.textContent = 'The run is over: go back in it first.';
    };
    this.undo = button('Undo', () => act(this.text.split('-').slice(0, -1).join('-')));
    this.told = element('span', { class: 'stage-done', role: 'status' });
    const row = element('div', { class: 'stage-deeds', role: 'group', 'aria-label': 'Do something to it now' });
    row.append(...deeds.map((deed) => this.part(`${id}-${deed.name}`, deed, done)), this.undo, this.told);
    this.row = deeds.length ? row : '';
  }

  /** A button, and the number that belongs to it.
   * @param {string} id @param {Deed} deed @param {(deed: Deed, value: number[]) => void} done */
  part(id, deed, done) {
    const { label, range, value, unit } = deed;
    if (!range) return button(label, () => done(deed, []));
    const [min, max] = range, named = { 'aria-label': `${label}, ${unit}` };
    const input = element('input', { type: 'number', id, min, max, step: 'any', value: value ?? min, ...named });
    const press = () => done(deed, [Math.min(max, Math.max(min, input.valueAsNumber || min))]);
    return element('span', { class: 'stage-deed' }, button(label, press), input, ` ${unit}`);
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
