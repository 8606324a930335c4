// The runs on a stage: one, or two beside each other on one clock. Where there is no room for both,
// as on a phone, a switch says which is seen.
import { button, element } from '../dom.js';
import { momentAt, timeOf, together } from './compare.js';
import { Pane } from './pane.js';

const NAMES = ['Time', 'Time of the other run'];

export class Panes {
  /**
   * @param {Machine<any, any>} machine
   * @param {import('./clock.js').Clock} clock
   */
  constructor(machine, clock) {
    this.machine = machine;
    this.clock = clock;
    this.all = NAMES.map((name) => new Pane(machine, clock, name));
    this.shown = this.all.slice(0, 1);
    this.tabs = this.all.map((pane, n) => button('', () => this.turn(n)));
    const named = { class: 'stage-tabs', role: 'group', 'aria-label': 'Which run is shown' };
    this.row = element('div', named, ...this.tabs);
    this.box = element('div', { class: 'stage-panes' }, this.all[0].box);
    this.turn(0);
  }

  get traces() {
    return this.shown.map(({ trace }) => trace);
  }

  /** The times of all events. */
  get begins() {
    return together(this.machine, this.traces);
  }

  /** The moment that is shown. */
  get moment() {
    return momentAt(this.machine, this.traces, this.clock.t);
  }

  /** @param {Moment} moment */
  timeOf(moment) {
    return timeOf(this.machine, this.traces, moment);
  }

  /** Other runs. @param {any[]} traces @param {string[]} titles, none for a run alone */
  give(traces, titles) {
    if (traces.length !== this.shown.length) this.lay(traces.length);
    this.shown.forEach((pane, n) => {
      pane.give(traces[n], titles[n] ?? '', traces[0]);
      this.tabs[n].textContent = titles[n] ?? '';
    });
  }

  /** @param {number} count of runs */
  lay(count) {
    const comparing = count > 1;
    this.shown = this.all.slice(0, count);
    this.box.classList.toggle('is-comparing', comparing);
    this.box.closest('.stage-live')?.classList.toggle('compares', comparing);
    this.box.replaceChildren(...comparing ? [this.row] : [], ...this.shown.map(({ box }) => box));
  }

  /** Which is seen where there is room for one. @param {number} which */
  turn(which) {
    this.all.forEach(({ box }, n) => {
      box.classList.toggle('is-turned', n === which);
      this.tabs[n].setAttribute('aria-pressed', String(n === which));
    });
  }

  show() {
    for (const pane of this.shown) pane.show(this.clock);
  }

  tell() {
    return this.shown.map((pane) => pane.tell(this.clock)).join('\n');
  }
}
