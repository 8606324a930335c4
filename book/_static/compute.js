// "Compute" on a validity map: simulates cell by cell at settings that the reader chooses, and
// hands each cell on as it arrives.
import { stateOf } from './axes.js';
import { button, element, labelled } from './dom.js';
import { RunBar } from './run-bar.js';
import { Simulation } from './simulation.js';

const PRINTED = 'as printed';
const EXPLORERS = 'of the explorer';

/** @typedef {(Mapped['cells'][number][number] | null)[][]} Cells */
/** @typedef {{ state: State, seed: number, replications?: number }} Wanted */

/**
 * @typedef {object} Acts
 * @property {Host} host
 * @property {() => { state: State } | null} explorer beside the map
 * @property {(cells: Cells | null, settings: State) => void} show
 */

/**
 * The settings off the map's axes: numbers are the explorer's, but a choice (a policy, a
 * hypothesis, a law) is what the map is of.
 * @param {State} settings of the map
 * @param {State} [state] of the explorer
 */
export function settingsOf(settings, state = settings) {
  const names = Object.keys(settings);
  return Object.fromEntries(names.map((name) => (
    [name, typeof state[name] === 'number' ? state[name] : settings[name]])));
}

export class Compute {
  /**
   * @param {Mapped} description
   * @param {Acts} map
   */
  constructor(description, { host, explorer, show }) {
    this.description = description;
    this.explorer = explorer;
    this.show = show;
    this.simulation = new Simulation(host, description);
    this.bar = new RunBar(`${description.name}-map`, description.simulation, {
      label: 'Compute',
      start: () => this.start(),
      cancel: () => this.simulation.cancel(),
      changed: () => {},
    });
    const { replications, most_runs: max } = description.simulation;
    this.runs = element('input', { type: 'number', min: 2, max, step: 1, value: replications });
    const options = [EXPLORERS, PRINTED].map((words) => element('option', {}, words));
    this.at = element('select', {}, ...options);
    this.back = button('Show the printed map', () => this.leave());
    this.back.hidden = true;
    this.bar.row.append(
      labelled(`${description.name}-map-runs`, 'Runs a cell', this.runs),
      labelled(`${description.name}-map-settings`, 'Other settings', this.at),
      this.back,
    );
  }

  wanted() {
    const { settings, simulation } = this.description;
    const runs = this.runs.valueAsNumber;
    return {
      state: this.at.value === EXPLORERS ? settingsOf(settings, this.explorer()?.state) : settings,
      seed: this.bar.seed,
      replications: runs === simulation.replications ? undefined : runs,
    };
  }

  start() {
    this.run(this.wanted()).catch(() => {}); // the reader has been told
  }

  // The map is again as it was printed.
  leave() {
    this.simulation.cancel();
    this.bar.progress('');
    this.back.hidden = true;
    this.show(null, this.description.settings);
  }

  /**
   * Resolves to the cells, from the lowest y up.
   * @param {Wanted} wanted
   */
  async run(wanted) {
    const { x, y } = this.description;
    /** @type {Cells} */
    const cells = y.values.map(() => x.values.map(() => null));
    const turn = this.bar.begin();
    this.back.hidden = false;
    this.show(cells, wanted.state);
    try {
      await this.fill(cells, wanted);
      this.bar.progress(this.words(wanted));
      this.bar.end(turn, 'The map is computed.');
      return cells;
    } catch (error) {
      this.bar.fail(turn, error);
      throw error;
    }
  }

  /**
   * @param {Cells} cells
   * @param {Wanted} wanted
   */
  async fill(cells, wanted) {
    const count = cells.length * cells[0].length;
    for (const [up, row] of cells.entries()) {
      for (const column of row.keys()) {
        row[column] = await this.cell(column, up, wanted);
        this.bar.progress(`${up * row.length + column + 1} of ${count} cells`);
        this.show(cells, wanted.state);
      }
    }
  }

  /**
   * @param {number} column
   * @param {number} up
   * @param {Wanted} wanted
   * @returns {Promise<Mapped['cells'][number][number]>}
   */
  async cell(column, up, { state: settings, seed, replications }) {
    const { x, y, outputs: [{ name }] } = this.description;
    const { state } = stateOf({ x, y, settings }, column, up);
    const places = [{ axis: x, index: column }, { axis: y, index: up }];
    const given = places.filter(({ axis }) => axis.assumed !== null);
    const assumptions = Object.fromEntries(given.map(({ axis, index }) => [axis.name, axis.values[index]]));
    const { intervals, predicted } = await this.simulation.run({ state, assumptions, seed, replications }, () => {});
    return [predicted[name], ...intervals[name]];
  }

  /** @param {Wanted} wanted */
  words({ state, seed, replications }) {
    const { settings, parameters, simulation } = this.description;
    const other = parameters.filter(({ name }) => name in settings && state[name] !== settings[name]);
    const names = other.map(({ label, name, unit_text: unit }) => `${label} ${state[name]}${unit}`);
    const where = names.length ? `, ${names.join(', ')}` : '';
    const upTo = !replications && simulation.needed ? 'up to ' : '';
    return `Computed here: seed ${seed}, ${upTo}${replications ?? simulation.replications} runs a cell${where}.`;
  }
}
