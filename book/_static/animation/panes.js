// The runs of an animation as the page shows them: one, or two side by side on one clock. Where there is no room for
// both, as on a phone, a switch with the main number of each says which one is shown.
import { button, element } from '../dom.js';
import { momentAt, timeIn, timeOf, together } from './compare.js';
import { endOf } from './events.js';
import { Figures } from './figures.js';
import { Live } from './surface.js';

const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} tag @param {Element} [parent] */
function svgElement(tag, parent) {
  const node = document.createElementNS(SVG, tag);
  parent?.append(node);
  return node;
}

/** Where an animation is drawn, at its size in pixels: each layer when what it shows has changed. */
class Screen {
  /**
   * @param {Renderer<any, any>} renderer
   * @param {() => void} resized is called when the size changes
   */
  constructor(renderer, resized) {
    this.renderer = renderer;
    this.resized = resized;
    this.svg = svgElement('svg');
    this.svg.setAttribute('aria-hidden', 'true'); // the sentence describes it
    this.still = new Live(svgElement('g', this.svg));
    this.moving = new Live(svgElement('g', this.svg));
    this.scene = new Live(svgElement('g', this.svg));
    this.box = element('div', { class: 'animation-screen' });
    this.box.append(this.svg);
    this.width = 0;
    /** @type {unknown} */
    this.run = null; // whose backdrop is shown
    this.event = -1; // of that run, shown by the scene
    new ResizeObserver(() => this.measure()).observe(this.box);
  }

  measure() {
    const width = Math.floor(this.box.clientWidth);
    if (width === this.width || !width) return;
    this.width = width;
    this.height = this.renderer.height(width);
    const tape = this.renderer.tape(width);
    this.svg.setAttribute('width', String(width));
    this.svg.setAttribute('height', String(this.height));
    this.box.style.setProperty('--tape-width', `${tape.width}px`);
    this.box.style.setProperty('--tape-height', `${tape.height}px`);
    this.run = null;
    this.resized();
  }

  /** @param {any} trace @param {any} state @param {number} event */
  show(trace, state, event) {
    const { renderer, width, height = 0 } = this;
    if (!width) return; // not laid out yet
    const another = this.run !== trace;
    if (another) this.still.show((surface) => renderer.backdrop(trace, width, height, surface));
    this.moving.show((surface) => renderer.moving(state, width, height, surface));
    if (another || this.event !== event) this.scene.show((surface) => renderer.scene(state, width, height, surface));
    this.run = trace;
    this.event = event;
  }
}

/** One run: its title, its figures, where it is drawn, and the scrubber over its tape. */
class Pane {
  /**
   * @param {Renderer<any, any>} renderer
   * @param {import('./clock.js').Clock} clock
   * @param {string} name of its scrubber
   */
  constructor(renderer, clock, name) {
    this.renderer = renderer;
    /** @type {any} */
    this.trace = null;
    /** @type {any} */
    this.leads = null; // the run whose time the clock counts
    this.screen = new Screen(renderer, () => clock.show());
    this.title = element('p', { class: 'animation-title' });
    this.tab = element('span', { class: 'tab-title' }); // the same in the switch
    this.name = ''; // before its sentence
    this.figures = new Figures();
    const range = { type: 'range', min: 0, step: 'any', class: 'animation-scrubber', 'aria-label': name };
    this.scrubber = element('input', range);
    this.scrubber.addEventListener('input', () => {
      clock.seek(timeIn(renderer, this.trace, this.scrubber.valueAsNumber, this.leads));
    });
    this.screen.box.append(this.scrubber);
    this.box = element('div', { class: 'animation-pane' }, this.title, this.figures.box, this.screen.box);
  }

  /** Show another run. @param {any} trace @param {any} leads the run with the clock's time
   * @param {string} [name] read alone @param {string} [title] under the heading over both runs */
  give(trace, leads, name = '', title = '') {
    this.trace = trace;
    this.leads = leads;
    this.scrubber.max = String(endOf(this.renderer.begins(trace)));
    this.name = name;
    this.title.textContent = this.tab.textContent = title;
  }

