// The axes of a chart of miss ratios over room, and what is drawn on them.
import { grouped } from '../quantity.js';

const [WIDE, HIGH, LEFT, TOP, RIGHT, BOTTOM] = [640, 280, 48, 28, 14, 40];
const SVG = 'http://www.w3.org/2000/svg';
const OF_LEGEND = { first: 390, each: 130 };

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function shape(tag, attributes, text = '') {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.textContent = text;
  return made;
}

export class Plot {
  /**
   * @param {number} most the room at the right end
   * @param {string} of what there is room for
   * @param {string[]} names of the lines
   */
  constructor(most, of, names) {
    this.most = most;
    const box = `0 0 ${WIDE} ${HIGH}`;
    this.drawn = shape('svg', { viewBox: box, role: 'img', class: 'own-curve' });
    this.draw(of);
    this.lines = names.map((name, number) => this.legend(name, number, names.length));
    /** @type {string[][]} */
    this.points = names.map(() => []);
  }

  /** @param {number} room */
  x(room) {
    return LEFT + (WIDE - LEFT - RIGHT) * room / this.most;
  }

  /** @param {number} ratio */
  y(ratio) {
    return TOP + (HIGH - TOP - BOTTOM) * (1 - ratio);
  }

  /** @param {string} of */
  draw(of) {
    const { drawn, most } = this;
    for (const ratio of [0, 0.5, 1]) {
      const y = this.y(ratio);
      drawn.append(shape('line', { class: 'own-rule', x1: LEFT, x2: WIDE - RIGHT, y1: y, y2: y }));
      drawn.append(shape('text', { x: LEFT - 6, y: y + 4, 'text-anchor': 'end' }, String(ratio)));
    }
    for (const room of [0, Math.round(most / 2), most]) {
      const placed = { x: this.x(room), y: HIGH - BOTTOM + 17, 'text-anchor': room === most ? 'end' : 'middle' };
      drawn.append(shape('text', placed, grouped(room)));
    }
    const middle = { x: (LEFT + WIDE) / 2, y: HIGH - 5, 'text-anchor': 'middle' };
    drawn.append(shape('text', middle, `room for so many ${of}`));
    drawn.append(shape('text', { x: 4, y: 16 }, 'miss ratio'));
  }

  /**
   * @param {string} name
   * @param {number} number
   * @param {number} count
   */
  legend(name, number, count) {
    const left = OF_LEGEND.first + OF_LEGEND.each * (number + 2 - count);
    const line = shape('polyline', { class: `own-line-${number}` });
    this.drawn.append(line, shape('polyline', { class: `own-line-${number}`, points: `${left},12 ${left + 22},12` }));
    this.drawn.append(shape('text', { x: left + 28, y: 16 }, name));
    return line;
  }

  /**
   * The next point of a line.
   * @param {number} number
   * @param {number} room
   * @param {number} ratio
   */
  point(number, room, ratio) {
    this.points[number].push(`${this.x(room)},${this.y(ratio)}`);
    this.lines[number].setAttribute('points', this.points[number].join(' '));
  }

  /**
   * A ring, which is what was measured.
   * @param {number} room
   * @param {number} ratio
   */
  ring(room, ratio) {
    this.drawn.append(shape('circle', { class: 'own-ring', cx: this.x(room), cy: this.y(ratio), r: 4 }));
  }

  /** @param {string} words what the chart shows */
  describe(words) {
    this.drawn.setAttribute('aria-label', words);
  }
}
