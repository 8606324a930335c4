// An explorer's live chart, in the <figure> of a view: drawn at its pixel size, and moved by pointer and keys.
import { Live } from '../animation/surface.js';
import { button, element, find } from '../dom.js';
import { isDirect, STEPS, toPosition, toValue } from '../explorer/controls.js';
import { differing } from '../explorer/state.js';
import { fitting, formatNumber, joined, quantity } from '../quantity.js';
import { brief, draw, evidence, settingTexts } from './draw.js';
import { niceDomain, read, valueAt } from './scales.js';

const OFF = 1 / 50; // a curve leaves the axis if it is further outside than this part of its length

/** The y-axis: the view's own, which never moves, until the reader asks for one that holds the curves. */
class YAxis {
  /** @param {[number, number]} usual the view's own domain */
  constructor(usual) {
    this.usual = usual;
    this.domain = usual;
  }

  get isUsual() {
    return this.domain === this.usual;
  }

  /**
   * Switches between the view's own axis and one that holds the curves.
   * @param {CurvePoints[]} curves
   */
  toggle(curves) {
    const values = curves.flat().flatMap(({ y }) => (y === null ? [] : [y]));
    this.domain = this.isUsual ? niceDomain(values) : this.usual;
  }

  /** @param {number | null} y */
  isOutside(y) {
    const [low, high] = this.domain, room = (high - low) * OFF;
    return y === null || y > high + room || y < low - room;
  }

  /** @param {CurvePoints} curve */
  isLeftBy(curve) {
    return curve.some(({ y }) => this.isOutside(y));
  }
}

const MOST = 2;

/** Curves that the reader keeps, with their settings. Their names say only how their settings differ. */
export class KeptCurves {
  /**
   * @param {Parameter[]} parameters
   * @param {string} x the parameter of the x-axis
   */
  constructor(parameters, x) {
    this.parameters = parameters.filter(({ name }) => name !== x);
    /** @type {KeptCurve[]} */
    this.curves = [];
  }

  /**
   * Adds a curve. A third replaces the first; one with the same settings replaces the old one.
   * @param {State} state
   * @param {CurvePoints} points
   */
  add(state, points) {
    const others = this.curves.filter((kept) => this.differ([kept.state, state]).length);
    this.curves = [...others, { state, points }].slice(-MOST);
  }

  clear() {
    this.curves = [];
  }

  /** Returns the parameters that differ among states. @param {State[]} states */
  differ([first, ...states]) {
    const names = new Set(states.flatMap((state) => differing(first, state)));
    return this.parameters.filter(({ name }) => names.has(name));
  }

  /**
   * Returns the kept curves with their names, and the name of the present one.
   * @param {State} state
   */
  describe(state) {
    const others = this.differ([state, ...this.curves.map((kept) => kept.state)]);
    const text = (/** @type {State} */ of) => brief(settingTexts(others, of));
    return { kept: this.curves.map((each) => ({ points: each.points, text: text(each.state) })), text: text(state) };
  }
}

const SVG = 'http://www.w3.org/2000/svg';

/** The elements in the <figure> of a chart: the drawing, its title, buttons and a note. */
class Screen {
  /**
   * @param {HTMLElement} figure
   * @param {{ keep(): void, drop(): void, rescale(): void }} chart
   */
  constructor(figure, chart) {
    this.figure = figure;
    this.place = find(figure, '.chart-drawing');
    this.svg = document.createElementNS(SVG, 'svg');
    this.surface = new Live(this.svg);
    this.title = element('span', { class: 'curve-title' });
    this.keepButton = button('Keep this curve', () => chart.keep());
    this.dropButton = button('Drop kept curves', () => {
      chart.drop();
      this.keepButton.focus(); // since this button is gone
    });
    this.scaleButton = button('Rescale the axis', () => chart.rescale());
    this.scaleButton.className = 'curve-rescale';
    for (const each of [this.dropButton, this.scaleButton]) each.hidden = true; // until a drawing needs it
    this.note = element('p', { class: 'curve-note' });
    this.mounted = false;
  }

  /**
   * Replaces the static picture once there is a curve.
   * @param {Record<string, string | number>} attributes
   * @param {() => void} redraw
   */
  mount(attributes, redraw) {
    const { figure, place, svg } = this;
    this.mounted = true;
    figure.dataset.drawn = '';
    const role = { role: 'slider', tabindex: 0, class: 'marks', 'aria-orientation': 'horizontal' };
    for (const [name, value] of Object.entries({ ...role, ...attributes })) svg.setAttribute(name, String(value));
    place.setAttribute('role', 'group'); // no longer a picture
    place.classList.add('is-live');
    const bar = element('div', { class: 'curve-bar' }, this.title, this.keepButton, this.dropButton);
    place.replaceChildren(bar, svg, this.scaleButton, this.note);
    new ResizeObserver(redraw).observe(place);
  }

