// An explorer: its controls, the engine that it asks, and the numbers and charts that show the answers.
import { makeCharts } from '../chart/chart.js';
import { linkButtons } from '../copying.js';
import { button, element, find, hashOf, markCurrent, printAlone, readDescription, whenNear } from '../dom.js';
import { Client, LatestOnly } from '../engine/client.js';
import { Panel } from './controls.js';
import { Layout } from './layout.js';
import { Announcer, Readout } from './readout.js';
import { ExplorerSimulator } from './simulation.js';
import { History, isAt, readState, unknownNamesSentence, writeState } from './state.js';

/**
 * @param {State} state
 * @param {string[]} names
 * @returns {State}
 */
const pick = (state, names) => Object.fromEntries(names.map((name) => [name, state[name]]));

/** @typedef {HTMLElement & { explorer?: Explorer }} ExplorerSection */

export class Explorer {
  /**
   * @param {ExplorerSection} section
   * @param {Host} host
   */
  constructor(section, host) {
    this.section = section;
    this.host = host;
    section.explorer = this; // for the browser's console
    /** @type {ExplorerDescription} */
    this.description = readDescription(section, '.explorer-description');
    this.message = find(section, '.explorer-message');
    this.charts = makeCharts(section, this.description, (changes, gesture) => this.change(changes, gesture));
    this.state = { ...this.description.defaults };
    this.wanted = this.state;
    this.notice = ''; // shown with each answer
    this.say('');
    this.client = this.makeClient();
    this.engine = new LatestOnly(this.client, (/** @type {{ state: State }} */ { state }, reply) => {
      if ('refusal' in reply) this.refuse(state, reply);
      else if ('rows' in reply) this.show(state, reply);
    });
    this.curves = new Curves(section, this.client, this.engine, this.charts);
    this.announcer = new Announcer(section, this.description.outputs);
    this.readout = new Readout(section, this.description, (settings) => this.change(settings));
    this.history = new History();
    /** @type {Layout | null} */
    this.layout = null; // a card's markup has its own
    this.panel = this.build();
    this.links = new ExplorerLinks(this);
    const { simulation } = this.description;
    this.simulator = simulation && host.simulates(simulation) ? new ExplorerSimulator(this) : null;
    this.begin();
    this.listen();
  }

  begin() {
    const { state, unknown } = this.links.initialState();
    this.notice = unknownNamesSentence(unknown);
    this.go({ ...this.state, ...state });
  }

  makeClient() {
    const { engine } = this.host;
    const session = this.host.session('tunables.page.explorer:ExplorerSession', this.description);
    const advice = 'These numbers were computed in advance.';
    return new Client({ engine, session }, this.message, advice, () => this.change({}));
  }

  listen() {
    const { signal } = this.host;
    this.host.follow({
      moved: () => this.moveTo({ ...this.description.defaults, ...this.links.initialState().state }),
      notify: (sentence) => this.say(sentence),
    });
    this.section.addEventListener('change', () => this.history.end()); // the slider was let go
    document.addEventListener('tunables:request-state', (event) => {
      if (/** @type {CustomEvent<string>} */ (event).detail === this.description.name) this.announceState();
    }, { signal });
  }

  // Tells the maps of the same case.
  announceState() {
    document.dispatchEvent(new CustomEvent('tunables:state', { detail: this }));
  }

