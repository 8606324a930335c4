// Where an explorer was before: fifty steps back, a drag or what is typed into a field being one.
import { differing } from './state.js';

const KEPT = 50;

export class History {
  constructor() {
    /** @type {State[]} */
    this.steps = [];
    this.gesture = ''; // that goes on
  }

  /**
   * @param {State} state that is left
   * @param {string} gesture of several changes that are one step; an empty one is always another
   */
  note(state, gesture) {
    if (gesture && gesture === this.gesture) return;
    this.gesture = gesture;
    this.steps.push(state);
    if (this.steps.length > KEPT) this.steps.shift();
  }

  end() {
    this.gesture = '';
  }

  /**
   * The last state that was another, if there is one.
   * @param {State} now
   */
  back(now) {
    this.end();
    let state = this.steps.pop();
    while (state && !differing(state, now).length) state = this.steps.pop();
    return state;
  }
}
