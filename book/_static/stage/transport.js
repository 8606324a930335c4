// What moves a stage's time: buttons, speeds and keys, which also say who is watched. (The scrubbers
// over the tapes move it too.)
import { button, element } from '../dom.js';

const SIGNS = {
  start: 'M3 3h2v10H3zM14 3v10L6 8z',
  back: 'M11 3v10L4 8z',
  play: 'M4 2.5 13 8l-9 5.5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  step: 'M5 3l7 5-7 5z',
};

/** @param {HTMLElement} made @param {keyof typeof SIGNS} sign @param {string} words */
function dress(made, sign, words) {
  made.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${SIGNS[sign]}"/></svg>`;
  made.setAttribute('aria-label', words);
  made.title = words;
}

/** @param {keyof typeof SIGNS} sign @param {string} words @param {() => void} press */
function signed(sign, words, press) {
  const made = button('', press);
  dress(made, sign, words);
  return made;
}

export class Transport {
  /**
   * @param {string} id
   * @param {import('./clock.js').Clock} clock
   * @param {Pick<Machine<any, any>, 'pace' | 'words' | 'watches'>} machine
   * @param {(setting: string, way: 1 | -1) => void} turn to the next choice, or the one before
   */
  constructor(id, clock, { pace, words: { start, event }, watches }, turn) {
    this.clock = clock;
    /** @type {Record<string, () => void>} */
    this.watch = watches ? { ArrowUp: () => turn(watches, -1), ArrowDown: () => turn(watches, 1) } : {};
    this.playing = false;
    this.play = signed('play', 'Play', () => this.toggle());
    this.play.className = 'stage-play';
    const moves = [
      signed('start', start, () => clock.seek(0)),
      signed('back', `One ${event} back`, () => clock.step(-1)),
      this.play,
      signed('step', `One ${event} on`, () => clock.step(1)),
    ];
    this.speed = element('select', { id: `${id}-speed`, 'aria-label': 'Speed' });
    this.speed.append(...pace.map(({ each, words }) => element('option', { value: each }, words)));
    this.speed.addEventListener('change', () => this.setSpeed(Number(this.speed.value)));
    this.rule = element('span', { class: 'stage-rule' });
    this.row = element('div', { class: 'stage-transport' }, ...moves, this.speed, this.rule);
  }

  toggle() {
    if (this.clock.playing) this.clock.pause();
    else this.clock.play();
  }

  /** @param {number} each */
  setSpeed(each) {
    this.clock.each = each;
    this.speed.value = String(each);
  }

  show() {
    const { playing } = this.clock;
    if (playing === this.playing) return;
    this.playing = playing;
    dress(this.play, playing ? 'pause' : 'play', playing ? 'Pause' : 'Play');
  }

  /** Whether a key did something. @param {KeyboardEvent} event */
  key({ key, shiftKey, target }) {
    const { clock } = this;
    const scrubs = target instanceof HTMLElement && target.className === 'stage-scrubber';
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
