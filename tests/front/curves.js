// A small curve with its parameters, and the shapes that are drawn.
import { draw } from '../../book/_static/chart/draw.js';

const FIELDS = { title: '', unit_text: '', origin: '', source: '' };
/** @type {Parameter} */
export const GRAPHS = {
  ...FIELDS, name: 'graphs', label: 'Graphs', unit: 'graphs', default: 40_000, choices: [],
  low: 1000, high: 200_000, scale: 'log', integer: true,
};
/** @type {Parameter} */
export const DELAY = {
  ...FIELDS, name: 'delay', label: 'Delay', unit: 's', default: 2, choices: [],
  low: 0, high: 0.25, scale: 'linear', integer: false,
};
/** @type {Parameter} */
export const SCHEME = {
  ...FIELDS, name: 'scheme', label: 'Policy', unit: '', default: 'lru', choices: ['lru', 'opt'],
  choice_texts: ['oldest first', 'the best'], low: 0, high: 1, scale: 'linear', integer: false,
};
export const CLIFF = [[1000, 1], [36_562, 1], [36_562.5, 1], [36_562.5, 20], [200_000, 20]].map(([x, y]) => ({ x, y }));

/** @param {Parameter} parameter @param {[number, number]} domain @param {string} unit */
export const axes = (parameter, domain = [0, 20], unit = '1') => ({ parameter, domain, unit });

/** @typedef {{ tag: string, text: string, attributes: Record<string, string | number> }} Shape */

/** @param {ChartContent} all @param {number} wide */
export function shapes(all, wide) {
  /** @type {Shape[]} */
  const made = [];
  draw(all, wide, 260, { put: (tag, attributes, text = '') => made.push({ tag, attributes, text }) });
  return made;
}

/** @type {ChartContent} */
export const PLOTTED = {
  axes: axes(GRAPHS), curve: CLIFF, here: { x: 40_000, y: 20 }, kept: [], text: '', evidence: [], simulated: [],
  reading: null, unit: '', say: (value) => `${value} ×`,
};
