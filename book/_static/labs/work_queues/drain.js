// A queue drained in slices on the page's own thread, with timers and frames beside it.
import { work } from './items.js';

const TICK_MS = 5;
const TIMERS = 300;

/**
 * @typedef {{ name: string, label: string, factor: number, ramp: boolean }} Rule
 * @typedef {{ items: number, repeats: number, span_ms: number, quantum_ms: number, rule: Rule,
 *   yieldTo: import('./ways.js').Way }} Setting
 */

/**
 * The granularity behind a run of so many items.
 * @param {number} cycles
 * @param {number} granularity
 * @param {Rule} rule
 */
export function grown(cycles, granularity, { factor, ramp }) {
  if (cycles < granularity) return granularity; // the last run, which the end cut short
  if (ramp && cycles > factor * factor * granularity) return granularity * factor;
  return factor && cycles > factor * granularity ? granularity + factor : granularity;
}

export class Drain {
  /** @param {Setting} setting */
  constructor(setting) {
    this.setting = setting;
    this.position = 0;
    this.granularity = 1;
    this.used = 0;
    this.stopped = false;
    this.ticks = 0;
    this.frames = 0;
    /** @type {number[]} */
    this.late_ms = [];
    /** @type {{ cycles: number, granularity: number, begun: number, ended: number }[]} */
    this.runs = [];
  }

  slice() {
    const { items, repeats, quantum_ms: quantum, rule } = this.setting;
    const begun = performance.now();
    const first = this.position;
    while (this.position < items) {
      const whole = this.position + this.granularity <= items;
      const stop = whole ? this.position + this.granularity : items;
      for (; this.position < stop; this.position += 1) this.used ^= work(this.position, repeats);
      if (whole && performance.now() - begun > quantum) break;
    }
    const cycles = this.position - first;
    this.granularity = grown(cycles, this.granularity, rule);
    this.runs.push({ cycles, granularity: this.granularity, begun, ended: performance.now() });
  }

  // Timers at random moments, one that comes again and again, and the frames.
  setTimers() {
    const timers = Array.from({ length: TIMERS }, () => {
      const wait = 1 + Math.floor(Math.random() * this.setting.span_ms);
      const due = performance.now() + wait;
      return setTimeout(() => this.late_ms.push(performance.now() - due), wait);
    });
    const ticking = setInterval(() => {
      this.ticks += 1;
    }, TICK_MS);
    const frame = () => {
      this.frames += 1;
      last = requestAnimationFrame(frame);
    };
    let last = requestAnimationFrame(frame);
    return () => {
      [...timers, ticking].forEach(clearTimeout);
      cancelAnimationFrame(last);
    };
  }

  /** @returns {Promise<ReturnType<Drain['seen']>>} */
  run() {
    const end = this.setTimers();
    return new Promise((resolve) => {
      const step = () => {
        if (!this.stopped) this.slice();
        if (!this.stopped && this.position < this.setting.items) {
          this.setting.yieldTo(step);
          return;
        }
        setTimeout(() => { // those that are late now still come
          end();
          resolve(this.seen());
        }, 2);
      };
      this.setting.yieldTo(step);
    });
  }

  seen() {
    const slices_ms = this.runs.map(({ begun, ended }) => ended - begun);
    const drain_ms = this.runs[this.runs.length - 1].ended - this.runs[0].begun;
    return {
      cycles: this.runs.map(({ cycles }) => cycles),
      granularity: this.runs.map(({ granularity }) => granularity),
      turns_ms: this.runs.map(({ begun, ended }, run) => (this.runs[run + 1]?.begun ?? ended) - begun),
      slices_ms,
      drain_ms,
      late_ms: this.late_ms,
      ticks: this.ticks,
      ticks_due: Math.floor(drain_ms / TICK_MS),
      frames_per_s: 1000 * this.frames / drain_ms,
    };
  }
}
