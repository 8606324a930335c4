// Wakes a comparison: two settings of a simulation, run by run, with common random numbers or not.
import { update } from './charts.js';
import { described, element, find, labelled } from './dom.js';
import { RunBar } from './run-bar.js';
import { Simulation } from './simulation.js';

const SHOWN_DIGITS = 6;

/** @param {number} value */
function shown(value) {
  return String(Number(value.toPrecision(SHOWN_DIGITS)));
}

/** @param {string} words */
function capitalised(words) {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** @param {string[]} words */
function menu(words) {
  return element('select', {}, ...words.map((each, n) => element('option', { value: n }, each)));
}

/**
 * The number that stands in a field: the exact one where nobody has typed another.
 * @param {HTMLInputElement} field
 * @param {number} exact
 */
function numberOf(field, exact) {
  return field.value === shown(exact) ? exact : field.valueAsNumber;
}

class Comparison {
  /**
   * @param {HTMLElement & { comparison?: Comparison }} section
   * @param {Host} host
   */
  constructor(section, host) {
    section.comparison = this; // for the curious, in the browser's console
    /** @type {Comparable} */
    this.description = described(section, '.comparing-description');
    const { name, simulation, varied, labels, runs } = this.description;
    this.means = [...section.querySelectorAll('.comparing-means td')];
    this.chart = find(section, 'figure.tunables-chart');
    this.verdict = find(section, '.comparing-verdict');
    this.widths = find(section, '.comparing-widths tbody');
    this.simulation = new Simulation(host, this.description);
    this.parameter = menu(varied.map(({ title }) => title));
    this.output = menu(labels);
    this.a = element('input', { type: 'number', step: 'any' });
    this.b = element('input', { type: 'number', step: 'any' });
    this.runs = element('input', { type: 'number', min: 2, max: simulation.most_runs, step: 1, value: runs });
    this.common = element('input', { type: 'checkbox', checked: '' });
    this.bar = new RunBar(`compare-${name}`, simulation, {
      label: 'Simulate',
      start: () => this.start(),
      cancel: () => this.simulation.cancel(),
      changed: () => {},
    });
    this.build(find(section, '.comparing-controls'));
  }

  /** @param {HTMLElement} controls */
  build(controls) {
    const { name } = this.description;
    /** @type {[string, string, HTMLElement][]} */
    const fields = [
      ['varied', 'What differs', this.parameter], ['a', 'in A', this.a], ['b', 'in B', this.b],
      ['output', 'What is compared', this.output], ['runs', 'Runs', this.runs],
      ['common', 'Common random numbers', this.common],
    ];
    const row = element('div', { class: 'run-bar' });
    row.append(...fields.map(([id, label, input]) => labelled(`compare-${name}-${id}`, label, input)));
    controls.replaceChildren(row, this.bar.row, this.bar.foot);
    this.parameter.addEventListener('change', () => this.fill());
    this.fill();
  }

  varied() {
    return this.description.varied[Number(this.parameter.value)];
  }

  fill() {
    const { a, b } = this.varied();
    this.a.value = shown(a);
    this.b.value = shown(b);
  }

  wanted() {
    const { defaults, outputs } = this.description;
    const { name, a, b } = this.varied();
    const [state, other] = [numberOf(this.a, a), numberOf(this.b, b)].map((value) => ({ ...defaults, [name]: value }));
    const output = outputs[Number(this.output.value)].name;
    return {
      state,
      seed: this.bar.seed,
      replications: this.runs.valueAsNumber,
      against: { state: other, output, common: this.common.checked },
    };
  }

  start() {
    this.run(this.wanted()).catch(() => {}); // the reader has been told
  }

  /**
   * Resolves to what the runs tell.
   * @param {Experiment} wanted
   */
  async run(wanted) {
    const turn = this.bar.begin();
    try {
      const { compared } = await this.simulation.run(wanted, (reply, done, count) => {
        this.bar.progress(`${done} of ${count} runs at each setting`);
        if (reply.compared) this.show(reply.compared);
      });
      this.bar.end(turn, `B − A: ${compared?.texts[2]}; ${compared?.verdict}.`);
      return compared;
    } catch (error) {
      this.bar.fail(turn, error);
      throw error;
    }
  }

  /** @param {Told} told */
  show({ texts, verdict, widths, points }) {
    texts.forEach((text, n) => {
      this.means[n].textContent = text;
    });
    this.verdict.textContent = `${capitalised(verdict)}.`;
    this.widths.replaceChildren(...widths.map((row) => (
      element('tr', {}, ...row.map((cell) => element('td', {}, cell))))));
    if (points.length) update(this.chart, { points });
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function wakeComparison(section, host) {
  return new Comparison(section, host);
}
