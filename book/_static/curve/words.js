// Words in a chart: how wide they are, and where they find room.

const SIZE_PX = 12;
const HEIGHT_PX = 15;
/** @type {[RegExp, number][]} letters by their width, in parts of the type's size */
const WIDTHS = [[/[.,:;'|!ijl]/, 0.3], [/[ ()frtI/-]/, 0.38], [/[mwMW%@]/, 0.92], [/[A-Z≥≤≈×]/, 0.7]];
const USUAL = 0.59;

/**
 * How many pixels wide a text is, or a little less.
 * @param {string} text
 */
export function width(text) {
  const parts = [...text].map((letter) => WIDTHS.find(([letters]) => letters.test(letter))?.[1] ?? USUAL);
  return SIZE_PX * parts.reduce((sum, part) => sum + part, 0);
}

/**
 * The box of a text at a place.
 * @param {Word} word
 * @returns {Box}
 */
export function boxOf({ x, y, anchor, text }) {
  const wide = width(text);
  const left = x - { start: 0, middle: wide / 2, end: wide }[anchor];
  return { left, right: left + wide, top: y - HEIGHT_PX + 4, bottom: y + 4 };
}

/**
 * @param {Box} a
 * @param {Box} b
 */
export function touch(a, b) {
  return a.left < b.right + 3 && b.left < a.right + 3 && a.top < b.bottom && b.top < a.bottom;
}

/** Takes words one by one, the most important first, each where it touches none before it. */
export class Room {
  /** @param {Box} frame in which all must stand */
  constructor(frame) {
    this.frame = frame;
    /** @type {Box[]} */
    this.taken = [];
  }

  /** @param {Box} box */
  take(box) {
    this.taken.push(box);
  }

  /** @param {Box} box */
  isFree(box) {
    const { left, right, top, bottom } = this.frame;
    const inside = box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
    return inside && !this.taken.some((other) => touch(box, other));
  }

  /**
   * The first of these places that is free, which it then takes.
   * @param {Word[]} places
   */
  find(places) {
    const found = places.find((word) => this.isFree(boxOf(word)));
    if (found) this.take(boxOf(found));
    return found;
  }
}
