import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standIn } from './page.js';

standIn();
/** @type {Map<string, string>} */
const stored = new Map();
Object.assign(globalThis, {
  localStorage: {
    getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ text) => stored.set(key, text),
    removeItem: (/** @type {string} */ key) => stored.delete(key),
    key: (/** @type {number} */ place) => [...stored.keys()][place] ?? null,
    get length() {
      return stored.size;
    },
  },
});
const { forgetAll, keep, recall } = await import('../../book/_static/page/kept.js');
const { countSteps, Work } = await import('../../book/_static/page/work.js');
const { describeWork } = await import('../../book/_static/page/hand-in.js');

/** A page with no questions and no animations. */
const page = /** @type {any} */ ({ querySelectorAll: () => [] });
const urlState = { read: () => null, readAll: () => [], write() {} };

test('what is kept comes back, and what is damaged counts as nothing', () => {
  assert.equal(keep('a', { x: 1 }), true);
  assert.deepEqual(recall('a'), { x: 1 });
  for (const text of ['', '{', 'null', '3']) {
    stored.set('tunables.hand-in.a', text);
    assert.deepEqual(recall('a'), {});
  }
});

test('forgetting removes what was kept of every chapter, and nothing else', () => {
  stored.set('code', 'shown');
  keep('', {});
  keep('a.one', {});
  keep('a.two', {});
  forgetAll();
  assert.deepEqual([...stored.keys()], ['code']);
});

test('the first step counts once another is reached', () => {
  const animations = [['#a-1', '#a-2', '#a-3'], ['#b-1', '#b-2'], []];
  assert.deepEqual(countSteps(animations, new Set()), [0, 5]);
  assert.deepEqual(countSteps(animations, new Set(['#a-1'])), [1, 5]);
  assert.deepEqual(countSteps(animations, new Set(['#a-3', '#no-such'])), [2, 5]);
  assert.deepEqual(countSteps(animations, new Set(['#a-2', '#a-3', '#b-2'])), [5, 5]);
});

test('work without a code is kept nowhere, and becomes the work of the first code', () => {
  stored.clear();
  const work = new Work(page, 'chapter', urlState);
  work.done.map = true;
  assert.equal(work.keep(), true);
  assert.equal(stored.size, 0);
  work.belongTo('AAAAA');
  work.done.answers.late = '12';
  work.keep();
  work.belongTo('BBBBB');
  assert.equal(work.record().map, false);
  assert.deepEqual(work.record().answers, {});
  work.belongTo('AAAAA');
  assert.deepEqual(work.record().answers, { late: '12' });
  assert.equal(new Work(page, 'other', urlState).record().map, false);
});

test('damaged work is read as far as it goes', () => {
  keep('AAAAA.chapter', { guesses: 3, steps: 'x', map: 'yes', answers: { late: 12 } });
  const work = new Work(page, 'chapter', urlState);
  work.belongTo('AAAAA');
  const rest = { guesses: [], steps: [0, 0], map: false, own_numbers: false };
  assert.deepEqual(work.record(), { ...rest, answers: { late: '12' } });
});

test('the work is described in words', () => {
  const said = describeWork({
    guesses: [['a', '40'], ['b', 'skip'], ['c', '']], steps: [3, 5], map: true, own_numbers: false, answers: {},
  });
  assert.match(said[0], /2 of 3$/);
  assert.match(said[1], /3 of 5$/);
  assert.match(said[2], /yes$/);
  assert.match(said[3], /not yet$/);
});
