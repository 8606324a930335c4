// Wakes one validity map: a tolerance, a grid to walk through, and the way to the explorer.
import { Asker, Latest } from './asker.js';
import { inWords } from './axes.js';
import { Beside } from './beside.js';
import { Compute } from './compute.js';
import { described, element, find } from './dom.js';
import { Grid } from './grid.js';

/**
 * @param {Tolerance} range
 * @param {string | null} kept
 */
function keptTolerance({ low, high, usual }, kept) {
  const asked = Number(kept);
  return Number.isInteger(asked) && asked >= low && asked <= high ? asked : usual;
}

/** @param {string} words */
function capitalised(words) {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

class ValidityMap {
  /**
   * @param {HTMLElement & { validity?: ValidityMap }} section
   * @param {Host} host
   */
  constructor(section, host) {
    section.validity = this; // for the curious, in the browser's console
    this.section = section;
    this.host = host;
    /** @type {Mapped} */
    this.description = described(section, '.validity-description');
    this.summary = find(section, '.validity-summary');
    this.told = find(section, '.validity-cell');
    this.key = `validity.${this.description.name}`;
    const { low, high } = this.description.tolerance;
    this.slider = element('input', { type: 'range', id: `${this.key}-tolerance`, min: low, max: high, step: 1 });
    this.percent = element('output', { for: this.slider.id });
    this.engine = this.makeEngine();
    this.grid = this.makeGrid();
    this.beside = new Beside(section, this.description, this.grid, host.signal);
    /** @type {import('./compute.js').Cells | null} */
    this.cells = null; // computed here, in place of the printed ones
    this.computing = this.makeComputing();
    this.begin(this.kept());
    host.follow({ moved: () => this.ask(this.kept()) });
  }

  kept() {
    return keptTolerance(this.description.tolerance, this.host.entries.readEntry(this.key));
  }

  makeEngine() {
    const { engine } = this.host;
    const again = () => this.ask(Number(this.slider.value));
    const talk = this.host.session('tunables.page.verdict', this.description);
    const advice = 'The map still shows what its summary says.';
    const asker = new Asker({ engine, talk }, this.summary, advice, again);
    return new Latest(asker, (/** @type {{ tolerance: number }} */ { tolerance }, reply) => {
      if ('verdicts' in reply) this.show(tolerance, reply);
    });
  }

  makeComputing() {
    const computing = new Compute(this.description, {
      host: this.host,
      explorer: () => this.beside.explorer,
      show: (cells, settings) => {
        this.cells = cells;
        this.beside.standOn(settings);
        this.ask(Number(this.slider.value));
      },
    });
    if (this.host.simulates(this.description.simulation)) {
      find(this.section, '.validity-actions').after(computing.bar.row, computing.bar.foot);
    }
    return computing;
  }

  /**
   * Simulates the map, cell by cell; resolves to its cells, from the lowest y up. Without
   * settings they are those of the map.
   * @param {{ settings?: State, seed?: number, replications?: number }} [asked]
   */
  async compute({ settings = {}, seed = this.description.simulation.seed, replications } = {}) {
    return this.computing.run({ state: { ...this.description.settings, ...settings }, seed, replications });
  }

  makeGrid() {
    return new Grid(find(this.section, '.validity-grid'), {
      told: (place) => this.tell(place),
      chosen: () => this.beside.forget(),
      pressed: () => this.beside.setExplorer(),
    });
  }

  /** @param {number} percent */
  begin(percent) {
    const label = element('label', { for: this.slider.id }, 'Tolerance');
    find(this.section, '.validity-controls').append(label, this.slider, this.percent);
    this.slider.addEventListener('input', () => this.ask(Number(this.slider.value)));
    this.tell(this.grid.chosen);
    this.move(percent);
    if (percent === this.description.tolerance.usual) this.standAt(percent); // as the page was built
    else this.engine.ask({ tolerance: percent });
  }

  /** @param {number} percent */
  move(percent) {
    this.slider.value = String(percent);
    this.percent.textContent = `${percent} %`;
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
    this.standAt(percent);
  }

  /**
   * The map shows this tolerance: say so, and keep it in the link.
   * @param {number} percent
   */
  standAt(percent) {
    this.section.dataset.engine = 'ready';
    this.tell(this.grid.chosen);
    this.host.entries.writeEntries({ [this.key]: percent === this.description.tolerance.usual ? null : percent });
  }

  /**
   * What the cell's own name says, and where it lies.
   * @param {import('./grid.js').Place} place
   */
  tell([row, column]) {
    const { x, y } = this.description;
    const words = capitalised(this.grid.cell([row, column]).getAttribute('aria-label') ?? '');
    this.told.textContent = `${inWords(x, column)}. ${inWords(y, this.grid.fromBelow(row))}. ${words}.`;
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function wakeMap(section, host) {
  return new ValidityMap(section, host);
}
