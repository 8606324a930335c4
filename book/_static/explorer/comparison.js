// A comparison of two settings of a simulation, run by run, with or without common random numbers.
import { update } from '../chart/vega.js';
import { element, find, labelField, readDescription } from '../dom.js';
import { capitalise } from '../quantity.js';
import { RunBar, Simulation } from './simulation.js';

const SHOWN_DIGITS = 6;

/** @param {number} value */
function formatValue(value) {
  return String(Number(value.toPrecision(SHOWN_DIGITS)));
}

/** @param {string[]} words */
function menu(words) {
  return element('select', {}, ...words.map((each, n) => element('option', { value: n }, each)));
}

/**
 * Returns the number in a field: the exact one unless the reader has typed another.
 * @param {HTMLInputElement} field
 * @param {number} exact
 */
function numberOf(field, exact) {
  return field.value === formatValue(exact) ? exact : field.valueAsNumber;
}

class Comparison {
  /**
   * @param {HTMLElement & { comparison?: Comparison }} section
   * @param {Host} host
   */
  constructor(section, host) {
    section.comparison = this; // for the browser's console
    /** @type {ComparisonDescription} */
    this.description = readDescription(section, '.comparing-description');
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
      ['varied', 'Setting to change', this.parameter], ['a', 'Value in A', this.a], ['b', 'Value in B', this.b],
      ['output', 'Result to compare', this.output], ['runs', 'Runs', this.runs],
      ['common', 'Common random numbers', this.common],
    ];
    const row = element('div', { class: 'run-bar' });
    row.append(...fields.map(([id, label, input]) => labelField(`compare-${name}-${id}`, label, input)));
    controls.replaceChildren(row, this.bar.row, this.bar.foot);
    this.parameter.addEventListener('change', () => this.fill());
    this.fill();
  }

  variedParameter() {
    return this.description.varied[Number(this.parameter.value)];
  }

  fill() {
    const { a, b } = this.variedParameter();
    this.a.value = formatValue(a);
    this.b.value = formatValue(b);
  }

  experiment() {
    const { defaults, outputs } = this.description;
    const { name, a, b } = this.variedParameter();
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
    this.run(this.experiment()).catch(() => {}); // the reader has been told
  }

  /**
   * Resolves to the report on the runs.
   * @param {Experiment} experiment
   */
  async run(experiment) {
    const turn = this.bar.begin();
    try {
      const { compared } = await this.simulation.run(experiment, (reply, done, count) => {
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

  /** @param {ComparisonReport} report */
  show({ texts, verdict, widths, points }) {
    texts.forEach((text, n) => {
      this.means[n].textContent = text;
    });
    this.verdict.textContent = `${capitalise(verdict)}.`;
    this.widths.replaceChildren(...widths.map((row) => (
      element('tr', {}, ...row.map((cell) => element('td', {}, cell))))));
    if (points.length) update(this.chart, { points });
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function mountComparison(section, host) {
  return new Comparison(section, host);
}
