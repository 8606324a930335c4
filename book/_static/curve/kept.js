// Curves that the reader keeps, each with all its settings: two at most. Their names say only what
// differs among them and from the present one.
import { differing } from '../state.js';
import { brief, settingTexts } from './evidence.js';

const MOST = 2;

export class Kept {
  /**
   * @param {Parameter[]} parameters
   * @param {string} x
   */
  constructor(parameters, x) {
    this.parameters = parameters.filter(({ name }) => name !== x);
    /** @type {KeptCurve[]} */
    this.curves = [];
  }

  /**
   * A third pushes out the first, and one with the same settings takes its place.
   * @param {State} state
   * @param {Sampled} points
   */
  add(state, points) {
    const others = this.curves.filter((kept) => this.differ([kept.state, state]).length);
    this.curves = [...others, { state, points }].slice(-MOST);
  }

  clear() {
    this.curves = [];
  }

  /** @param {State[]} states */
  differ([first, ...states]) {
    const names = new Set(states.flatMap((state) => differing(first, state)));
    return this.parameters.filter(({ name }) => names.has(name));
  }

  /**
   * What is drawn of the kept curves, and how the present one is called among them.
   * @param {State} state
   */
  told(state) {
    const others = this.differ([state, ...this.curves.map((kept) => kept.state)]);
    const text = (/** @type {State} */ of) => brief(settingTexts(others, of));
    return { kept: this.curves.map((each) => ({ points: each.points, text: text(each.state) })), text: text(state) };
  }
}
