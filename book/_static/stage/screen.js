// Where a stage is drawn, at its size in pixels: each layer when what it shows has changed.
import { element } from '../dom.js';
import { Live } from './surface.js';

const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} tag @param {Element} [parent] */
function made(tag, parent) {
  const node = document.createElementNS(SVG, tag);
  parent?.append(node);
  return node;
}

export class Screen {
  /**
   * @param {Machine<any, any>} machine
   * @param {() => void} resized is called when there is another size
   */
  constructor(machine, resized) {
    this.machine = machine;
    this.resized = resized;
    this.svg = made('svg');
    this.svg.setAttribute('aria-hidden', 'true'); // the sentence says it
    this.still = new Live(made('g', this.svg));
    this.moving = new Live(made('g', this.svg));
    this.scene = new Live(made('g', this.svg));
    this.box = element('div', { class: 'stage-screen' });
    this.box.append(this.svg);
    this.width = 0;
    /** @type {unknown} */
    this.run = null; // whose backdrop stands there
    this.event = -1; // of that run, which the scene shows
    new ResizeObserver(() => this.measure()).observe(this.box);
  }

  measure() {
    const width = Math.floor(this.box.clientWidth);
    if (width === this.width || !width) return;
    this.width = width;
    this.height = this.machine.height(width);
    const tape = this.machine.tape(width);
    this.svg.setAttribute('width', String(width));
    this.svg.setAttribute('height', String(this.height));
    this.box.style.setProperty('--tape-width', `${tape.width}px`);
    this.box.style.setProperty('--tape-height', `${tape.height}px`);
    this.run = null;
    this.resized();
  }

  /** @param {any} trace @param {any} state @param {number} event */
  show(trace, state, event) {
    const { machine, width, height = 0 } = this;
    if (!width) return; // it has no place yet
    const another = this.run !== trace;
    if (another) this.still.show((surface) => machine.backdrop(trace, width, height, surface));
    this.moving.show((surface) => machine.moving(state, width, height, surface));
    if (another || this.event !== event) this.scene.show((surface) => machine.scene(state, width, height, surface));
    this.run = trace;
    this.event = event;
  }
}
