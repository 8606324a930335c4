// A validity map: its tolerance, a grid to walk through, a link to the explorer, and cells computed here.
import { button, element, find, labelField, markCurrent, readDescription } from '../dom.js';
import { Client, LatestOnly } from '../engine/client.js';
import { capitalise } from '../quantity.js';
import { RunBar, Simulation } from './simulation.js';
import { describePlace, Grid, indexOnAxis, stateOfCell } from './validity-grid.js';

/**
 * @param {Tolerance} range
 * @param {string | null} text
 */
function parseTolerance({ low, high, usual }, text) {
  const percent = Number(text);
  return Number.isInteger(percent) && percent >= low && percent <= high ? percent : usual;
}

class ValidityMap {
  /**
   * @param {HTMLElement & { validity?: ValidityMap }} section
   * @param {Host} host
   */
  constructor(section, host) {
    section.validity = this; // for the browser's console
    this.section = section;
    this.host = host;
    /** @type {MapDescription} */
    this.description = readDescription(section, '.validity-description');
    this.summary = find(section, '.validity-summary');
    this.cellText = find(section, '.validity-cell');
    this.key = `validity.${this.description.name}`;
    const { low, high } = this.description.tolerance;
    this.slider = element('input', { type: 'range', id: `${this.key}-tolerance`, min: low, max: high, step: 1 });
    this.percent = element('output', { for: this.slider.id });
    this.engine = this.makeEngine();
    this.grid = this.makeGrid();
    this.linked = new LinkedExplorer(section, this.description, this.grid, host.signal);
    /** @type {Cells | null} */
    this.cells = null; // computed here, instead of the printed ones
    this.computation = this.makeComputation();
    this.begin(this.linkedTolerance());
    host.follow({ moved: () => this.ask(this.linkedTolerance()) });
  }

  linkedTolerance() {
    return parseTolerance(this.description.tolerance, this.host.urlState.read(this.key));
  }

  makeEngine() {
    const { engine } = this.host;
    const again = () => this.ask(Number(this.slider.value));
    const session = this.host.session('tunables.page.validity:ValiditySession', this.description);
    const advice = 'The map and its summary still show the previous result.';
    const client = new Client({ engine, session }, this.summary, advice, again);
    return new LatestOnly(client, (/** @type {{ tolerance: number }} */ { tolerance }, reply) => {
      if ('verdicts' in reply) this.show(tolerance, reply);
    });
  }

  makeComputation() {
    const computation = new MapComputation(this.description, {
      host: this.host,
      explorer: () => this.linked.explorer,
      show: (cells, settings) => {
        this.cells = cells;
        this.linked.setSettings(settings);
        this.ask(Number(this.slider.value));
      },
    });
    if (this.host.simulates(this.description.simulation)) {
      find(this.section, '.validity-actions').after(computation.bar.row, computation.bar.foot);
    }
    return computation;
  }

  /**
   * Simulates the map, cell by cell; resolves to its cells, from the lowest y up. Settings that are not given are
   * the map's.
   * @param {{ settings?: State, seed?: number, replications?: number }} [request]
   */
  async compute({ settings = {}, seed = this.description.simulation.seed, replications } = {}) {
    return this.computation.run({ state: { ...this.description.settings, ...settings }, seed, replications });
  }

  makeGrid() {
    return new Grid(find(this.section, '.validity-grid'), {
      pointed: (place) => this.tell(place),
      chosen: () => this.linked.chose(),
      pressed: () => this.linked.setExplorer(),
    });
  }

  /** @param {number} percent */
  begin(percent) {
    const label = element('label', { for: this.slider.id }, 'Tolerance');
    find(this.section, '.validity-controls').append(label, this.slider, this.percent);
    this.slider.addEventListener('input', () => this.ask(Number(this.slider.value)));
    this.tell(this.grid.chosen);
    this.move(percent);
    if (percent === this.description.tolerance.usual) this.showTolerance(percent); // as the page was built
    else this.engine.ask({ tolerance: percent });
  }

  /** @param {number} percent */
  move(percent) {
    this.slider.value = String(percent);
    this.percent.textContent = `${percent}%`;
    this.slider.setAttribute('aria-valuetext', `${percent} percent`);
  }

  /** @param {number} percent */
  ask(percent) {
    this.move(percent);
    this.engine.ask({ tolerance: percent, ...(this.cells && { cells: this.cells }) });
  }

