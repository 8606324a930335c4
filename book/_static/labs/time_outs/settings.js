// The fields of lab 2: the setting that the reader chooses, and how long a published second is.
import { element, labelled, markInvalid } from '../../dom.js';
import { Ended } from '../turn.js';

const SCALES = { 1: 'as long as it is', 2: 'a half', 4: 'a quarter', 10: 'a tenth' };
const USUAL_SCALE = 4;

/**
 * @typedef {{ title: string, timeout_s: number, retries: number, max_delay_s: number, threads: number,
 *   batches: number, published?: { response_s: number, throughput_per_s: number } }} Setting
 */

class NumberField {
  /**
   * @param {string} name
   * @param {string} label
   * @param {{ least: number, most: number, step: number | 'any', usual: number }} range
   */
  constructor(name, label, { least, most, step, usual }) {
    const kind = step === 1 ? 'a whole number' : 'a number';
    this.refusal = `${label}: ${kind} from ${least} to ${most}.`;
    const input = element('input', { type: 'number', min: least, max: most, step, value: usual, required: '' });
    input.addEventListener('input', () => markInvalid(input, !input.validity.valid));
    this.input = input;
    this.part = labelled(`lab-hole-${name}`, label, input);
  }

  get value() {
    if (!this.input.validity.valid) throw new Ended(this.refusal);
    return this.input.valueAsNumber;
  }
}

export class Fields {
  /** @param {Setting} usual */
  constructor({ timeout_s, retries, max_delay_s, threads }) {
    this.timeout = new NumberField('time-out', 'Time-out (s)', { least: 0.1, most: 10, step: 'any', usual: timeout_s });
    this.retries = new NumberField('retries', 'Retries', { least: 0, most: 10, step: 1, usual: retries });
    this.delay = new NumberField('delay', 'Flush delay (s)', { least: 0, most: 10, step: 'any', usual: max_delay_s });
    this.threads = new NumberField('threads', 'Threads', { least: 1, most: threads, step: 1, usual: threads });
    const options = Object.entries(SCALES).map(([value, text]) => element('option', { value }, text));
    this.scale = element('select', {}, ...options);
    this.scale.value = String(USUAL_SCALE);
  }

  get parts() {
    const numbers = [this.timeout, this.retries, this.delay, this.threads].map(({ part }) => part);
    return [...numbers, labelled('lab-hole-scale', 'A second of the note lasts', this.scale)];
  }

  /** The part of a second that a second of the note lasts. */
  get secondLasts() {
    return 1 / Number(this.scale.value);
  }

  get chosen() {
    const [timeout_s, retries] = [this.timeout.value, this.retries.value];
    return { timeout_s, retries, max_delay_s: this.delay.value, threads: this.threads.value };
  }
}
