// Two surfaces for one drawing: the page, and markup. Shapes come in an order that hardly changes,
// so that in the page each finds the element that it had, and writes only what is new.

const SVG = 'http://www.w3.org/2000/svg';

/** Tenths of a pixel will do. @param {number} number */
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
    if (kept.text !== text) kept.words.data = text; // no element changes its children
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
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The same drawing as text. @param {(surface: Surface) => void} draw */
export function markup(draw) {
  let made = '';
  draw({
    put(tag, attributes, text = '') {
      const words = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
      made += `<${tag}${words.join('')}${text ? `>${escaped(text)}</${tag}>` : '/>'}`;
    },
  });
  return made;
}
