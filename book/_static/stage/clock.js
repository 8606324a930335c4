// The stage's clock. Nothing runs by itself; while it is paused or out of view it costs nothing.
import { after, before, endOf, eventAt } from './events.js';

const LONGEST_FRAME_S = 0.1; // a page that was away goes on where it was
const STILL_MS = 500; // between two events, for readers who asked for less motion

export const quiet = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export class Clock {
  /**
   * @param {() => void} show what stands there at t
   * @param {() => void} rested is called when it pauses
   */
  constructor(show, rested) {
    this.show = show;
    this.rested = rested;
    /** @type {Float64Array} */
    this.begins = new Float64Array(2);
    this.t = 0;
    this.each = 1; // time a second
    this.playing = false;
    this.inView = true;
    this.rest = Infinity; // where a run that was begun by a link ends
    this.last_ms = 0;
    /** @type {() => void} */
    this.cancel = () => {};
  }

  get end() {
    return endOf(this.begins);
  }

  /** The event that is on; at the end, the one after the last. */
  get event() {
    return this.t >= this.end ? this.begins.length - 1 : eventAt(this.begins, this.t);
  }

  /** Another run, in which it is another time. @param {Float64Array} begins @param {number} t */
  wind(begins, t) {
    this.begins = begins;
    this.rest = Infinity;
    this.t = Math.min(Math.max(0, t), this.end);
    this.show();
  }

  /** @param {number} [rest] when it pauses again */
  play(rest = Infinity) {
    if (this.t >= this.end) this.t = 0;
    this.rest = rest;
    this.playing = true;
    this.go();
    this.show();
  }

  pause() {
    this.playing = false;
    this.cancel();
    this.show();
    this.rested();
  }

  /** @param {number} t */
  seek(t) {
    this.t = Math.min(Math.max(0, t), this.end);
    this.pause();
  }

  /** To the next event, or to the one before. @param {1 | -1} way */
  step(way) {
    this.seek(way > 0 ? after(this.begins, this.t) : before(this.begins, this.t));
  }

  /** @param {boolean} inView */
  seen(inView) {
    this.inView = inView;
    if (this.playing) this.go();
  }

  // Asks for the next frame, once, if there is a reader to see it.
  go() {
    this.cancel();
    if (!this.inView) return;
    this.last_ms = performance.now();
    this.ask();
  }

  ask() {
    if (quiet()) {
      const waiting = setTimeout(() => this.move(after(this.begins, this.t)), STILL_MS);
      this.cancel = () => clearTimeout(waiting);
      return;
    }
    const frame = requestAnimationFrame((time_ms) => {
      const passed_s = Math.min(Math.max(0, time_ms - this.last_ms) / 1000, LONGEST_FRAME_S);
      this.last_ms = time_ms;
      this.move(this.t + passed_s * this.each);
    });
    this.cancel = () => cancelAnimationFrame(frame);
  }

  /** @param {number} t */
  move(t) {
    const stop = Math.min(this.rest, this.end);
    this.t = Math.min(t, stop);
    if (this.t >= stop) return this.pause();
    this.show();
    return this.ask();
  }
}
