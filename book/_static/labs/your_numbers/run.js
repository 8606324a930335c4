// What one run of a fit may ask: the chapter's Python, and the worker that reads.
import { Ended } from '../turn.js';

/**
 * @typedef {[string, string[], [string, ...string[]][]]} Rows caption, heads, rows
 * @typedef {{ sentences: string[], tables: Rows[], result: any }} Report
 */

/** A sentence of the page's Python, as one. @param {string} words */
export function refused(words) {
  const end = /[.?!]$/.test(words) ? '' : '.';
  return new Ended(words.charAt(0).toUpperCase() + words.slice(1) + end);
}

/** What one fit may ask and do. */
export class Run {
  /**
   * @param {import('./lab.js').Lab} lab
   * @param {import('../turn.js').Turn} turn
   * @param {import('./source.js').Source} source
   */
  constructor(lab, turn, source) {
    this.lab = lab;
    this.turn = turn;
    this.source = source;
    this.choices = lab.choices;
    this.offer = lab.sources.offered;
    this.worker = turn.worker();
    this.worker.catch(() => {}); // whoever reads is told
  }

  /**
   * Asks the chapter's Python.
   * @param {string} call a function of tunables/page/labs/your_numbers.py
   * @param {object} given
   */
  ask(call, given) {
    const { chapter } = this.offer;
    const of = ['patterns', 'separated'].includes(call) ? {} : { chapter };
    return this.turn.until(this.lab.ask(call, { ...of, ...given }));
  }

  /**
   * Has the worker read the reader's numbers.
   * @param {string} act
   * @param {object} asked
   */
  async read(act, asked) {
    const { worker, wasm } = await this.turn.until(this.worker);
    const { chapter, wanted } = this.offer;
    const { blob, made } = this.source;
    const heard = (/** @type {{ share: number }} */ { share }) => this.lab.frame.progress(share, 1, 'Reading.');
    return this.turn.ask(worker, { act, blob, made, chapter, wanted, wasm, ...asked }, { heard });
  }

  fitting() {
    this.lab.frame.progress(1, 1, 'Fitting.');
  }

  /**
   * @param {Report} report
   * @param {SVGElement} [drawn]
   */
  show(report, drawn) {
    this.lab.show(report, drawn);
  }

  /** @param {number} measured */
  guessed(measured) {
    return this.lab.frame.guessed(measured, 0);
  }
}
