// An explorer's live chart, in the <figure> of a view: at its pixel size, under the reader's hand.
import { fitting, quantity, shown } from '../quantity.js';
import { Axis } from './axis.js';
import { draw } from './draw.js';
import { evidence } from './evidence.js';
import { listen } from './hand.js';
import { Kept } from './kept.js';
import { read } from './lines.js';
import { Screen } from './screen.js';

const NEAR_PX = 14; // of a published number that is pointed at

export class Chart {
  /**
   * @param {HTMLElement} figure
   * @param {Explored} description
   * @param {number} index of the view
   * @param {(changes: State, gesture: string) => void} change
   */
  constructor(figure, description, index, change) {
    this.description = description;
    this.view = description.views[index];
    this.change = change;
    const { parameters, outputs, defaults } = description;
    this.parameter = /** @type {Parameter} */ (parameters.find(({ name }) => name === this.view.x));
    this.output = outputs.find(({ name }) => name === this.view.y) ?? { label: this.view.title, unit: '1' };
    this.axis = new Axis(this.view.domain);
    this.kept = new Kept(parameters, this.view.x);
    this.state = defaults;
    /** @type {Sampled} */
    this.curve = [];
    /** @type {Plotted['here']} */
    this.here = null;
    /** @type {Simulation[]} */
    this.simulated = [];
    /** @type {number | null} */
    this.reading = null;
    /** @type {Frame | null} */
    this.plot = null;
    this.waits = false;
    this.screen = new Screen(figure, this);
    this.svg = this.screen.svg;
    listen(this);
  }

  /**
   * The marker, at a state that was answered.
   * @param {State} state
   * @param {Numbers['outputs']} outputs
   */
  show(state, outputs) {
    const y = outputs[this.view.y];
    this.state = state;
    this.here = { x: this.x(), y: typeof y === 'number' ? y : null };
    this.update();
  }

  /** @param {Sampled} curve of the state shown */
  showCurve(curve) {
    const { view, parameter: { label, low, high } } = this;
    this.curve = curve;
    const spoken = { 'aria-label': `${view.title}: ${label}`, 'aria-valuemin': low, 'aria-valuemax': high };
    if (!this.screen.awake) this.screen.wake({ ...spoken, 'aria-valuenow': this.x() }, () => this.draw());
    this.update();
  }

  /** @param {Simulation[]} simulated */
  showSimulated(simulated) {
    this.simulated = simulated;
    this.update();
  }

  x() {
    return Number(this.state[this.view.x]);
  }

  /**
   * @param {number} x
   * @param {boolean} [ends] the gesture
   */
  set(x, ends = false) {
    if (x !== this.x()) this.change({ [this.view.x]: x }, this.view.x);
    if (ends) this.svg.dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** @param {number | null} x */
  read(x) {
    this.reading = x;
    if (x === null) this.screen.note.textContent = '';
    this.update();
  }

  /**
   * Tells of the published number that is pointed at.
   * @param {number} x
   * @param {number} y
   */
  point(x, y) {
    const { plot } = this;
    const found = plot && this.published().find((item) => (
      Math.hypot(plot.x(item.x) - x, plot.y(item.y) - y) < NEAR_PX));
    this.screen.note.textContent = found ? found.told : '';
  }

  published() {
    return evidence(this.description, this.view, this.state);
  }

  keep() {
    this.kept.add(this.state, this.curve);
    this.update();
  }

  drop() {
    this.kept.clear();
    this.update();
  }

  rescale() {
    this.axis.turn(this.curves());
    this.update();
  }

  curves() {
    return [this.curve, ...this.kept.curves.map(({ points }) => points)];
  }

  update() {
    if (this.waits || !this.screen.awake) return;
    this.waits = true;
    requestAnimationFrame(() => {
      this.waits = false;
      this.draw();
    });
  }

  /** @returns {Plotted} */
  plotted() {
    const { curve, here, simulated, reading, parameter } = this, { unit } = this.output, { domain } = this.axis;
    const { factor, name } = fitting(Math.max(...domain.map(Math.abs)), unit);
    const told = this.kept.told(this.state);
    return {
      ...told,
      ...{ axes: { parameter, domain, unit }, curve, here, simulated, reading },
      evidence: this.published(),
      unit: name,
      say: (y) => (y === null ? '∞' : `${shown(y / factor)}${name && ` ${name}`}`),
    };
  }

  draw() {
    const size = this.screen.size();
    if (!size || !this.curve.length) return;
    const all = this.plotted(), { screen } = this;
    const at = this.reading ?? this.x();
    screen.surface.show((surface) => {
      this.plot = draw(all, size.width, size.height, surface);
      screen.tellPlot(this.plot);
      const values = this.curves().map((points, n) => (
        `${n ? 'kept ' : ''}${all.say(read(points, at, /** @type {Frame} */ (this.plot).x))}`));
      screen.tellValue(at, `${quantity(at, this.parameter.unit)}: ${values.join(', ')}`);
    });
    screen.title.textContent = `${this.output.label}${all.unit && ` (${all.unit})`}`;
    screen.dropping.hidden = !this.kept.curves.length;
    screen.tellAxis(this.axis.isOwn, this.axis.isLeft(this.curve));
    this.svg.classList.toggle('is-reading', this.reading !== null);
  }
}

/**
 * The charts of an explorer, one a view.
 * @param {HTMLElement} section
 * @param {Explored} description
 * @param {Chart['change']} change
 */
export function chartsOf(section, description, change) {
  /** @type {NodeListOf<HTMLElement>} */
  const figures = section.querySelectorAll('figure.tunables-chart');
  return [...figures].map((figure, index) => new Chart(figure, description, index, change));
}