  build() {
    const { views } = this.description;
    const box = find(this.section, '.explorer-controls');
    const buttons = makeButtons(this), acts = element('div', { class: 'explorer-acts' }, buttons);
    this.messages = element('div', { class: 'explorer-messages' }, this.message);
    box.after(this.messages, acts, this.announcer.element);
    const panel = new Panel(this.description, (changes, gesture) => this.set(changes, gesture));
    if (views.length) {
      this.layout = new Layout(this.section, this.description, panel.controls);
      buttons.prepend(this.layout.settings.more);
      acts.after(this.layout.settings.panel);
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
   * Changes parameters by other means than typing.
   * @param {State} changes
   * @param {string} [gesture] that this is part of; a gesture is one step to undo
   */
  change(changes, gesture = '') {
    this.panel.forget(Object.keys(changes));
    this.set(changes, gesture);
  }

  /** @param {State} changes @param {string} gesture */
  set(changes, gesture) {
    this.history.note(this.state, gesture);
    this.go({ ...this.wanted, ...changes });
  }

  /** Goes to a state; anything typed is dropped. @param {State} state */
  moveTo(state) {
    this.panel.forget();
    this.go(state);
  }

  /** @param {State} state */
  go(state) {
    this.wanted = state;
    this.engine.ask({ state });
  }

  /**
   * Goes back to the last good value of the parameter that is refused, or of all that changed if the sentence is
   * about several. Other texts stay and are asked for again: they may have had no answer of their own yet.
   * @param {State} requested
   * @param {RefusedState} reply
   */
  refuse(requested, { refusal, parameter }) {
    this.say(refusal);
    this.section.dataset.engine = 'ready';
    if (!this.engine.next) {
      const changed = Object.keys(this.state).filter((name) => requested[name] !== this.state[name]);
      const refused = parameter ? [parameter] : changed;
      const kept = this.panel.typed(changed).filter((name) => !refused.includes(name));
      this.wanted = { ...this.state, ...pick(requested, kept) };
      if (kept.length) this.engine.ask({ state: this.wanted });
      this.panel.refuse(refused, refusal);
      const [row, ...others] = this.panel.refused;
      (row && !others.length ? row : this.messages)?.append(this.message); // what is wrong is beside where it is
      if (this.panel.corrections) this.message.scrollIntoView({ block: 'nearest' }); // what was typed
    }
    this.curves.resume();
  }

  /** @param {State} requested @param {Numbers} reply */
  show(requested, reply) {
    const state = this.state = reply.state; // typed text as numbers
    const later = Object.keys(state).filter((name) => this.wanted[name] !== requested[name]);
    this.wanted = { ...state, ...pick(this.wanted, later) };
    if (this.engine.next) this.engine.next = { state: this.wanted };
    this.section.dataset.engine = 'ready';
    this.panel.show(this.wanted); // not the answered state: a late reply must not pull a moving slider back
    this.say([this.notice, this.panel.corrections].filter(Boolean).join('\n')); // the panel now knows the value
    this.layout?.settings.count(this.wanted);
    this.readout.show(state, reply);
    this.charts.forEach((chart) => chart.show(state, reply.outputs));
    writeState(this.host.urlState, this.description, this.state);
    this.links.show(state, requested, reply.output_texts);
    this.announceState();
    this.announcer.announce(reply.output_texts, this.panel.readings);
    this.simulator?.follow();
    this.curves.draw(isAt(state, this.description.defaults));
  }

  /**
   * Simulates the present settings; resolves to {output: [mean, half-width]}. A replication is one run of the
   * experiment; without a number of replications there are as many as in the book.
   * @param {{ seed?: number, replications?: number }} [request]
   */
  async simulate({ seed = this.simulator?.description.seed, replications } = {}) {
    if (!this.simulator || seed === undefined) throw new Error('This explorer has no simulation.');
    return this.simulator.run(seed, replications);
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function mountExplorer(section, host) {
  return new Explorer(section, host);
}

// The curves of an explorer's charts are drawn piece by piece, after the numbers of a state.

const PIECE_S = 0.004; // of work on the curves, before the controls are looked at again
const SLOW_MS = 12; // a model is slow if its answers take longer
const PAUSE_MS = 120; // without input, before a slow model's curves are drawn

/** @typedef {import('../engine/client.js').Client<'tunables.page.explorer:ExplorerSession'>} ExplorerClient */

class Curves {
  /**
   * @param {HTMLElement} section
   * @param {ExplorerClient} client
   * @param {{ current: object | null, took_ms: number }} engine whose questions go first
   * @param {import('../chart/chart.js').Chart[]} charts
   */
  constructor(section, client, engine, charts) {
    this.client = client;
    this.engine = engine;
    this.charts = charts;
    /** @type {object | null} */
    this.drawing = null; // in progress, or interrupted by a question for numbers
    this.begun = false;
    this.waits = false;
    whenNear(section, () => {
      this.begun = true;
      if (this.waits) this.draw();
    });
  }

  /**
   * Draws the curves of the state last answered, and stops when the slider moves on. The page has pictures of the
   * defaults, which stay until the explorer is near the window.
   * @param {boolean} [atDefaults]
   */
  async draw(atDefaults = false) {
    this.begun ||= !atDefaults;
    this.waits = !this.begun;
    if (this.waits || !this.charts.length) return;
    const drawing = {};
    this.drawing = drawing;
    // A point of a slow model's curve would delay the next answer, so the input must pause first.
    if (this.engine.took_ms > SLOW_MS) await new Promise((rest) => setTimeout(rest, PAUSE_MS));
    while (this.drawing === drawing && !this.engine.current) await this.drawPiece(drawing);
  }

  /** @param {object} drawing */
  async drawPiece(drawing) {
    const reply = await this.client.ask({ draw_s: PIECE_S });
    if (this.drawing !== drawing) return;
    if (!reply) this.drawing = null;
    else if ('views' in reply) {
      reply.views?.forEach(({ curve }, index) => this.charts[index].showCurve(curve));
      this.drawing = null;
    }
  }

  // Continues after a refused question, which interrupted the drawing.
  resume() {
    if (this.drawing) this.draw();
  }
}

// Links in the text that set an explorer: <a href="#explore-rdu?max_delay_s=0.025">, and with "&chart=2" its
// second chart. A link resets every parameter that it does not name, so its text is true wherever it is opened.

class ExplorerLinks {
  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.section = explorer.section;
    this.description = explorer.description;
    /** @type {State | null} */
    this.followed = null; // the state that a link asked for
    document.addEventListener('click', (event) => {
      const target = this.clicked(event);
      if (!target) return;
      event.preventDefault();
      this.follow(target);
    }, { signal: explorer.host.signal });
  }

  /**
   * Returns what the hash of a URL says about this explorer, or null.
   * @param {string} hash
   */
  read(hash) {
    const [to, query] = hash.split('?');
    if (to !== `#${this.section.id}` || query === undefined) return null;
    const named = new URLSearchParams(query), chart = Number(named.get('chart'));
    named.delete('chart');
    return { ...readState([...named], this.description), chart };
  }

  // The state that the URL keeps, or the one of the link that opened the page.
  initialState() {
    const entries = this.explorer.host.urlState.readAll(this.description.name);
    const opened = this.takeLinkedState();
    return opened && !entries.length ? opened : readState(entries, this.description);
  }

  // Takes the state out of the hash; from now on the URL's query keeps it.
  takeLinkedState() {
    const target = this.read(location.hash);
    if (!target) return null;
    history.replaceState(null, '', `${location.pathname}${location.search}#${this.section.id}`);
    this.section.scrollIntoView();
    this.explorer.layout?.reveal(Object.keys(target.state), target.chart);
    return target;
  }

  /**
   * Returns what a click on such a link sets.
   * @param {MouseEvent} event
   */
  clicked(event) {
    return this.read(hashOf(event));
  }

  /** @param {{ state: State, chart: number }} target */
  follow({ state, chart }) {
    const { explorer, description } = this;
    this.section.scrollIntoView({ block: 'nearest' });
    for (const each of explorer.charts) each.holdPoint();
    explorer.change({ ...description.defaults, ...state });
    this.followed = explorer.wanted;
    explorer.layout?.reveal(Object.keys(state), chart);
  }

  /**
   * Says what a link has set, and marks the links whose state this is.
   * @param {State} state
   * @param {State} requested the question that it answers
   * @param {Record<string, string>} texts of the outputs
   */
  show(state, requested, texts) {
    const said = this.explorer.layout?.describeLink(requested === this.followed ? state : null, texts);
    if (said) this.explorer.announcer.say(said);
    for (const link of document.querySelectorAll(`a[href^="#${this.section.id}?"]`)) {
      const target = this.read(/** @type {HTMLAnchorElement} */ (link).hash)?.state;
      markCurrent(link, isAt(state, { ...this.description.defaults, ...target }));
    }
  }
}

/** @param {Explorer} explorer */
function makeButtons(explorer) {
  const { host: { urlState }, section, history, description: { name } } = explorer;
  const undo = button('Undo', () => explorer.moveTo(history.back(explorer.state) ?? explorer.state));
  const reset = button('Reset', () => explorer.change(explorer.description.defaults));
  const row = element('div', { class: 'explorer-buttons quiet-buttons' }, undo, reset);
  row.append(...linkButtons(section, urlState, name));
  return row;
}

// An operator's card is an explorer whose outputs are part of sentences, and which prints on one page.

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function mountCard(section, host) {
  mountExplorer(section, host);
  if (!host.prints) return;
  find(section, '.explorer-buttons').append(button('Print this card', () => printAlone(section)));
}
