import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paths } from '../../book/_static/labs/cache_cliff/btree.js';
import { lru, scans } from '../../book/_static/labs/cache_cliff/scans.js';
import { Turn } from '../../book/_static/labs/turn.js';

/** @param {(request: { call: string, given: object }) => any} reply */
function turnOf(reply) {
  /** @type {string[]} */
  const ended = [];
  const talk = {
    ask: async (/** @type {any} */ request) => reply(request),
    end: (/** @type {string} */ what) => ended.push(what),
  };
  const none = { loadScript: async () => {}, place: String, fromDisk: false, guess: () => null };
  const turn = new Turn('none', { law: () => talk, ...none });
  return { turn, ended };
}

test('a turn that is stopped ends its work, its law and what it began, the last first', async () => {
  const { turn, ended } = turnOf(() => ({ answer: 4 }));
  /** @type {number[]} */
  const undone = [];
  turn.finally(() => undone.push(1));
  turn.finally(() => Promise.reject(new Error('cannot be undone')));
  turn.finally(() => undone.push(2));
  assert.equal(await turn.law('any', {}), 4);
  const work = turn.until(new Promise(() => {}));
  turn.stop('Stopped.');
  await assert.rejects(work, { message: 'Stopped.' });
  await turn.end();
  assert.deepEqual(undone, [2, 1]);
  assert.equal(ended.length, 1);
});

test('what the law refuses is told', async () => {
  const { turn } = turnOf(() => ({ refusal: 'rows = 0: must be at least 1' }));
  await assert.rejects(turn.law('any', {}), { message: 'rows = 0: must be at least 1' });
});

test('the orders of scans are what they are called, and the same every time', () => {
  assert.deepEqual(scans('cyclic', 3, 2, 1), [[1, 2, 3], [1, 2, 3], [1, 2, 3]]);
  assert.deepEqual(scans('zigzag', 3, 2, 1), [[1, 2, 3], [3, 2, 1], [1, 2, 3]]);
  const shuffled = scans('shuffle', 50, 2, 3);
  assert.deepEqual(shuffled, scans('shuffle', 50, 2, 3));
  assert.notDeepEqual(shuffled[0], shuffled[1]);
  for (const scan of shuffled) assert.deepEqual([...scan].sort((a, b) => a - b), scans('cyclic', 50, 0, 1)[0]);
});

test('an LRU cache of pages misses what was used longest ago', () => {
  const reached = new Map([[1, [9, 1]], [2, [9, 2]], [3, [9, 3]]]); // all by one page
  const all = scans('cyclic', 3, 2, 1);
  assert.deepEqual(lru(all, reached, 4), { hits: 12, misses: 0 });
  assert.deepEqual(lru(all, reached, 3), { hits: 6, misses: 6 });
  assert.deepEqual(lru(scans('zigzag', 3, 1, 1), reached, 3), { hits: 5, misses: 1 });
});

test('the way to each row is read from the file: an interior page, and its leaves', () => {
  const image = new Uint8Array(4 * 4096);
  const file = new DataView(image.buffer);
  /** @type {(page: number, kind: number, ids: number[]) => void} */
  const leaf = (page, kind, ids) => {
    const start = (page - 1) * 4096;
    file.setUint8(start, kind);
    file.setUint16(start + 3, ids.length);
    ids.forEach((id, cell) => {
      file.setUint16(start + 8 + 2 * cell, 1000 + 10 * cell);
      image.set([0x9f, 0x01, 0x80 | (id >> 7), id & 127], start + 1000 + 10 * cell); // its length, its id
    });
  };
  image.set([5, 0, 0, 0, 1], 4096); // page 2: one cell, which leads to page 3
  file.setUint32(4096 + 8, 4); // and to page 4 behind it
  file.setUint16(4096 + 12, 2000);
  file.setUint32(4096 + 2000, 3);
  leaf(3, 13, [1, 2]);
  leaf(4, 13, [300]);
  assert.deepEqual([...paths(image, 2)], [[1, [2, 3]], [2, [2, 3]], [300, [2, 4]]]);
});