  // The size in pixels, or null while the figure is hidden.
  size() {
    const { clientWidth: width, clientHeight: height } = this.place;
    this.svg.setAttribute('width', String(width));
    this.svg.setAttribute('height', String(height));
    return width && height ? { width, height } : null;
  }

  /**
   * Tells the style sheet where the plot is, to align the slider of its axis.
   * @param {Frame} plot
   */
  placePlot({ left, right, width }) {
    this.figure.style.setProperty('--plot-left', `${left}px`);
    this.figure.style.setProperty('--plot-right', `${width - right}px`);
  }

  /**
   * @param {number} x
   * @param {string} text
   */
  setValue(x, text) {
    this.svg.setAttribute('aria-valuenow', String(x));
    this.svg.setAttribute('aria-valuetext', text);
  }

  /**
   * @param {boolean} isUsual whether the axis is the view's own
   * @param {boolean} isLeft whether the curve leaves it
   */
  showAxisButton(isUsual, isLeft) {
    this.scaleButton.hidden = isUsual && !isLeft;
    this.scaleButton.textContent = isUsual ? 'Rescale the axis' : 'Restore the axis';
  }
}

// Pointer and keys: dragging moves the marker; pointing reads the curve.

const PAGE = 10; // steps of Page Up and Page Down

/**
 * @param {number} now
 * @param {number} steps
 * @param {Bounds} bounds
 */
function moveBy(now, steps, bounds) {
  if (isDirect(bounds)) return Math.min(bounds.high, Math.max(bounds.low, now + steps));
  return toValue(Math.min(STEPS, Math.max(0, toPosition(now, bounds) + steps)), bounds);
}

/**
 * Returns the value that a key leads to, or null.
 * @param {string} key
 * @param {number} now
 * @param {Bounds} bounds
 */
export function keyTarget(key, now, bounds) {
  /** @type {Record<string, number>} */
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: PAGE, PageDown: -PAGE };
  if (key === 'Home') return bounds.low;
  if (key === 'End') return bounds.high;
  return key in steps ? moveBy(now, steps[key], bounds) : null;
}

/** The pointer on a chart. */
class Pointer {
  /** @param {Chart} chart */
  constructor(chart) {
    this.chart = chart;
    this.dragging = false;
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button) return;
    this.dragging = true;
    this.chart.svg.setPointerCapture(event.pointerId);
    this.move(event);
  }

  /** @param {PointerEvent} event */
  move({ clientX, clientY, pointerType }) {
    const { chart, dragging } = this;
    if (!chart.plot || !(dragging || pointerType === 'mouse')) return;
    const { left, top } = chart.svg.getBoundingClientRect();
    const x = valueAt(chart.plot, chart.parameter, clientX - left);
    if (dragging) chart.set(x);
    chart.point(clientX - left, clientY - top);
    chart.read(x);
  }

  // The drag ends where the marker is.
  up() {
    if (this.dragging) this.chart.set(this.chart.x(), true);
    this.dragging = false;
  }

  leave() {
    if (!this.dragging) this.chart.read(null);
  }
}

/** @param {Chart} chart */
export function listen(chart) {
  const { svg } = chart, pointer = new Pointer(chart);
  svg.addEventListener('pointerdown', (event) => pointer.down(event));
  svg.addEventListener('pointermove', (event) => pointer.move(event));
  svg.addEventListener('pointerup', (event) => {
    pointer.up();
    if (event.pointerType !== 'mouse') pointer.leave();
  });
  svg.addEventListener('pointercancel', () => {
    pointer.up();
    pointer.leave();
  });
  // Escape puts away what the pointer shows, wherever the focus is.
  const putAway = (/** @type {KeyboardEvent} */ { key }) => {
    if (key === 'Escape') pointer.leave();
  };
  svg.addEventListener('pointerenter', () => document.addEventListener('keydown', putAway));
  svg.addEventListener('pointerleave', () => {
    document.removeEventListener('keydown', putAway);
    pointer.leave();
  });
  svg.addEventListener('blur', () => pointer.leave());
  listenToKeys(chart);
}

/** @param {Chart} chart */
function listenToKeys(chart) {
  const { svg, parameter } = chart;
  svg.addEventListener('focus', () => {
    if (svg.matches(':focus-visible')) chart.read(chart.x());
  });
  svg.addEventListener('keydown', (event) => {
    const now = chart.reading ?? chart.x();
    const to = keyTarget(event.key, now, parameter);
    if (to !== null) chart.read(to);
    else if (event.key === 'Enter') chart.set(now, true);
    else if (event.key === 'Escape') chart.read(null);
    else return;
    event.preventDefault();
  });
}

const NEAR_PX = 14; // from the pointer to a published number

