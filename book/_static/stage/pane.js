// One run on a stage: its title, where it is drawn, and the scrubber that lies over its tape.
import { element } from '../dom.js';
import { timeIn } from './compare.js';
import { endOf } from './events.js';
import { Screen } from './screen.js';

export class Pane {
  /**
   * @param {Machine<any, any>} machine
   * @param {import('./clock.js').Clock} clock
   * @param {string} name of its scrubber
   */
  constructor(machine, clock, name) {
    this.machine = machine;
    /** @type {any} */
    this.trace = null;
    /** @type {any} */
    this.leads = null; // the run whose time the clock counts
    this.screen = new Screen(machine, () => clock.show());
    this.title = element('p', { class: 'stage-title' });
    const range = { type: 'range', min: 0, step: 'any', class: 'stage-scrubber', 'aria-label': name };
    this.scrubber = element('input', range);
    this.scrubber.addEventListener('input', () => {
      clock.seek(timeIn(machine, this.trace, this.scrubber.valueAsNumber, this.leads));
    });
    this.screen.box.append(this.scrubber);
    this.box = element('div', { class: 'stage-pane' }, this.title, this.screen.box);
  }

  /** Another run. @param {any} trace @param {string} title @param {any} leads whose time counts */
  give(trace, title, leads) {
    this.trace = trace;
    this.leads = leads;
    this.scrubber.max = String(endOf(this.machine.begins(trace)));
    this.title.textContent = title;
  }

  /** @param {number} t */
  stateAt(t) {
    return this.machine.state(this.trace, this.timeAt(t));
  }

  /** When it is in this run. @param {number} t of the clock */
  timeAt(t) {
    return timeIn(this.machine, this.leads, t, this.trace);
  }

  /** @param {import('./clock.js').Clock} clock */
  show({ t, event }) {
    this.screen.show(this.trace, this.stateAt(t), event);
  }

  /** What it says now, in words. @param {import('./clock.js').Clock} clock */
  tell({ t, playing }) {
    const { title, scrubber } = this, sentence = this.machine.sentence(this.stateAt(t));
    scrubber.value = String(this.timeAt(t));
    if (!playing) scrubber.setAttribute('aria-valuetext', sentence);
    return title.textContent ? `${title.textContent}. ${sentence}` : sentence;
  }
}
