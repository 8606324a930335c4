// The scale of a guess: a slider over three powers of ten, and the line on which guess and answer are shown.
import { element } from '../dom.js';
import { formatNumber } from '../quantity.js';

const DECADES = 3;
const STEPS = 25; // of the slider, per decade: each is another number of two digits
const DIGITS = 2; // of a number that the slider sets

/** @typedef {{ low: number, high: number }} Scale powers of ten */

/**
 * Returns a scale that holds the answer. How far from its start the answer is depends on the question's name, so that
 * nobody can read the answer from the scale.
 * @param {number} answer
 * @param {string} name
 */
export function scaleFor(answer, name) {
  const sum = [...name].reduce((total, sign) => total + sign.charCodeAt(0), 0);
  const at = Math.log10(answer), from = Math.floor(at - (sum % 2 ? 0.5 : 1.3));
  const low = answer >= 10 ? Math.max(0, from) : from; // where tens are counted, tenths make no sense
  return { low, high: low + DECADES };
}

/** Returns where a number is on a scale, from 0 to 1. @param {number} value @param {Scale} scale */
export function shareOf(value, { low, high }) {
  return Math.min(1, Math.max(0, (Math.log10(value) - low) / (high - low)));
}

/** @param {number} share @param {Scale} scale */
export function numberAt(share, { low, high }) {
  return Number((10 ** (low + share * (high - low))).toPrecision(DIGITS));
}

/** Returns the number that plain text says, or NaN. @param {string} text */
function plainNumber(text) {
  return text.trim() ? Number(text.replaceAll(',', '')) : NaN;
}

/** The slider of a guess, which is empty until the reader sets it or types a number. */
export class Dial {
  /**
   * @param {HTMLInputElement} field
   * @param {Scale} scale
   * @param {string} unit
   */
  constructor(field, scale, unit) {
    this.field = field;
    this.scale = scale;
    this.unit = unit;
    const [first, last] = [scale.low, scale.high].map((power) => formatNumber(10 ** power));
    const label = `Scale from ${first} to ${last}${unit}`;
    const steps = STEPS * (scale.high - scale.low);
    this.slider = element('input', { type: 'range', min: 0, max: steps, step: 1, 'aria-label': label });
    const hint = element('span', { class: 'guess-hint', 'aria-hidden': 'true' }, 'tap or drag');
    this.box = element('div', { class: 'guess-dial' }, this.slider, hint, this.ticks());
    this.slider.addEventListener('input', () => this.write());
    this.slider.addEventListener('click', () => this.write()); // in the middle, where it is already, there is no input
    field.addEventListener('input', () => this.follow());
    this.follow();
  }

  ticks() {
    const { low, high } = this.scale;
    const ticks = element('div', { class: 'guess-ticks', 'aria-hidden': 'true' });
    for (let power = low; power <= high; power += 1) {
      const tick = element('span', {}, formatNumber(10 ** power));
      tick.style.left = `${100 * (power - low) / (high - low)}%`;
      ticks.append(tick);
    }
    return ticks;
  }

  write() {
    this.field.value = formatNumber(numberAt(Number(this.slider.value) / Number(this.slider.max), this.scale));
    this.mark(true);
  }

  // Goes where the field's number is; to the middle, and empty, if it has none.
  follow() {
    const typed = plainNumber(this.field.value), isSet = typed > 0;
    this.slider.value = String(Number(this.slider.max) * (isSet ? shareOf(typed, this.scale) : 0.5));
    this.mark(isSet);
  }

  /** @param {boolean} isSet */
  mark(isSet) {
    this.box.classList.toggle('is-set', isSet);
    this.slider.setAttribute('aria-valuetext', isSet ? `${this.field.value}${this.unit}` : 'not set yet');
  }
}

const EDGE = 0.15; // of the line, within which words are not centred

/**
 * @param {string} kind
 * @param {number} share
 * @param {string} text
 */
function markAt(kind, share, text) {
  const side = share < EDGE ? ' at-start' : share > 1 - EDGE ? ' at-end' : '';
  const mark = element('div', { class: `guess-mark ${kind}${side}` }, element('span', {}, text));
  mark.style.left = `${100 * share}%`;
  return mark;
}

/**
 * Shows guess and answer on one line, and how far apart they are. What it shows is said in words below it.
 * @param {GuessDescription} description
 * @param {Scale} scale
 * @param {Judgement} judgement
 */
export function drawDistance({ value, unit_text: unit, rows }, scale, { guess, off, side }) {
  const [from, to] = [guess, value].map((number) => shareOf(number, scale));
  const span = element('div', { class: `guess-span${from > to ? ' is-high' : ''}` });
  span.style.left = `${100 * Math.min(from, to)}%`;
  span.style.width = `${100 * Math.abs(from - to)}%`;
  const yours = markAt('is-yours', from, `you: ${formatNumber(guess)}${unit}`);
  const truth = markAt('is-truth', to, `published: ${rows[0].text}${unit}`);
  const headline = element('p', { class: 'guess-off' }, element('b', {}, off), ' ', side);
  const line = element('div', { class: 'guess-line' }, span, yours, truth);
  return element('div', { class: 'guess-reveal', 'aria-hidden': 'true' }, headline, line);
}
