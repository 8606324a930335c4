// The front page's animation: one setting, above the machine. It plays one round by itself, once, unless a reader asked
// for less motion, and plays on when the reader moves the setting. No other animation plays by itself.
import { Animation } from '../animation/animation.js';
import { quiet } from '../animation/clock.js';

const AFTER_MS = 600, LASTS_S = 3;

class Hero extends Animation {
  build() {
    const live = super.build(), { settings, keeper, steps, transport } = this;
    for (const part of [keeper, steps.box, transport.speed.box]) part.remove();
    const controls = settings.row.parentElement;
    controls?.querySelector('.animation-links')?.remove();
    if (controls) live.prepend(controls);
    return live;
  }

  /** @param {State} changes */
  set(changes) {
    const { settings, against } = this.wanted;
    this.go({ settings: { ...settings, ...changes }, against, until: Infinity });
  }

  // The address stays as it is until the reader does something.
  playOnce() {
    const { clock, place, renderer, panes } = this, { rested, t, each } = clock;
    if (quiet() || place.urlState.readAll(place.key).length) return;
    const until = clock.begins.find((begin) => renderer.round(panes.all[0].stateAt(begin), this.trace) > t);
    if (until === undefined) return;
    setTimeout(() => {
      if (clock.t !== t || clock.playing) return;
      clock.each = (until - t) / LASTS_S;
      clock.rested = () => {
        clock.each = each;
        clock.rested = rested;
      };
      clock.play(until);
    }, AFTER_MS);
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function mountHero(section, host) {
  const hero = new Hero(section, host);
  hero.playOnce();
  return hero;
}
