// The animation's clock, and what moves it: buttons, speeds and keys. Nothing runs by itself; while the clock is paused
// or out of view it costs nothing.
import { button, element } from '../dom.js';
import { segments } from '../segments.js';
import { after, before, endOf, eventAt } from './events.js';

const LONGEST_FRAME_S = 0.1; // a page that was hidden goes on where it was
const STILL_MS = 500; // between two events, for readers who asked for less motion

export const quiet = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export class Clock {
  /**
   * @param {() => void} show is called at each change of the time
   * @param {() => void} rested is called when it pauses
   */
  constructor(show, rested) {
    this.show = show;
    this.rested = rested;
    /** @type {Float64Array} */
    this.begins = new Float64Array(2);
    this.t = 0;
    this.each = 1; // time per second
    this.playing = false;
    this.inView = true;
    this.rest = Infinity; // where a run started by a link pauses
    this.last_ms = 0;
    /** @type {() => void} */
    this.cancel = () => {};
  }

  get end() {
    return endOf(this.begins);
  }

  /** The current event; at the end, the one after the last. */
  get event() {
    return this.t >= this.end ? this.begins.length - 1 : eventAt(this.begins, this.t);
  }

  /** Turn to another run, at a time of it. @param {Float64Array} begins @param {number} t */
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

  /** Go to the next event, or to the one before. @param {1 | -1} way */
  step(way) {
    this.seek(way > 0 ? after(this.begins, this.t) : before(this.begins, this.t));
  }

  /** @param {boolean} inView */
  setInView(inView) {
    this.inView = inView;
    if (this.playing) this.go();
  }

  // Ask for the next frame, once, if a reader can see it.
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

const SIGNS = {
  start: 'M3 3h2v10H3zM14 3v10L6 8z',
  back: 'M11 3v10L4 8z',
  play: 'M4 2.5 13 8l-9 5.5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  step: 'M5 3l7 5-7 5z',
};

/** @param {HTMLElement} target @param {keyof typeof SIGNS} sign @param {string} words */
function dress(target, sign, words) {
  target.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${SIGNS[sign]}"/></svg>`;
  target.setAttribute('aria-label', words);
  target.title = words;
}

/** @param {keyof typeof SIGNS} sign @param {string} words @param {() => void} press */
function signButton(sign, words, press) {
  const target = button('', press);
  dress(target, sign, words);
  return target;
}

const QUARTER = 0.25;

/** A speed as a multiple of the usual one: ×¼, ×1, ×4. @param {number} each @param {number} usual */
export function multiple(each, usual) {
  const times = each / usual;
  return `×${times === QUARTER ? '¼' : times}`;
}

/** Buttons, speeds and keys that move the clock; keys also choose the watched client or user. (The scrubbers over the
 * tapes move it, too.) */
export class Transport {
  /**
   * @param {string} id
   * @param {Clock} clock
   * @param {Pick<Renderer<any, any>, 'pace' | 'words' | 'watches'>} renderer
   * @param {(setting: string, way: 1 | -1) => void} turn goes to the next choice, or the one before
   */
  constructor(id, clock, { pace, words: { start, event }, watches }, turn) {
    this.clock = clock;
    /** @type {Record<string, () => void>} */
    this.watch = watches ? { ArrowUp: () => turn(watches, -1), ArrowDown: () => turn(watches, 1) } : {};
    this.playing = false;
    this.play = button('', () => this.toggle());
    this.play.className = 'animation-play';
    this.dressPlay('Play');
    const moves = [
      signButton('start', start, () => clock.seek(0)),
      signButton('back', `One ${event} back`, () => clock.step(-1)),
      this.play,
      signButton('step', `One ${event} forward`, () => clock.step(1)),
    ];
    const texts = pace.map(({ each }) => multiple(each, pace[1].each));
    const choices = pace.map(({ each }, n) => /** @type {[string, string]} */ ([String(each), texts[n]]));
    const name = element('span', { id: `${id}-speed-name` }, 'Speed'), named = { 'aria-labelledby': name.id };
    const { box, show } = segments(`${id}-speed`, choices, (each) => this.setSpeed(Number(each)), named);
    box.querySelectorAll('label').forEach((label, n) => label.title = pace[n].words);
    this.speed = { box: element('div', { class: 'animation-speed' }, name, box), show };
    this.rule = element('span', { class: 'animation-rule' });
    this.row = element('div', { class: 'animation-transport' }, ...moves, this.speed.box, this.rule);
  }

  toggle() {
    if (this.clock.playing) this.clock.pause();
    else this.clock.play();
  }

  /** @param {number} each */
  setSpeed(each) {
    this.clock.each = each;
    this.speed.show(each);
  }

  show() {
    const { playing } = this.clock;
    if (playing === this.playing) return;
    this.playing = playing;
    this.dressPlay(playing ? 'Pause' : 'Play');
  }

  // It says in a word what it does where there is room: an invitation.
  dressPlay(/** @type {'Play' | 'Pause'} */ word) {
    dress(this.play, word === 'Play' ? 'play' : 'pause', word);
    this.play.append(element('span', {}, word));
  }

  /** Act on a key; return whether it did something. @param {KeyboardEvent} event */
  key({ key, shiftKey, target }) {
    const { clock } = this;
    const scrubs = target instanceof HTMLElement && target.className === 'animation-scrubber';
    if (!scrubs && (key === ' ' || !(target instanceof HTMLButtonElement))) return false;
    /** @type {Record<string, () => void>} */
    const acts = {
      ' ': () => this.toggle(),
      ArrowLeft: () => (shiftKey ? clock.seek(clock.t - clock.each) : clock.step(-1)),
      ArrowRight: () => (shiftKey ? clock.seek(clock.t + clock.each) : clock.step(1)),
      Home: () => clock.seek(0),
      End: () => clock.seek(clock.end),
      ...this.watch,
    };
    acts[key]?.();
    return key in acts;
  }
}
