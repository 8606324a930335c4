import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standIn } from './page.js';

standIn();
const { Latest } = await import('../../book/_static/asker.js');

// Asks when it is told to, one answer a time.
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
  const latest = new Latest(slow, (/** @type {string} */ request, reply) => answered.push([request, reply]));
  return { slow, latest, answered };
}

test('of the questions that come while one waits only the newest is asked', async () => {
  const { slow, latest, answered } = begun();
  for (const request of ['a', 'b', 'c']) latest.ask(request);
  assert.deepEqual(slow.asked, ['a']);
  await slow.answer('A');
  assert.deepEqual(slow.asked, ['a', 'c']);
  await slow.answer('C');
  assert.deepEqual(slow.asked, ['a', 'c']);
  assert.deepEqual(answered, [['a', 'A'], ['c', 'C']]);
});

test('it says what waits, and what comes next', async () => {
  const { slow, latest } = begun();
  latest.ask('a');
  latest.ask('b');
  assert.deepEqual([latest.asked, latest.next], ['a', 'b']);
  await slow.answer('A');
  assert.deepEqual([latest.asked, latest.next], ['b', null]);
  await slow.answer('B');
  assert.deepEqual([latest.asked, latest.next], [null, null]);
});

test('a question that failed is not answered, and the next is asked', async () => {
  const { slow, latest, answered } = begun();
  latest.ask('a');
  latest.ask('b');
  await slow.answer(undefined);
  await slow.answer('B');
  assert.deepEqual(answered, [['b', 'B']]);
});
