// The controls of an explorer or a card, by the parameters' names.
import { control } from './controls.js';

export class Panel {
  /**
   * @param {Explored} description
   * @param {(changes: State, gesture: string) => void} change
   */
  constructor({ name: prefix, parameters }, change) {
    const visible = parameters.filter(({ hidden }) => !hidden);
    this.controls = new Map(visible.map((parameter) => [
      parameter.name,
      control(`${prefix}-control`, parameter, (value) => change({ [parameter.name]: value }, parameter.name)),
    ]));
  }

  // All of them, each with where its value is from: a card is for the reader's own numbers.
  rows() {
    return [...this.controls.values()].map(({ row, origin }) => {
      row.append(origin);
      return row;
    });
  }

  /** @param {State} state */
  show(state) {
    for (const [name, { show }] of this.controls) show(state[name]);
  }

  /**
   * Marks the controls in which a state that was refused differs from the last that was not.
   * @param {State} refused
   * @param {State} last
   */
  refuse(refused, last) {
    for (const [name, { refuse }] of this.controls) if (refused[name] !== last[name]) refuse();
  }
}
