// What tests of renderers share: random numbers that are the same each time, and the places of labels.
import assert from 'node:assert/strict';
import { markup } from '../../book/_static/animation/surface.js';

/** Numbers from 0 to 1, the same each time. @param {number} count */
export function draws(count) {
  let word = 4321;
  return Array.from({ length: count }, () => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return word / 2 ** 32;
  });
}

/** The texts of a drawing, with room for the widest letters. @param {string} drawing */
export function labels(drawing) {
  return [...drawing.matchAll(/<text ([^>]*)>([^<]*)</g)].map(([, attributes, words]) => {
    const get = (/** @type {string} */ name) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1];
    const size = Number(get('font-size')), letter = size * (get('font-weight') ? 0.69 : 0.61);
    const wide = Number(get('textLength') ?? words.length * letter);
    const shift = new Map([['middle', wide / 2], ['end', wide]]).get(get('text-anchor') ?? '') ?? 0;
    const x = Number(get('x')) - shift, y = Number(get('y'));
    return { words, size, x, right: x + wide, top: y - 0.75 * size, y };
  });
}

/** @typedef {ReturnType<typeof labels>[number]} Label */

/** @param {Label} one @param {Label} other */
function apart(one, other) {
  const beside = one.x >= other.right || other.x >= one.right;
  return beside || one.top >= other.y || other.top >= one.y;
}

/** The pairs of labels that are not apart. @param {Label[]} all */
export function touching(all) {
  const pairs = all.flatMap((one, n) => all.slice(n + 1).map((other) => [one, other]));
  return pairs.filter(([one, other]) => !apart(one, other));
}

/** Assert that every label is at least 12 px high, inside the drawing, and touches no other.
 * @param {Renderer<any, any>} renderer @param {any} trace @param {number} t @param {number} width */
export function assertApart(renderer, trace, t, width) {
  const height = renderer.height(width), state = renderer.state(trace, t);
  const all = labels(markup((surface) => {
    renderer.backdrop(trace, width, height, surface);
    renderer.moving(state, width, height, surface);
    renderer.scene(state, width, height, surface);
  })).filter(({ words }) => words);
  assert.ok(all.length > 5);
  const small = all.filter(({ size }) => size < 12);
  const outside = all.filter(({ x, right, top, y }) => x < 0 || right > width || top < 0 || y > height);
  assert.deepEqual([small, outside, touching(all)], [[], [], []]);
}

/** Assert that a time looks the same after jumps to it and after steps forward and backward.
 * @param {(t: number) => string} draw @param {number} end of the run */
export function assertSameAtEachVisit(draw, end) {
  const jumps = draws(30).map((share) => share * end), drawings = jumps.map(draw);
  const order = [...jumps.keys()].sort((a, b) => jumps[a] - jumps[b]);
  for (const n of [...order, ...order.reverse()]) assert.equal(draw(jumps[n]), drawings[n]);
}

/** Assert that the figures of a run are the same two to four at each of its times, and that a phone has room for their
 * labels. @param {Renderer<any, any>} renderer @param {any[]} states of one run */
export function assertSameFigures(renderer, states) {
  const names = states.map((state) => renderer.figures?.(state).map(({ label, short }) => ({ label, short })));
  for (const name of names) assert.deepEqual(name, names[0]);
  const count = names[0]?.length ?? 0, long = names[0]?.filter(({ label, short = label }) => short.length > 14);
  assert.ok(count >= 2 && count <= 4, `${count} figures`);
  assert.deepEqual(long, []);
}
