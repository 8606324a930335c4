import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lru, pathsToRows, scans } from '../../book/_static/labs/cache_cliff/pages.js';
import { LabRun, Plot } from '../../book/_static/labs/frame.js';
import { drawStalls, mustBeSlow } from '../../book/_static/labs/hedged_requests/lab.js';

/** @param {(request: { function: string, arguments: object }) => any} reply */
function labRunOf(reply) {
  /** @type {string[]} */
  const ended = [];
  const session = {
    ask: async (/** @type {any} */ request) => reply(request),
    end: (/** @type {string} */ what) => ended.push(what),
  };
  const none = { loadScript: async () => {}, place: String, fromDisk: false, guess: () => null };
  const labRun = new LabRun('none', { law: () => session, ...none });
  return { labRun, ended };
}

test('a stopped run ends its work, its law and everything that it began, the last first', async () => {
  const { labRun, ended } = labRunOf(() => ({ answer: 4 }));
  /** @type {number[]} */
  const undone = [];
  labRun.finally(() => undone.push(1));
  labRun.finally(() => Promise.reject(new Error('cannot be undone')));
  labRun.finally(() => undone.push(2));
  assert.equal(await labRun.law('any', {}), 4);
  const work = labRun.until(new Promise(() => {}));
  labRun.stop('Stopped.');
  await assert.rejects(work, { message: 'Stopped.' });
  await labRun.end();
  assert.deepEqual(undone, [2, 1]);
  assert.equal(ended.length, 1);
});

test('a refusal by the law is an error', async () => {
  const { labRun } = labRunOf(() => ({ refusal: 'rows = 0: must be at least 1' }));
  await assert.rejects(labRun.law('any', {}), { message: 'rows = 0: must be at least 1' });
});

test('the names of three lines are beside each other within the plot, in the large letters of a phone too', () => {
  /** @type {{ x: number, y: number, textContent: string }[]} */
  const texts = [];
  const createElementNS = (/** @type {string} */ _, /** @type {string} */ tag) => {
    const made = {
      x: 0, y: 0, textContent: '', append() {},
      setAttribute(/** @type {'x' | 'y'} */ name, /** @type {string} */ value) {
        made[name] = Number(value);
      },
    };
    if (tag === 'text') texts.push(made);
    return made;
  };
  Object.assign(globalThis, { document: { createElementNS } });
  new Plot(4000, 'rows', ['cyclic, law', 'shuffle, law', 'shuffle, law']);
  const row = texts.filter(({ y }) => y === 16);
  assert.equal(row.length, 4); // and the name of the y axis
  const starts = [...row.slice(1).map(({ x }) => x - 28), 640]; // each with a sample of its line
  row.forEach(({ x, textContent }, n) => assert.ok(x + 9 * textContent.length < starts[n], textContent));
});

test('the orders of scans are as their names say, and the same every time', () => {
  assert.deepEqual(scans('cyclic', 3, 2, 1), [[1, 2, 3], [1, 2, 3], [1, 2, 3]]);
  assert.deepEqual(scans('zigzag', 3, 2, 1), [[1, 2, 3], [3, 2, 1], [1, 2, 3]]);
  const shuffled = scans('shuffle', 50, 2, 3);
  assert.deepEqual(shuffled, scans('shuffle', 50, 2, 3));
  assert.notDeepEqual(shuffled[0], shuffled[1]);
  for (const scan of shuffled) assert.deepEqual([...scan].sort((a, b) => a - b), scans('cyclic', 50, 0, 1)[0]);
});

test('an LRU cache of pages misses the least recently used page', () => {
  const reached = new Map([[1, [9, 1]], [2, [9, 2]], [3, [9, 3]]]); // all by one page
  const all = scans('cyclic', 3, 2, 1);
  assert.deepEqual(lru(all, reached, 4), { hits: 12, misses: 0 });
  assert.deepEqual(lru(all, reached, 3), { hits: 6, misses: 6 });
  assert.deepEqual(lru(scans('zigzag', 3, 1, 1), reached, 3), { hits: 5, misses: 1 });
});

test('the path to each row is read from the file: an interior page and its leaves', () => {
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
  assert.deepEqual([...pathsToRows(image, 2)], [[1, [2, 3]], [2, [2, 3]], [300, [2, 4]]]);
});

test('stalls are drawn as often as was asked, and a share of them hits both replicas', () => {
  const setting = { title: 'a setting', stall_probability: 0.2, shared: 0.5, delay_ms: 50 };
  const [first, second] = drawStalls(setting);
  const stalled = first.flatMap((leaves, request) => leaves.map((leaf) => second[request].includes(leaf)));
  assert.ok(Math.abs(stalled.length / 6000 - 0.2) < 0.03); // 6 standard deviations
  const both = stalled.filter((each) => each).length / stalled.length;
  assert.ok(Math.abs(both - (0.5 + 0.5 * 0.2)) < 0.09);
  const others = second.flat().length / 6000;
  assert.ok(Math.abs(others - (0.2 + 0.8 * 0.2 * 0.5)) < 0.04);
});

test('a request must be slow if a leaf stalls, and if it is asked again only where both replicas stall', () => {
  const stalls = [[[], [4], [4, 5]], [[1], [3], [5]]];
  assert.deepEqual(mustBeSlow(stalls, false), [1, 2]);
  assert.deepEqual(mustBeSlow(stalls, true), [2]);
});
