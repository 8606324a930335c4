// Simulations: their replications, the bar that starts and stops them, and "Simulate" beside an explorer.
import { button, element, find, labelField, markInvalid, primaryButton } from '../dom.js';
import { differing } from './state.js';

/** Why a simulation gave no numbers: it was refused or cancelled. */
export class NotSimulated extends Error {}

export const CANCELLED = 'You stopped the simulation.';

/**
 * Returns the number of runs: as requested, or as many as the settings need. Settings without randomness need one.
 * @param {number} needed
 * @param {number | undefined} requested
 */
function countOf(needed, requested) {
  return needed === 1 ? 1 : requested ?? needed;
}

/** @param {number} count */
export function runsText(count) {
  return count === 1 ? '1 run' : `${count} runs`;
}

/** A simulation, replication by replication, reported after each and stopped at once. */
export class Simulation {
  /**
   * @param {Host} host
   * @param {SimulatedCase} description
   */
  constructor(host, description) {
    this.host = host;
    this.description = description;
    /** @type {SimulationSession | null} */
    this.session = null;
    /** @type {((error: NotSimulated) => void) | null} */
    this.stop = null; // rejects the present run
  }

  /**
   * Resolves to the last reply. Rejects with a NotSimulated, or with an EngineError.
   * @param {Experiment} experiment
   * @param {(reply: ReplicationReport, done: number, count: number) => void} onReply after each run
   * @returns {Promise<ReplicationReport>}
   */
  async run(experiment, onReply) {
    this.cancel();
    /** @type {Promise<never>} */
    const cancelled = new Promise((_, reject) => {
      this.stop = reject;
    });
    const { stop } = this;
    try {
      return await Promise.race([this.replicate(experiment, onReply, () => this.stop === stop), cancelled]);
    } finally {
      if (this.stop === stop) this.stop = null;
    }
  }

  /**
   * @param {Experiment} experiment
   * @param {(reply: ReplicationReport, done: number, count: number) => void} onReply
   * @param {() => boolean} isCurrent
   */
  async replicate({ replications, assumptions = {}, ...experiment }, onReply, isCurrent) {
    this.session ??= this.host.simulation(this.description);
    for (let replication = 0; ; replication += 1) {
      const reply = await this.session.ask({ simulate: { ...experiment, assumptions, replication } });
      if ('refusal' in reply) throw new NotSimulated(reply.refusal);
      const count = countOf(reply.needed, replications);
      if (isCurrent()) onReply(reply, replication + 1, count);
      if (!isCurrent() || replication + 1 >= count) return reply;
    }
  }

  // An engine cannot be interrupted, so it is ended; the next run starts another.
  cancel() {
    this.stop?.(new NotSimulated(CANCELLED));
    if (this.stop) this.session?.end(CANCELLED);
    this.stop = null;
  }
}

const GO_ON = 'The formula’s results still update.';

/** The bar that starts and stops a simulation: seed, progress, and what went wrong. */
export class RunBar {
  /**
   * @param {string} id
   * @param {SimulationDescription} simulation
   * @param {{ label: string, start: () => unknown, cancel: () => void, changed: () => void }} acts
   * @param {HTMLElement} [announcement] a status that is there already
   */
  constructor(id, simulation, { label, start, cancel, changed }, announcement) {
    this.go = primaryButton(label, start);
    this.stop = button('Cancel', cancel);
    this.field = this.makeField(simulation);
    this.field.addEventListener('input', changed);
    this.progressText = element('span', { class: 'run-progress' });
    this.announcement = announcement ?? element('span', { class: 'visually-hidden', role: 'status' });
    this.note = element('p', { class: 'run-note', role: 'status' });
    this.seedPart = labelField(`${id}-seed`, 'Seed', this.field);
    this.row = element('div', { class: 'run-bar' }, this.go, this.stop, this.seedPart);
    const own = announcement ? [] : [this.announcement];
    this.foot = element('div', { class: 'run-told' }, this.progressText, ...own, this.note);
    this.turn = 0; // number of the present run
    this.stop.hidden = true;
  }

  /** @param {SimulationDescription} simulation */
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

  // Returns the number of the run, by which its end is known.
  begin() {
    this.note.textContent = '';
    this.progressText.textContent = 'Starting.';
    this.announcement.textContent = 'Simulating.';
    this.swap(this.go, this.stop);
    return this.turn += 1;
  }

  /** @param {string} words on the progress, not announced */
  progress(words) {
    this.progressText.textContent = words;
  }

  /**
   * @param {number} turn
   * @param {string} words announced to screen readers
   */
  end(turn, words) {
    if (turn !== this.turn) return;
    this.announcement.textContent = words;
    this.swap(this.stop, this.go);
  }

  /**
   * @param {number} turn
   * @param {unknown} error
   */
  fail(turn, error) {
    if (turn !== this.turn) return;
    const { message } = /** @type {Error} */ (error);
    this.progressText.textContent = '';
    this.note.textContent = error instanceof NotSimulated ? message : `${message} ${GO_ON}`;
    this.end(turn, '');
  }

