// A field for a number that the reader chooses for a lab.
import { element, labelField, markInvalid } from '../dom.js';
import { LabStopped } from './frame.js';

/** @typedef {{ least: number, most: number, step: number | 'any', usual: number }} Range */

export class NumberField {
  /**
   * @param {string} id
   * @param {string} label
   * @param {Range} range
   */
  constructor(id, label, { least, most, step, usual }) {
    const kind = step === 1 ? 'a whole number' : 'a number';
    this.refusal = `${label}: ${kind} from ${least} to ${most}.`;
    const input = element('input', { type: 'number', min: least, max: most, step, value: usual, required: '' });
    input.addEventListener('input', () => markInvalid(input, !input.validity.valid));
    this.input = input;
    this.part = labelField(id, label, input);
  }

  get value() {
    if (!this.input.validity.valid) throw new LabStopped(this.refusal);
    return this.input.valueAsNumber;
  }
}
