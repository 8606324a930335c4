import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Client } from '../../book/_static/engine/client.js';
import { Notebook } from '../../book/_static/engine/notebook.js';

/** A notebook's model that records what is sent, and says what the kernel would. */
function standIn() {
  /** @type {any[]} */
  const sent = [];
  /** @type {Map<string, ((heard: any) => void)[]>} */
  const acts = new Map();
  /** @type {Traits} */
  const traits = { markup: '', entries: { 'rrd.graphs': 45000, 'rrd.scheme': '2q' }, notice: '' };
  const heard = (/** @type {string} */ event, /** @type {any} */ what) => {
    acts.get(event)?.forEach((act) => act(what));
  };
  /** @type {Model} */
  const model = {
    get: (name) => traits[name],
    set(name, value) {
      traits[name] = value;
      heard(`change:${name}`, value);
    },
    save_changes: () => sent.push('saved'),
    send: (message) => sent.push(message),
    on: (event, act) => acts.set(event, [...acts.get(event) ?? [], act]),
    off: (event, act) => acts.set(event, (acts.get(event) ?? []).filter((other) => other !== act)),
  };
  const gone = new AbortController();
  return { notebook: new Notebook(model, gone.signal), model, sent, heard, gone, traits };
}

test('a question takes only the answer with its number', async () => {
  const { notebook, sent, heard } = standIn();
  const reply = notebook.session().ask({ text: '4' });
  const { question, request } = sent[0];
  assert.deepEqual(request, { text: '4' });
  heard('msg:custom', { question: question + 1, reply: { html: 'of another view' } });
  heard('msg:custom', { question, reply: { html: 'ours' } });
  assert.deepEqual(await reply, { html: 'ours' });
});

test('a failure is reported, and a silent kernel after 20 s', async (t) => {
  t.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ['setTimeout'] });
  const { notebook, sent, heard } = standIn();
  const failing = notebook.session().ask({ text: '4' });
  heard('msg:custom', { question: sent[0].question, failure: 'failed (KeyError)' });
  await assert.rejects(failing, { message: 'The Jupyter kernel failed (KeyError).', ended: false });
  const silent = notebook.session().ask({ text: '4' });
  mock.timers.tick(20_000);
  await assert.rejects(silent, { message: 'The Jupyter kernel gave no answer within 20 s.', ended: true });
  assert.equal(notebook.engine.hint, 'It may be busy or have stopped.');
});

/** A part of a notebook that asks one question, a kernel that answers the nth asked, and 20 s without an answer. */
function askingPart() {
  const note = { append() {}, addEventListener() {}, setAttribute() {}, matches: () => false, textContent: '' };
  globalThis.document = /** @type {any} */ ({ createElement: () => note });
  const { notebook, sent, heard } = standIn();
  const above = /** @type {any} */ ({ after() {} });
  /** @type {object[]} */
  const replies = [];
  const ask = async () => {
    const reply = await client.ask(/** @type {any} */ ({ text: '4' }));
    if (reply) replies.push(reply);
  };
  const client = new Client({ engine: notebook.engine, session: notebook.session() }, above, '', ask);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const answer = async (/** @type {number} */ n) => {
    heard('msg:custom', { question: sent[n].question, reply: { n } });
    await settled();
  };
  const silence = async () => {
    mock.timers.tick(20_000);
    await settled();
  };
  return { note, sent, heard, replies, ask, answer, silence };
}

test('a part whose kernel was busy for long comes alive when the kernel answers after all', async (t) => {
  t.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ['setTimeout'] });
  const { note, sent, heard, replies, ask, answer, silence } = askingPart();
  ask();
  await silence();
  assert.match(note.textContent, /^The Jupyter kernel gave no answer within 20 s\./);
  heard('msg:custom', { question: sent[0].question - 1, reply: 'of another view' });
  assert.equal(sent.length, 1);
  await answer(0); // too late for the first question, and asks it again
  await answer(1);
  assert.deepEqual([sent.length, replies, note.textContent], [2, [{ n: 1 }], '']);
});

test('a question that always takes too long is asked again once', async (t) => {
  t.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ['setTimeout'] });
  const { sent, replies, ask, answer, silence } = askingPart();
  ask();
  await silence();
  await answer(0);
  await silence();
  await answer(1);
  assert.deepEqual([sent.length, replies.length], [2, 0]);
});

test('after a restart of the kernel the reader is asked to run the cell again', async () => {
  const { notebook, model } = standIn();
  model.send = () => {
    throw new Error('Cannot send');
  };
  const message = 'The Jupyter kernel no longer knows this widget. Run its cell again.';
  await assert.rejects(notebook.session().ask({ text: '4' }), { message, ended: false });
});

test('a simulation is asked like anything else, and can be ended', async () => {
  const { notebook, sent, heard } = standIn();
  const session = notebook.simulation(), reply = session.ask(/** @type {any} */ ({ simulate: {} }));
  heard('msg:custom', { question: sent[0].question, reply: 'a run' });
  assert.equal(await reply, 'a run');
  session.end('by the reader');
  assert.equal(sent.length, 1);
});

test('entries are read as strings, written beside others, and removed by null', () => {
  const { notebook, sent, traits } = standIn();
  assert.deepEqual(notebook.urlState.readAll('rrd'), [['graphs', '45000'], ['scheme', '2q']]);
  assert.equal(notebook.urlState.read('rrd.scheme'), '2q');
  assert.equal(notebook.urlState.read('rrd.memory_gib'), null);
  notebook.urlState.write({ 'rrd.graphs': null, 'rrd.memory_gib': 4 });
  assert.deepEqual(traits.entries, { 'rrd.scheme': '2q', 'rrd.memory_gib': 4 });
  assert.deepEqual(sent, ['saved']);
});

test('a part follows what others write, but not its own writes, until it is gone', () => {
  const { notebook, model, gone } = standIn();
  /** @type {string[]} */
  const told = [];
  notebook.follow({ moved: () => told.push('moved'), notify: (sentence) => told.push(sentence) });
  notebook.urlState.write({ 'rrd.graphs': 1 });
  assert.deepEqual(told, []);
  model.set('entries', {});
  model.set('notice', 'must be less');
  assert.deepEqual(told, ['moved', 'must be less']);
  gone.abort();
  model.set('entries', { 'rrd.graphs': 2 });
  assert.deepEqual(told, ['moved', 'must be less']);
});

test('taking a method off a host is a type error, because its class needs `this`', async () => {
  /** @type {{ notebook: Host }} */
  const { notebook } = standIn();
  const { animating, follow } = notebook;
  // @ts-expect-error `npm run types` fails if this line raises no type error
  assert.throws(() => animating(/** @type {any} */ ({})), TypeError);
  // @ts-expect-error
  assert.throws(() => follow({ moved() {} }), TypeError);
});
