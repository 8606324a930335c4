import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standIn } from './page.js';

standIn();
const { LatestOnly } = await import('../../book/_static/engine/client.js');

// Answers when the test says so.
class Slow {
  constructor() {
    /** @type {string[]} */
    this.asked = [];
    /** @type {((reply: string | undefined) => void)[]} */
    this.waiting = [];
  }

  /**
   * @param {string} request
   * @returns {Promise<string | undefined>}
   */
  ask(request) {
    this.asked.push(request);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** @param {string} [reply] */
  async answer(reply) {
    this.waiting.shift()?.(reply);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function begun() {
  const slow = new Slow();
  /** @type {[string, string][]} */
  const answered = [];
  const latest = new LatestOnly(slow, (/** @type {string} */ request, reply) => answered.push([request, reply]));
  return { slow, latest, answered };
}

test('of the questions that come while one waits, only the latest is asked', async () => {
  const { slow, latest, answered } = begun();
  for (const request of ['a', 'b', 'c']) latest.ask(request);
  assert.deepEqual(slow.asked, ['a']);
  await slow.answer('A');
  assert.deepEqual(slow.asked, ['a', 'c']);
  await slow.answer('C');
  assert.deepEqual(slow.asked, ['a', 'c']);
  assert.deepEqual(answered, [['a', 'A'], ['c', 'C']]);
});

test('it knows the question that waits, and the next one', async () => {
  const { slow, latest } = begun();
  latest.ask('a');
  latest.ask('b');
  assert.deepEqual([latest.current, latest.next], ['a', 'b']);
  await slow.answer('A');
  assert.deepEqual([latest.current, latest.next], ['b', null]);
  await slow.answer('B');
  assert.deepEqual([latest.current, latest.next], [null, null]);
});

test('a failed question is not answered, and the next one is asked', async () => {
  const { slow, latest, answered } = begun();
  latest.ask('a');
  latest.ask('b');
  await slow.answer(undefined);
  await slow.answer('B');
  assert.deepEqual(answered, [['b', 'B']]);
});