export class Chart {
  /**
   * @param {HTMLElement} figure
   * @param {ExplorerDescription} description
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
    this.axis = new YAxis(this.view.domain);
    this.kept = new KeptCurves(parameters, this.view.x);
    this.state = defaults;
    /** @type {CurvePoints} */
    this.curve = [];
    /** @type {ChartContent['here']} */
    this.here = null;
    /** @type {SimulatedPoint[]} */
    this.simulated = [];
    /** @type {number | null} */
    this.reading = null;
    /** @type {Frame | null} */
    this.plot = null;
    this.scheduled = false;
    this.holds = false; // its axis shall hold the point of the next curve
    this.screen = new Screen(figure, this);
    this.svg = this.screen.svg;
    listen(this);
  }

  /**
   * Moves the marker to an answered state.
   * @param {State} state
   * @param {Numbers['outputs']} outputs
   */
  show(state, outputs) {
    const y = outputs[this.view.y];
    this.state = state;
    this.here = { x: this.x(), y: typeof y === 'number' ? y : null };
    this.update();
  }

  /** @param {CurvePoints} curve of the state shown */
  showCurve(curve) {
    const { view, parameter: { label, low, high } } = this;
    this.curve = curve;
    if (this.holds) this.fitAxis();
    const attributes = { 'aria-label': `${view.title}: ${label}`, 'aria-valuemin': low, 'aria-valuemax': high };
    if (!this.screen.mounted) this.screen.mount({ ...attributes, 'aria-valuenow': this.x() }, () => this.draw());
    this.update();
  }

  /** @param {SimulatedPoint[]} simulated */
  showSimulated(simulated) {
    this.simulated = simulated;
    this.update();
  }

  x() {
    return Number(this.state[this.view.x]);
  }

  /**
   * @param {number} x
   * @param {boolean} [ends] whether this ends the gesture
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
   * Shows the details of the published number that is pointed at.
   * @param {number} x
   * @param {number} y
   */
  point(x, y) {
    const { plot } = this;
    if (!plot) return;
    const all = this.published().map(({ x: at, y: value, details }) => (
      { details, away: Math.hypot(plot.x(at) - x, plot.y(value) - y) }));
    const [nearest] = all.filter(({ away }) => away < NEAR_PX).sort((a, b) => a.away - b.away);
    this.screen.note.textContent = nearest?.details ?? '';
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

  // A link in the text sets a state, of which the text says something: its point must be where it says.
  holdPoint() {
    this.holds = true;
  }

  fitAxis() {
    this.holds = false;
    this.axis.domain = this.axis.usual;
    const y = this.here?.y ?? null;
    if (y !== null && this.axis.isOutside(y)) this.axis.toggle(this.curves());
  }

  rescale() {
    this.axis.toggle(this.curves());
    this.update();
  }

  curves() {
    return [this.curve, ...this.kept.curves.map(({ points }) => points)];
  }

  update() {
    if (this.scheduled || !this.screen.mounted) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  /** @returns {ChartContent} */
  content() {
    const { curve, here, simulated, reading, parameter } = this, { unit } = this.output, { domain } = this.axis;
    const { factor, name } = fitting(Math.max(...domain.map(Math.abs)), unit);
    const kept = this.kept.describe(this.state);
    return {
      ...kept,
      ...{ axes: { parameter, domain, unit }, curve, here, simulated, reading },
      evidence: this.published(),
      unit: name,
      say: (y) => (y === null ? '∞' : joined(formatNumber(y / factor), name)),
    };
  }

  draw() {
    const size = this.screen.size();
    if (!size || !this.curve.length) return;
    const content = this.content(), { screen } = this;
    const at = this.reading ?? this.x();
    screen.surface.show((surface) => {
      this.plot = draw(content, size.width, size.height, surface);
      screen.placePlot(this.plot);
      const values = this.curves().map((points, n) => (
        `${n ? 'kept ' : ''}${content.say(read(points, at, /** @type {Frame} */ (this.plot).x))}`));
      screen.setValue(at, `${quantity(at, this.parameter.unit)}: ${values.join(', ')}`);
    });
    const unit = content.unit === '/s' ? '1/s' : content.unit;
    screen.title.textContent = `${this.output.label}${unit && ` (${unit})`}`;
    screen.dropButton.hidden = !this.kept.curves.length;
    screen.showAxisButton(this.axis.isUsual, this.axis.isLeftBy(this.curve));
    this.svg.classList.toggle('is-reading', this.reading !== null);
  }
}

/**
 * Makes the charts of an explorer, one per view.
 * @param {HTMLElement} section
 * @param {ExplorerDescription} description
 * @param {Chart['change']} change
 */
export function makeCharts(section, description, change) {
  /** @type {NodeListOf<HTMLElement>} */
  const figures = section.querySelectorAll('figure.tunables-chart');
  return [...figures].map((figure, index) => new Chart(figure, description, index, change));
}
