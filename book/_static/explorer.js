// Wakes one explorer: controls, the engine that is asked, the table and charts that answer.
import { Announcer } from './announcer.js';
import { Asker, Latest } from './asker.js';
import { chartsOf } from './curve/chart.js';
import { Curves } from './curves.js';
import { copyButton } from './copy-link.js';
import { button, described, element, find } from './dom.js';
import { History } from './history.js';
import { Layout } from './layout.js';
import { Panel } from './panel.js';
import { Readout } from './readout.js';
import { Setters } from './setters.js';
import { Simulate } from './simulate.js';
import { strangers, writeState } from './state.js';

/** @typedef {HTMLElement & { explorer?: Explorer }} ExplorerSection */

export class Explorer {
  /**
   * @param {ExplorerSection} section
   * @param {Host} host
   */
  constructor(section, host) {
    this.section = section;
    this.host = host;
    section.explorer = this; // for the curious, in the browser's console
    /** @type {Explored} */
    this.description = described(section, '.explorer-description');
    this.message = find(section, '.explorer-message');
    this.charts = chartsOf(section, this.description, (changes, gesture) => this.change(changes, gesture));
    this.state = { ...this.description.defaults };
    this.wanted = this.state;
    this.notice = ''; // shown until the reader goes on
    this.say('');
    this.asker = this.makeAsker();
    this.engine = new Latest(this.asker, (/** @type {{ state: State }} */ { state }, reply) => {
      if ('refusal' in reply) this.refuse(state, reply.refusal);
      else if ('rows' in reply) this.show(state, reply);
    });
    this.curves = new Curves(this.asker, this.engine, this.charts);
    this.announcer = new Announcer(section, this.description.outputs);
    this.readout = new Readout(section, this.description, (settings) => this.change(settings));
    this.history = new History();
    /** @type {Layout | null} */
    this.layout = null; // a card has its own
    this.panel = this.build();
    this.setters = new Setters(this);
    const { simulation } = this.description;
    this.simulating = simulation && host.simulates(simulation) ? new Simulate(this, simulation) : null;
    this.begin();
    this.listen();
  }

  begin() {
    const { state, unknown } = this.setters.kept();
    this.notice = strangers(unknown);
    this.go({ ...this.state, ...state });
  }

  makeAsker() {
    const { engine } = this.host;
    const talk = this.host.session('tunables.page.explorer', this.description);
    const advice = 'The numbers here were computed before.';
    return new Asker({ engine, talk }, this.message, advice, () => this.change({}));
  }

  listen() {
    const { signal } = this.host;
    this.host.follow({
      moved: () => this.go({ ...this.description.defaults, ...this.setters.kept().state }),
      told: (sentence) => this.say(sentence),
    });
    this.section.addEventListener('change', () => this.history.end()); // the slider was let go
    document.addEventListener('tunables:who', (event) => {
      if (/** @type {CustomEvent<string>} */ (event).detail === this.description.name) this.tellOthers();
    }, { signal });
  }

  // The maps beside it: what they hear is the explorer itself.
  tellOthers() {
    document.dispatchEvent(new CustomEvent('tunables:state', { detail: this }));
  }

  // Undo, Reset, and the link, where there is one.
  makeButtons() {
    const { address } = this.host.entries;
    const undo = button('Undo', () => this.go(this.history.back(this.state) ?? this.state));
    const reset = button('Reset', () => this.change(this.description.defaults));
    const copy = address ? copyButton(() => address(this.section)) : [];
    return element('div', { class: 'explorer-buttons' }, undo, reset, ...copy);
  }

  build() {
    const { views } = this.description;
    const box = find(this.section, '.explorer-controls');
    const buttons = this.makeButtons();
    box.after(buttons, this.announcer.place);
    const panel = new Panel(this.description, (changes, gesture) => this.change(changes, gesture));
    if (views.length) {
      this.layout = new Layout(this.section, this.description, panel.controls);
      buttons.prepend(this.layout.deck.more);
    } else box.append(...panel.rows());
    panel.show(this.wanted);
    return panel;
  }

  /** @param {string} sentence */
  say(sentence) {
    this.message.textContent = sentence;
    this.message.hidden = !sentence;
  }

  /**
   * @param {State} changes
   * @param {string} [gesture] of which this is a part: one step to undo
   */
  change(changes, gesture = '') {
    this.history.note(this.state, gesture);
    this.go({ ...this.wanted, ...changes });
  }

  /** @param {State} state */
  go(state) {
    this.wanted = state;
    this.engine.ask({ state });
  }

  /**
   * @param {State} asked
   * @param {string} sentence
   */
  refuse(asked, sentence) {
    this.say(sentence);
    this.section.dataset.engine = 'ready';
    this.panel.refuse(asked, this.state);
    if (!this.engine.next) this.wanted = this.state;
    this.curves.resume();
  }

  /**
   * @param {State} asked
   * @param {Numbers} reply
   */
  show(asked, reply) {
    const state = this.state = reply.state; // with what was typed as a number
    if (!this.engine.next) this.wanted = state;
    this.section.dataset.engine = 'ready';
    this.say(this.notice);
    this.panel.show(this.wanted); // not what was answered: a late reply must not pull a moving slider back
    this.layout?.deck.show(this.wanted);
    this.readout.show(state, reply);
    this.charts.forEach((chart) => chart.show(state, reply.outputs));
    writeState(this.host.entries, this.description, this.state);
    this.setters.show(state, asked, reply.output_texts);
    this.tellOthers();
    this.announcer.announce(reply.output_texts);
    this.simulating?.follow();
    this.curves.draw();
  }

  /**
   * Simulates the present settings; resolves to {output: [mean, half-width]}. A replication is
   * one run of the experiment; without a number there are as many as the book takes.
   * @param {{ seed?: number, replications?: number }} [asked]
   */
  async simulate({ seed = this.simulating?.simulated.seed, replications } = {}) {
    if (!this.simulating || seed === undefined) throw new Error('This explorer has no simulation.');
    return this.simulating.run(seed, replications);
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function wake(section, host) {
  return new Explorer(section, host);
}