  /** @param {number} t */
  stateAt(t) {
    return this.renderer.state(this.trace, this.timeAt(t));
  }

  /** The time in this run. @param {number} t of the clock */
  timeAt(t) {
    return timeIn(this.renderer, this.leads, t, this.trace);
  }

  /** @param {import('./clock.js').Clock} clock */
  show({ t, event, playing }) {
    const { renderer, figures } = this, state = this.stateAt(t);
    this.screen.show(this.trace, state, event);
    if (renderer.figures && figures.isDue(playing)) figures.show(renderer.figures(state));
  }

  /** Describe the current state in words. @param {import('./clock.js').Clock} clock */
  describe({ t, playing }) {
    const { name, scrubber } = this, sentence = this.renderer.sentence(this.stateAt(t));
    scrubber.value = String(this.timeAt(t));
    if (!playing) scrubber.setAttribute('aria-valuetext', sentence);
    return name ? `${name}. ${sentence}` : sentence;
  }
}

const NAMES = ['Time', 'Time in the other run'];

/** One or two panes on one clock. */
export class Panes {
  /**
   * @param {Renderer<any, any>} renderer
   * @param {import('./clock.js').Clock} clock
   */
  constructor(renderer, clock) {
    this.renderer = renderer;
    this.clock = clock;
    this.all = NAMES.map((name) => new Pane(renderer, clock, name));
    this.shown = this.all.slice(0, 1);
    this.tabs = this.all.map(({ tab, figures }, n) => {
      const turner = button('', () => this.turn(n));
      turner.append(tab, figures.leading.box);
      return turner;
    });
    this.heading = element('p', { class: 'animation-heading' });
    const named = { class: 'animation-tabs', role: 'group', 'aria-label': 'Choose a run' };
    this.row = element('div', named, ...this.tabs);
    this.box = element('div', { class: 'animation-panes' }, this.all[0].box);
    this.turn(0);
  }

  get traces() {
    return this.shown.map(({ trace }) => trace);
  }

  /** The times of all events. */
  get begins() {
    return together(this.renderer, this.traces);
  }

  /** The moment shown. */
  get moment() {
    return momentAt(this.renderer, this.traces, this.clock.t);
  }

  /** @param {Moment} moment */
  timeOf(moment) {
    return timeOf(this.renderer, this.traces, moment);
  }

  /** Show other runs; a single run has no names. @param {any[]} traces
   * @param {{ heading?: string, titles?: string[], shortTitles?: string[] }} [names] */
  give(traces, { heading = '', titles = [], shortTitles = [] } = {}) {
    if (traces.length !== this.shown.length) this.lay(traces.length);
    this.heading.textContent = heading;
    this.shown.forEach((pane, n) => pane.give(traces[n], traces[0], titles[n], shortTitles[n]));
  }

  /** @param {number} count of runs */
  lay(count) {
    const comparing = count > 1;
    this.shown = this.all.slice(0, count);
    this.box.classList.toggle('is-comparing', comparing);
    this.box.closest('.animation-live')?.classList.toggle('compares', comparing);
    this.box.replaceChildren(...comparing ? [this.heading, this.row] : [], ...this.shown.map(({ box }) => box));
  }

  /** Choose the run to show where there is room for only one. @param {number} which */
  turn(which) {
    this.all.forEach(({ box }, n) => {
      box.classList.toggle('is-turned', n === which);
      this.tabs[n].setAttribute('aria-pressed', String(n === which));
    });
  }

  /** Know the room for the drawing now, before the page is painted without it. */
  measure() {
    for (const { screen } of this.shown) screen.measure();
  }

  show() {
    for (const pane of this.shown) pane.show(this.clock);
  }

  describe() {
    return this.shown.map((pane) => pane.describe(this.clock)).join('\n');
  }
}