  /**
   * @param {number} percent
   * @param {Verdicts} reply
   */
  show(percent, { verdicts, sizes, texts, summary }) {
    this.grid.rows.forEach((row, index) => {
      const y = this.grid.fromBelow(index);
      row.forEach((cell, x) => {
        cell.dataset.verdict = verdicts[y][x];
        cell.dataset.size = String(sizes[y][x]);
        cell.textContent = this.description.signs[verdicts[y][x]];
        cell.setAttribute('aria-label', texts[y][x]);
      });
    });
    this.summary.textContent = summary;
    this.showTolerance(percent);
  }

  /**
   * Says that the map shows this tolerance, and keeps it in the URL.
   * @param {number} percent
   */
  showTolerance(percent) {
    this.section.dataset.engine = 'ready';
    this.tell(this.grid.chosen);
    this.host.urlState.write({ [this.key]: percent === this.description.tolerance.usual ? null : percent });
  }

  /**
   * Says what a cell shows, and where it is.
   * @param {import('./validity-grid.js').Place} place
   */
  tell([row, column]) {
    const { x, y } = this.description;
    const words = capitalise(this.grid.cell([row, column]).getAttribute('aria-label') ?? '');
    this.cellText.textContent = `${describePlace(x, column)}. ${describePlace(y, this.grid.fromBelow(row))}. ${words}.`;
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function mountMap(section, host) {
  return new ValidityMap(section, host);
}

// The explorer of the same case: the map outlines its cell, and sets it to the chosen cell.

class LinkedExplorer {
  /**
   * @param {HTMLElement} section
   * @param {MapDescription} description
   * @param {import('./validity-grid.js').Grid} grid
   * @param {AbortSignal} signal
   */
  constructor(section, description, grid, signal) {
    this.description = description;
    this.grid = grid;
    this.here = find(section, '.validity-here');
    this.confirmation = element('span', { role: 'status' });
    /** @type {import('./explorer.js').Explorer | null} */
    this.explorer = null;
    this.setButton = button('Set the explorer to this cell', () => this.setExplorer());
    this.setButton.hidden = true;
    const actions = element('div', { class: 'validity-actions' }, this.setButton, this.confirmation);
    find(section, '.validity-cell').after(actions);
    // The explorer may be in a shadow root, or be mounted again: events on the document reach it.
    document.addEventListener('tunables:state', (event) => {
      const explorer = /** @type {CustomEvent<import('./explorer.js').Explorer>} */ (event).detail;
      if (explorer.description.name === description.name) this.follow(explorer);
    }, { signal });
    document.dispatchEvent(new CustomEvent('tunables:request-state', { detail: description.name }));
  }

  /** @param {import('./explorer.js').Explorer} explorer */
  follow(explorer) {
    this.explorer = explorer;
    this.setButton.hidden = false;
    this.mark(explorer.state);
  }

  /**
   * Notes the settings that the map now shows.
   * @param {State} settings off its axes
   */
  setSettings(settings) {
    this.description = { ...this.description, settings };
    if (this.explorer) this.mark(this.explorer.state);
  }

  // Another cell was chosen, which the explorer is not set to.
  chose() {
    this.confirmation.textContent = '';
    if (this.explorer) this.mark(this.explorer.state);
  }

  /**
   * Outlines the cell of the explorer's state, if it is on the map.
   * @param {State} state
   */
  mark(state) {
    const { x, y, settings } = this.description;
    const other = Object.keys(settings).find((name) => state[name] !== settings[name]);
    const [column, up] = [indexOnAxis(x, state), indexOnAxis(y, state)];
    const here = !other && column >= 0 && up >= 0 ? this.grid.cell([this.grid.fromBelow(up), column]) : null;
    this.here.textContent = here ? this.outlines(here) : this.elsewhere(state, other);
    for (const cell of this.grid.rows.flat()) {
      cell.classList.toggle('is-here', cell === here);
      markCurrent(cell, cell === here);
    }
  }

  /** Says which outline is which. @param {HTMLElement} here the cell of the explorer's state */
  outlines(here) {
    return here === this.grid.cell(this.grid.chosen)
      ? 'The outlined cell is both the chosen one and the explorer’s setting.'
      : 'The cell outlined in blue is the chosen one. The other outlined cell is the explorer’s setting.';
  }

  /**
   * @param {State} state
   * @param {string} [name] of a parameter that has another value on the map
   */
  elsewhere(state, name) {
    if (!name) return 'The explorer’s setting is outside the map.';
    const parameters = this.explorer?.description.parameters;
    const label = parameters?.find((parameter) => parameter.name === name)?.label;
    const here = this.description.settings[name];
    return `The explorer’s setting isn’t on this map: in the explorer, “${label}” is set to ${state[name]}, `
      + `but this map is for ${here}.`;
  }

  setExplorer() {
    if (!this.explorer) return;
    const [row, column] = this.grid.chosen;
    const { state, missing } = stateOfCell(this.description, column, this.grid.fromBelow(row));
    this.explorer.change(state);
    this.confirmation.textContent = missing.length
      ? `The explorer is set to this cell, but it has no “${missing[0]}”, so it shows the formula without that.`
      : 'The explorer is set to this cell.';
  }
}

// "Compute" simulates the map cell by cell at settings that the reader chooses, and shows each cell as it arrives.

const PRINTED = 'as in the book';
const EXPLORERS = 'as in the explorer';

/** @typedef {(MapDescription['cells'][number][number] | null)[][]} Cells */
/** @typedef {{ state: State, seed: number, replications?: number }} MapExperiment */

/**
 * @typedef {object} Acts
 * @property {Host} host
 * @property {() => { state: State } | null} explorer of the same case
 * @property {(cells: Cells | null, settings: State) => void} show
 */

/**
 * Returns settings for the parameters that are not on the map's axes: numbers are the explorer's, but choices (a
 * policy, a hypothesis, a law) are the map's.
 * @param {State} settings of the map
 * @param {State} [state] of the explorer
 */
function settingsForMap(settings, state = settings) {
  const names = Object.keys(settings);
  return Object.fromEntries(names.map((name) => (
    [name, typeof state[name] === 'number' ? state[name] : settings[name]])));
}

class MapComputation {
  /**
   * @param {MapDescription} description
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
    this.back = button('Back to the book’s map', () => this.showPrinted());
    this.back.hidden = true;
    this.bar.row.append(
      labelField(`${description.name}-map-runs`, 'Runs per cell', this.runs),
      labelField(`${description.name}-map-settings`, 'Other settings', this.at),
      this.back,
    );
  }

  experiment() {
    const { settings, simulation } = this.description;
    const runs = this.runs.valueAsNumber;
    return {
      state: this.at.value === EXPLORERS ? settingsForMap(settings, this.explorer()?.state) : settings,
      seed: this.bar.seed,
      replications: runs === simulation.replications ? undefined : runs,
    };
  }

  start() {
    this.run(this.experiment()).catch(() => {}); // the reader has been told
  }

  // Shows the map as it was printed.
  showPrinted() {
    this.simulation.cancel();
    this.bar.progress('');
    this.back.hidden = true;
    this.show(null, this.description.settings);
  }

  /**
   * Resolves to the cells, from the lowest y up.
   * @param {MapExperiment} experiment
   */
  async run(experiment) {
    const { x, y } = this.description;
    /** @type {Cells} */
    const cells = y.values.map(() => x.values.map(() => null));
    const turn = this.bar.begin();
    this.back.hidden = false;
    this.show(cells, experiment.state);
    try {
      await this.fill(cells, experiment);
      this.bar.progress(this.words(experiment));
      this.bar.end(turn, 'The map has been computed.');
      return cells;
    } catch (error) {
      this.bar.fail(turn, error);
      throw error;
    }
  }

  /**
   * @param {Cells} cells
   * @param {MapExperiment} experiment
   */
  async fill(cells, experiment) {
    const count = cells.length * cells[0].length;
    for (const [up, row] of cells.entries()) {
      for (const column of row.keys()) {
        row[column] = await this.cell(column, up, experiment);
        this.bar.progress(`${up * row.length + column + 1} of ${count} cells`);
        this.show(cells, experiment.state);
      }
    }
  }

  /**
   * @param {number} column
   * @param {number} up
   * @param {MapExperiment} experiment
   * @returns {Promise<MapDescription['cells'][number][number]>}
   */
  async cell(column, up, { state: settings, seed, replications }) {
    const { x, y, outputs: [{ name }] } = this.description;
    const { state } = stateOfCell({ x, y, settings }, column, up);
    const places = [{ axis: x, index: column }, { axis: y, index: up }];
    const given = places.filter(({ axis }) => axis.assumed !== null);
    const assumptions = Object.fromEntries(given.map(({ axis, index }) => [axis.name, axis.values[index]]));
    const { intervals, predicted } = await this.simulation.run({ state, assumptions, seed, replications }, () => {});
    return [predicted[name], ...intervals[name]];
  }

  /** @param {MapExperiment} experiment */
  words({ state, seed, replications }) {
    const { settings, parameters, simulation } = this.description;
    const other = parameters.filter(({ name }) => name in settings && state[name] !== settings[name]);
    const names = other.map(({ label, name, unit_text: unit }) => `${label} ${state[name]}${unit}`);
    const where = names.length ? `, ${names.join(', ')}` : '';
    const upTo = !replications && simulation.needed ? 'up to ' : '';
    return `Computed here with seed ${seed}, ${upTo}${replications ?? simulation.replications} runs per cell${where}.`;
  }
}