  /**
   * Replaces a button by another, which takes its focus.
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

// "Simulate" in an explorer runs the published experiment at the explorer's settings, and shows each output's mean
// and interval beside the closed form and in the charts.

/**
 * What the simulator needs of an explorer.
 * @typedef {object} SimulatedExplorer
 * @property {HTMLElement} section
 * @property {Host} host
 * @property {ExplorerDescription} description
 * @property {State} state that is shown
 * @property {State} wanted that was asked for last
 * @property {import('../chart/chart.js').Chart[]} charts
 * @property {import('./layout.js').Layout | null} layout
 * @property {import('./readout.js').Announcer} announcer
 *
 * @typedef {{ state: State, seed: number, runs: number, reply: ReplicationReport }} Result
 */

export class ExplorerSimulator {
  /** @param {SimulatedExplorer} explorer */
  constructor(explorer) {
    const { section, host, description } = explorer;
    const simulation = /** @type {SimulationDescription} */ (description.simulation);
    this.explorer = explorer;
    this.description = simulation;
    /** @type {Result[]} */
    this.results = []; // one for each simulated state and seed
    /** @type {State | null} */
    this.running = null;
    this.simulation = new Simulation(host, { ...description, simulation });
    this.bar = new RunBar(`${description.name}-simulation`, simulation, {
      label: 'Simulate',
      start: () => this.start(),
      cancel: () => this.simulation.cancel(),
      changed: () => this.show(),
    }, explorer.announcer.element);
    this.more = button('More runs', () => this.start(2 * (this.result()?.runs ?? 0)));
    this.bar.row.append(this.more);
    explorer.layout?.settings.add(this.bar.seedPart);
    find(section, '.explorer-buttons').after(this.bar.row, this.bar.foot);
    section.classList.add('can-simulate'); // room for the numbers and the progress: nothing moves when they come
    this.places = new Map(description.outputs.map(({ name }) => [name, this.makePlace(section, name)]));
    this.show();
  }

  /**
   * @param {HTMLElement} section
   * @param {string} name
   */
  makePlace(section, name) {
    const place = element('dd', { class: 'simulated', 'data-simulated': name });
    find(section, `[data-output="${name}"]`).closest('div')?.append(place);
    return place;
  }

  // The result for the state shown and the seed in the field.
  result() {
    return this.ofSeed().find(({ state }) => !differing(state, this.explorer.state).length);
  }

  ofSeed() {
    return this.results.filter(({ seed }) => seed === this.bar.seed);
  }

  /** @param {number} [replications] */
  start(replications) {
    this.run(this.bar.seed, replications).catch(() => {}); // the reader has been told
  }

  /**
   * Resolves to {output: [mean, half-width]}.
   * @param {number} seed
   * @param {number} [replications]
   */
  async run(seed, replications) {
    const state = { ...this.explorer.wanted };
    this.bar.seed = seed;
    const turn = this.bar.begin();
    this.running = state;
    try {
      const reply = await this.simulation.run({ state, seed, replications }, (partial, runs, count) => {
        this.keep({ state, seed, runs, reply: partial });
        this.bar.progress(`${runs} of ${runsText(count)}`);
      });
      this.bar.end(turn, this.words(reply));
      return reply.intervals;
    } catch (error) {
      this.bar.fail(turn, error);
      throw error;
    } finally {
      if (this.running === state) this.running = null;
      this.show();
    }
  }

  /** @param {Result} result */
  keep(result) {
    const { state, seed } = result;
    this.results = this.results.filter((each) => each.seed !== seed || differing(each.state, state).length);
    this.results.push(result);
    this.show();
  }

  // The settings have changed: a run for other settings is stopped.
  follow() {
    if (this.running && differing(this.running, this.explorer.wanted).length) this.simulation.cancel();
    this.show();
  }

  show() {
    const result = this.result();
    this.more.hidden = !result || !this.hasMore(result);
    if (!this.running) this.bar.progress(result ? runsText(result.runs) : '');
    for (const [name, place] of this.places) {
      const text = result?.reply.texts[name];
      place.textContent = text ? `simulated ${text}` : '';
    }
    this.explorer.charts.forEach((chart) => chart.showSimulated(this.points(chart.view.x, chart.view.y)));
  }

  /** @param {Result} result */
  hasMore({ runs, reply }) {
    return !this.running && reply.needed > 1 && 2 * runs <= this.description.most_runs;
  }

  /**
   * Returns the points of a chart's curve: results for states that differ from the present one only in the chart's x.
   * @param {string} x
   * @param {string} y
   */
  points(x, y) {
    const { state: here } = this.explorer;
    const near = this.ofSeed().filter(({ state }) => differing(state, here).every((name) => name === x));
    return near.filter(({ reply }) => y in reply.intervals).map(({ state, reply }) => {
      const [mean, half] = reply.intervals[y];
      return { x: Number(state[x]), y: mean, low: mean - half, high: mean + half, text: reply.texts[y] };
    });
  }

  /** @param {ReplicationReport} reply */
  words({ spoken }) {
    const { outputs } = this.explorer.description;
    return outputs.filter(({ name }) => name in spoken)
      .map(({ name, label }) => `${label}, simulated: ${spoken[name]}`).join('; ');
  }
}
