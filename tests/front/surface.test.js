import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Live, markup, px } from '../../book/_static/animation/surface.js';

test('what would be markup is text, in words and in attributes', () => {
  const made = markup((surface) => surface.put('text', { x: 1.5, 'aria-label': 'a "b" & <c>' }, 'a "b" & <c>'));
  assert.equal(made, '<text x="1.5" aria-label="a &quot;b&quot; &amp; &lt;c>">a &quot;b&quot; &amp; &lt;c></text>');
});

test('what holds no words is closed at once', () => {
  assert.equal(markup((surface) => surface.put('line', { x1: 0, x2: 9 })), '<line x1="0" x2="9"/>');
});

test('places are told to a tenth of a pixel', () => {
  assert.deepEqual([1.04, 1.05, -3.26, 7].map(px), [1, 1.1, -3.3, 7]);
});

/** An element that keeps count of what is written to it. */
class Element {
  constructor(tag = '') {
    this.tag = tag;
    /** @type {Map<string, string>} */
    this.attributes = new Map();
    /** @type {any[]} */
    this.children = [];
    this.written = 0;
    this.data = '';
    /** @type {Element | null} */
    this.parent = null;
  }

  /** @param {Element} child */
  append(child) {
    this.children.push(Object.assign(child, { parent: this }));
  }

  /** @param {Element} other */
  replaceWith(other) {
    const { children } = /** @type {Element} */ (this.parent);
    children[children.indexOf(this)] = Object.assign(other, { parent: this.parent });
  }

  remove() {
    const { children } = /** @type {Element} */ (this.parent);
    children.splice(children.indexOf(this), 1);
  }

  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes.set(name, value);
    this.written += 1;
  }

  /** @param {string} name */
  removeAttribute(name) {
    this.attributes.delete(name);
    this.written += 1;
  }
}

/** What stands on a page. @param {Element} svg */
const standing = (svg) => svg.children.map(({ tag, attributes, children: [words] }) => (
  [tag, Object.fromEntries(attributes), words.data]));

test('in the page each shape keeps its element, and only what is new is written', () => {
  const createElementNS = (/** @type {string} */ _, /** @type {string} */ tag) => new Element(tag);
  Object.assign(globalThis, { document: { createElementNS, createTextNode: () => new Element() } });
  const svg = new Element('svg'), live = new Live(/** @type {any} */ (svg));
  live.show((surface) => {
    surface.put('text', { x: 1, fill: 'red' }, 'one');
    surface.put('line', { x1: 2 });
    surface.put('rect', { width: 3 });
  });
  const [text, line] = svg.children;
  live.show((surface) => {
    surface.put('text', { x: 1, y: 4 }, 'two');
    surface.put('circle', { r: 5 });
  });
  assert.deepEqual(standing(svg), [['text', { x: '1', y: '4' }, 'two'], ['circle', { r: '5' }, '']]);
  assert.equal(svg.children[0], text);
  assert.equal(text.written, 4); // x and fill; fill away, y
  assert.ok(!svg.children.includes(line));
  live.show(() => {});
  assert.deepEqual(standing(svg), []);
});
