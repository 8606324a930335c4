// What renderers draw with: the colours, and two surfaces for one drawing, the page and markup. Shapes come in an order
// that hardly changes, so in the page each shape finds the element that it had and writes only what is new.

// Colours by their meaning. A page sets them for its ground; where it does not, as in the preview of a notebook, the
// defaults are readable on light and dark.
export const INK = 'currentColor';
export const SOFT = 'var(--animation-soft, #767676)';
export const GROUND = 'var(--animation-ground, transparent)';
export const RAISED = 'var(--animation-raised, #80808030)';
export const MODEL = 'var(--animation-model, #0d7fc0)';
export const HIT = 'var(--animation-hit, #00875f)';
export const HIT_GROUND = 'var(--animation-hit-ground, #009e7330)';
export const MISS = 'var(--animation-miss, #c85a00)';
export const MISS_GROUND = 'var(--animation-miss-ground, #d55e0030)';
export const WAIT = 'var(--animation-wait, #5d7fae)';
export const WAIT_GROUND = 'var(--animation-wait-ground, #5d7fae30)';
export const HELD = 'var(--animation-held, #a07410)'; // hatched, too
export const HELD_GROUND = 'var(--animation-held-ground, #a0741030)';
export const WORK = 'var(--animation-work, #8673c9)';
export const ON_COLOUR = 'var(--animation-ground, #fff)'; // letters on a colour that fills a shape

/** The line of the closed form. */
export const FORMULA_LINE = { stroke: MODEL, 'stroke-width': 1.5, 'stroke-dasharray': '5 4' };

const SVG = 'http://www.w3.org/2000/svg';

/** A length to a tenth of a pixel. @param {number} number */
export const px = (number) => Math.round(number * 10) / 10;

/** @typedef {Record<string, string | number>} Attributes */
/** @typedef {{ tag: string, node: SVGElement, words: Text, attributes: Attributes, text: string }} Kept */

/** @implements {Surface} */
export class Live {
  /** @param {SVGElement} parent */
  constructor(parent) {
    this.parent = parent;
    /** @type {Kept[]} */
    this.kept = [];
    this.drawn = 0;
  }

  /** @param {(surface: Surface) => void} draw */
  show(draw) {
    this.drawn = 0;
    draw(this);
    for (const { node } of this.kept.splice(this.drawn)) node.remove();
  }

  /** @param {string} tag @param {Record<string, string | number>} attributes @param {string} [text] */
  put(tag, attributes, text = '') {
    const kept = this.element(tag);
    for (const name in kept.attributes) if (!(name in attributes)) kept.node.removeAttribute(name);
    for (const name in attributes) {
      if (kept.attributes[name] !== attributes[name]) kept.node.setAttribute(name, String(attributes[name]));
    }
    if (kept.text !== text) kept.words.data = text; // the same text node: an element's children never change
    kept.attributes = attributes;
    kept.text = text;
  }

  /** @param {string} tag */
  element(tag) {
    const was = this.kept[this.drawn];
    if (was?.tag !== tag) {
      const node = document.createElementNS(SVG, tag), words = document.createTextNode('');
      node.append(words);
      if (was) was.node.replaceWith(node);
      else this.parent.append(node);
      this.kept[this.drawn] = { tag, node, words, attributes: {}, text: '' };
    }
    this.drawn += 1;
    return this.kept[this.drawn - 1];
  }
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A drawing as text. @param {(surface: Surface) => void} draw */
export function markup(draw) {
  let text = '';
  draw({
    put(tag, attributes, content = '') {
      const pairs = Object.entries(attributes).map(([name, value]) => ` ${name}="${escape(String(value))}"`);
      text += `<${tag}${pairs.join('')}${content ? `>${escape(content)}</${tag}>` : '/>'}`;
    },
  });
  return text;
}

/** A list as a sentence holds it: one, two and three. @param {string[]} words */
export const listWords = (words) => words.join(', ').replace(/, ([^,]*)$/, ' and $1');

/** A count with its noun: 1 client, 2 clients.
 * @param {string | number} count @param {string} one @param {string} [more] */
export const plural = (count, one, more = `${one}s`) => `${count} ${String(count) === '1' ? one : more}`;
