// A run as a bar: plain as far as the quantum, hatched beyond it, with a stroke where it looked at
// the clock. Many bars are one drawing.
import { INK, MISS, MISS_GROUND, MODEL } from './colours.js';
import { px } from './surface.js';

const HATCH = 4, APART = 2.5; // px, between two strokes; at least, between two looks that are drawn
const NOTHING = 'M0 0';

/** Strokes from one place to another, so that hatching stands still while a bar grows.
 * @param {{ from: number, to: number, y: number, tall: number, step?: number }} where */
export function hatch({ from, to, y, tall, step = HATCH }) {
  let d = '';
  for (let x = Math.ceil(from / step) * step; x < to - 1; x += step) {
    d += `M${x} ${y + tall}L${px(Math.min(x + step, to))} ${y}`;
  }
  return d;
}

/** @param {{ from: number, to: number, y: number, tall: number }} where */
export function box({ from, to, y, tall }) {
  return to > from ? `M${px(from)} ${y}H${px(to)}v${tall}H${px(from)}z` : '';
}

export class Bars {
  /** @param {{ x: (time: number) => number, quantum: number, over: number }} scale over: of a look, in px */
  constructor({ x, quantum, over }) {
    this.x = x;
    this.rule = x(quantum);
    this.over = over;
    this.paths = { plain: '', beyond: '', strokes: '', looks: '' };
  }

  /** @param {number} length @param {number[]} looks @param {{ y: number, tall: number }} row */
  add(length, looks, { y, tall }) {
    const { paths, rule, over } = this, from = this.x(0), to = this.x(length);
    const beyond = { from: rule, to, y, tall };
    paths.plain += box({ from, to: Math.min(to, rule), y, tall });
    paths.beyond += box(beyond);
    paths.strokes += hatch(beyond);
    let next = to; // from the last look on: it is the one that ends the run
    for (const look of looks.slice().reverse()) {
      const x = this.x(look);
      if (x > next) continue;
      paths.looks += `M${px(x)} ${y - over}v${tall + over}`;
      next = x - APART;
    }
  }

  /** @param {Surface} surface @param {number} wide a look, in px */
  put(surface, wide) {
    const { plain, beyond, strokes, looks } = this.paths;
    surface.put('path', { d: plain || NOTHING, fill: MODEL });
    surface.put('path', { d: beyond || NOTHING, fill: MISS_GROUND });
    surface.put('path', { d: strokes || NOTHING, stroke: MISS, 'stroke-width': 1.2 });
    surface.put('path', { d: looks || NOTHING, stroke: INK, 'stroke-width': wide });
  }
}
