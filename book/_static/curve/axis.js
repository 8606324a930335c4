// The y-axis of a chart: the view's own, which stands still, unless the reader asks for another.
import { holding } from './scales.js';

const OFF = 1 / 50; // of the axis: so far beyond it a curve leaves it

export class Axis {
  /** @param {[number, number]} own */
  constructor(own) {
    this.own = own;
    this.domain = own;
  }

  get isOwn() {
    return this.domain === this.own;
  }

  /**
   * One that holds the curves, or the view's own again.
   * @param {Sampled[]} curves
   */
  turn(curves) {
    const values = curves.flat().flatMap(({ y }) => (y === null ? [] : [y]));
    this.domain = this.isOwn ? holding(values) : this.own;
  }

  /** @param {Sampled} curve */
  isLeft(curve) {
    const [low, high] = this.domain, room = (high - low) * OFF;
    return curve.some(({ y }) => y === null || y > high + room || y < low - room);
  }
}
