// "Simulate" beside an explorer's numbers: runs the published experiment at its settings, shows
// each output's mean and interval beside the closed form, and the point in the charts.
import { button, element, find } from './dom.js';
import { RunBar } from './run-bar.js';
import { Simulation, runsText } from './simulation.js';
import { differing } from './state.js';

/** @typedef {{ state: State, seed: number, runs: number, reply: Replicated }} Result */

export class Simulate {
  /**
   * @param {import('./explorer.js').Explorer} explorer
   * @param {Simulated} simulated
   */
  constructor(explorer, simulated) {
    const { section, host, description } = explorer;
    this.explorer = explorer;
    this.simulated = simulated;
    /** @type {Result[]} */
    this.results = []; // of all settings that were simulated
    /** @type {State | null} */
    this.running = null;
    this.simulation = new Simulation(host, { ...description, simulation: simulated });
    this.bar = new RunBar(`${description.name}-simulation`, simulated, {
      label: 'Simulate',
      start: () => this.start(),
      cancel: () => this.simulation.cancel(),
      changed: () => this.show(),
    });
    this.more = button('More runs', () => this.start(2 * (this.result()?.runs ?? 0)));
    this.bar.row.append(this.more);
    find(section, '.explorer-buttons').after(this.bar.row, this.bar.foot);
    this.places = new Map(description.outputs.map(({ name }) => [name, this.makePlace(section, name)]));
    this.show();
  }

  /**
   * @param {HTMLElement} section
   * @param {string} name
   */
  makePlace(section, name) {
    const place = element('span', { class: 'simulated', 'data-simulated': name });
    find(section, `[data-output="${name}"]`).parentElement?.append(place);
    return place;
  }

  // What was simulated at the settings that the explorer shows, from the seed in the field.
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
      const reply = await this.simulation.run({ state, seed, replications }, (told, runs, count) => {
        this.keep({ state, seed, runs, reply: told });
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

  // The settings have moved: what runs for others is stopped.
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
    return !this.running && reply.needed > 1 && 2 * runs <= this.simulated.most_runs;
  }

  /**
   * What was simulated at settings that differ in a chart's x alone lies on its curve.
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

  /** @param {Replicated} reply */
  words({ texts }) {
    const { outputs } = this.explorer.description;
    return outputs.filter(({ name }) => name in texts)
      .map(({ name, label, unit_text: unit }) => `${label}, simulated: ${texts[name]}${unit}`).join('; ');
  }
}
