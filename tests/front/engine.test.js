import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { standIn } from './page.js';

/** @type {FakeWorker[]} */
const workers = [];

// A worker that records messages, and sends those of the test.
class FakeWorker {
  /** @param {string} script */
  constructor(script) {
    this.script = script;
    /** @type {Question[]} */
    this.questions = [];
    /** @type {object[]} */
    this.python = [];
    this.ended = false;
    /** @type {(event: { data: Message }) => void} */
    this.onmessage = () => {};
    /** @type {(event: { message: string }) => void} */
    this.onerror = () => {};
    workers.push(this);
  }

  /** @param {{ python?: object } & Question} message */
  postMessage(message) {
    if (message.question) this.questions.push(message);
    if (message.python) this.python.push(message.python);
  }

  /** @param {Message} data */
  say(data) {
    this.onmessage({ data });
  }

  terminate() {
    this.ended = true;
  }
}

const PYTHON = { shared: { 'a.py': '' }, cache_cliff: { 'b.py': '' } };
// Scripts load at once.
const head = { append: (/** @type {HTMLScriptElement} */ script) => script.onload?.(new Event('load')) };

standIn();
Object.assign(document, { head, createElement: () => ({}) });
Object.assign(globalThis, { Worker: FakeWorker, tunablesPython: PYTHON });

const PROBLEMS = { chapter: 3 };
let modules = 0;

/** @returns {Promise<typeof import('../../book/_static/engine/engine.js')>} */
function freshEngine() {
  modules += 1;
  return import(`../../book/_static/engine/engine.js?test=${modules}`);
}

// Resolves once settled promises have called back.
function settle() {
  return new Promise((resolve) => setImmediate(resolve));
}

beforeEach(() => {
  workers.length = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
});
afterEach(() => mock.timers.reset());

async function asking() {
  const { Session, isUp } = await freshEngine();
  const session = new Session('tunables.page.problem:PracticeSession', PROBLEMS);
  const reply = session.ask({ kind: 'zigzag', seed: 1 });
  await settle();
  return { session, reply, isUp, worker: workers[0], number: workers[0].questions[0].question };
}

test('no engine runs before the first question, and one for all sessions after it', async () => {
  const { Session, isUp } = await freshEngine();
  const sessions = [1, 2].map(() => new Session('tunables.page.problem:PracticeSession', PROBLEMS));
  assert.equal(workers.length, 0);
  sessions.forEach((session) => session.ask({ kind: 'zigzag', seed: 1 }));
  await settle();
  assert.equal(workers.length, 1);
  assert.ok(workers[0].script.endsWith('/vendor/engine-worker.js'));
  assert.ok(!isUp());
  workers[0].say({ up: true });
  assert.ok(isUp());
});

test('a session describes itself once', async () => {
  const { session, worker } = await asking();
  session.ask({ kind: 'zigzag', seed: 2 });
  await settle();
  const [first, second] = worker.questions;
  assert.deepEqual([first.module, first.description], ['tunables.page.problem:PracticeSession', PROBLEMS]);
  assert.deepEqual([second.module, second.session], [undefined, first.session]);
  assert.notEqual(second.question, first.question);
});

test('the engine is given the Python that it lacks', async () => {
  const { worker } = await asking();
  worker.say({ lacks: 'cache_cliff' });
  await settle();
  assert.deepEqual(worker.python, [PYTHON.shared, PYTHON.cache_cliff]);
});

test('each question gets its own reply, whatever the order', async () => {
  const { session, reply, worker, number } = await asking();
  const second = session.ask({ kind: 'zigzag', seed: 2 });
  await settle();
  worker.say({ question: worker.questions[1].question, reply: { refusal: 'two' } });
  worker.say({ question: number, reply: { refusal: 'one' } });
  assert.deepEqual(await Promise.all([reply, second]), [{ refusal: 'one' }, { refusal: 'two' }]);
});

test('a question that fails leaves the engine running', async () => {
  const { reply, worker, number, isUp } = await asking();
  worker.say({ up: true });
  worker.say({ question: number, failure: 'failed (KeyError)' });
  await assert.rejects(reply, { message: 'The Python engine failed (KeyError).', ended: false });
  assert.ok(isUp() && !worker.ended);
});

test('an engine that does not start is given up, and the next question starts another', async () => {
  const { session, reply, worker } = await asking();
  mock.timers.tick(30_000);
  await assert.rejects(reply, { message: 'The Python engine did not start within 30 s.', ended: true });
  await settle();
  assert.ok(worker.ended);
  session.ask({ kind: 'zigzag', seed: 2 });
  await settle();
  assert.equal(workers.length, 2);
  assert.deepEqual(workers[1].questions[0].description, PROBLEMS); // it is described again
});

test('an engine that falls silent is given up after 20 s, unless it answers', async () => {
  const { session, reply, worker, number } = await asking();
  worker.say({ up: true });
  const second = session.ask({ kind: 'zigzag', seed: 2 });
  mock.timers.tick(19_000);
  worker.say({ question: number, reply: { refusal: '' } });
  await reply;
  mock.timers.tick(19_000);
  assert.ok(!worker.ended);
  mock.timers.tick(1000);
  await assert.rejects(second, { message: 'The Python engine gave no answer within 20 s.', ended: true });
});

test('an engine without questions may be silent', async () => {
  const { session, reply, worker, number, isUp } = await asking();
  worker.say({ up: true });
  worker.say({ question: number, reply: { refusal: '' } });
  await reply;
  mock.timers.tick(1_000_000);
  assert.ok(isUp());
  const later = session.ask({ kind: 'zigzag', seed: 2 });
  mock.timers.tick(20_000);
  await assert.rejects(later, { message: 'The Python engine gave no answer within 20 s.' });
});

test('a breakdown is reported to all that wait', async () => {
  const { session, reply, worker, isUp } = await asking();
  const second = session.ask({ kind: 'zigzag', seed: 2 });
  worker.say({ down: 'broke down (out of memory)' });
  const error = { message: 'The Python engine broke down (out of memory).', ended: true };
  await Promise.all([assert.rejects(reply, error), assert.rejects(second, error)]);
  assert.ok(!isUp());
});

test('a worker that does not load could not start; a running one broke down', async () => {
  const first = await asking();
  first.worker.onerror({ message: '' });
  await assert.rejects(first.reply, { message: 'The Python engine could not start (its worker did not load).' });
  workers.length = 0;
  const second = await asking();
  second.worker.say({ up: true });
  second.worker.onerror({ message: 'of a bug' });
  await assert.rejects(second.reply, { message: 'The Python engine broke down (of a bug).' });
});
