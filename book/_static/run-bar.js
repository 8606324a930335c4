// The row that starts a simulation and stops it: the seed, how far it is, and what went wrong.
import { button, element, labelled, markInvalid } from './dom.js';
import { NotSimulated } from './simulation.js';

const GO_ON = 'The closed form goes on.';

export class RunBar {
  /**
   * @param {string} id
   * @param {Simulated} simulation
   * @param {{ label: string, start: () => unknown, cancel: () => void, changed: () => void }} acts
   */
  constructor(id, simulation, { label, start, cancel, changed }) {
    this.go = button(label, start);
    this.stop = button('Cancel', cancel);
    this.field = this.makeField(simulation);
    this.field.addEventListener('input', changed);
    this.told = element('span', { class: 'run-progress' });
    this.said = element('span', { class: 'visually-hidden', role: 'status' });
    this.note = element('p', { class: 'run-note', role: 'status' });
    this.row = element('div', { class: 'run-bar' }, this.go, this.stop, labelled(`${id}-seed`, 'Seed', this.field));
    this.foot = element('div', { class: 'run-told' }, this.told, this.said, this.note);
    this.turn = 0;
    this.stop.hidden = true;
  }

  /** @param {Simulated} simulation */
  makeField({ seed, highest_seed: max }) {
    const field = element('input', { type: 'number', min: 0, max, step: 1, value: seed, required: '' });
    field.addEventListener('input', () => markInvalid(field, !field.validity.valid));
    return field;
  }

  get seed() {
    return this.field.valueAsNumber;
  }

  set seed(seed) {
    if (seed !== this.seed) this.field.value = String(seed);
  }

  // Returns the turn, for what ends it.
  begin() {
    this.note.textContent = '';
    this.told.textContent = 'Starting.';
    this.said.textContent = 'Simulating.';
    this.swap(this.go, this.stop);
    return this.turn += 1;
  }

  /** @param {string} words how far it is, for the eye alone */
  progress(words) {
    this.told.textContent = words;
  }

  /**
   * @param {number} turn
   * @param {string} words for those who listen
   */
  end(turn, words) {
    if (turn !== this.turn) return;
    this.said.textContent = words;
    this.swap(this.stop, this.go);
  }

  /**
   * @param {number} turn
   * @param {unknown} error
   */
  fail(turn, error) {
    if (turn !== this.turn) return;
    const { message } = /** @type {Error} */ (error);
    this.told.textContent = '';
    this.note.textContent = error instanceof NotSimulated ? message : `${message} ${GO_ON}`;
    this.end(turn, '');
  }

  /**
   * One takes the place of the other, and its focus.
   * @param {HTMLElement} away
   * @param {HTMLElement} here
   */
  swap(away, here) {
    const focused = away.matches(':focus');
    here.hidden = false;
    if (focused) here.focus();
    away.hidden = true;
  }
}
