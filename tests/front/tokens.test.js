// The colours of the page by their contrast, as tokens.css has them: what text or an edge stands on it stands out from.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const SHEET = new URL('../../book/styles/tokens.css', import.meta.url);
const TEXT = 4.5;
const EDGE = 3;
const GROUNDS = ['paper', 'panel', 'sunken', 'raised'];

/** What stands on what, and how much it stands out. @type {[string, string[], number][]} */
const PAIRS = [
  ['ink', [...GROUNDS, 'act-soft', 'gold-soft', 'hit-soft', 'miss-soft'], TEXT],
  ['ink-2', [...GROUNDS, 'act-soft', 'gold-soft'], TEXT],
  ['ink-3', GROUNDS, TEXT],
  ['act', [...GROUNDS, 'act-soft'], TEXT],
  ['act-2', [...GROUNDS, 'act-soft'], TEXT],
  ['on-act', ['act', 'act-2'], TEXT],
  ['model', ['paper', 'panel', 'sunken'], TEXT],
  ['hit', ['paper', 'panel', 'sunken', 'hit-soft'], TEXT],
  ['miss', ['paper', 'panel', 'sunken', 'miss-soft'], TEXT],
  ['gold', ['paper', 'panel', 'sunken', 'gold-soft'], TEXT],
  ['wait', ['panel', 'wait-soft'], TEXT],
  ['held', ['panel', 'held-soft'], TEXT],
  ['work', ['panel'], TEXT],
  ['bad', ['paper', 'panel', 'sunken'], TEXT],
  ['kept-1', ['panel', 'sunken'], TEXT],
  ['kept-2', ['panel', 'sunken'], TEXT],
  ['panel', ['hit', 'miss'], TEXT],
  ['edge', ['paper', 'panel', 'sunken'], EDGE],
];

/** Returns the colours of a look, by their names. @param {string} look */
function colours(look) {
  const block = readFileSync(SHEET, 'utf8').match(new RegExp(`html\\[data-theme="${look}"\\][^{]*\\{([^}]*)\\}`));
  const named = (block?.[1] ?? '').matchAll(/--([\w-]+): (#[\da-f]{6});/g);
  return Object.fromEntries([...named].map(([, name, hex]) => [name, hex]));
}

/** Returns the relative luminance of a colour, as WCAG 2 defines it. @param {string} hex */
function luminance(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {string} one @param {string} other */
function contrast(one, other) {
  const [less, more] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

test('black on white has the greatest contrast there is', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
});

for (const look of ['light', 'dark']) {
  test(`what stands on a ground stands out from it: ${look}`, () => {
    const found = colours(look);
    const faint = PAIRS.flatMap(([name, grounds, least]) => grounds
      .map((ground) => ({ name, ground, is: contrast(found[name], found[ground]) }))
      .filter(({ is }) => !(is >= least)));
    assert.deepEqual(faint, []);
  });

  test(`every colour is in a pair, or only a surface: ${look}`, () => {
    const paired = new Set(PAIRS.flatMap(([name, grounds]) => [name, ...grounds]));
    const lines = ['line', 'line-2', 'act-line', 'gold-line'];
    assert.deepEqual(Object.keys(colours(look)).filter((name) => !paired.has(name) && !lines.includes(name)), []);
  });
}

test('both looks have the same names', () => {
  assert.deepEqual(Object.keys(colours('dark')), Object.keys(colours('light')));
});
