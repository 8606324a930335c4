import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Kernel } from '../../book/_static/kernel.js';

/** A notebook's model that notes what is sent, and says what the kernel would. */
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
  return { kernel: new Kernel(model, gone.signal), model, sent, heard, gone, traits };
}

test('a question is answered by its own number alone', async () => {
  const { kernel, sent, heard } = standIn();
  const reply = kernel.session().ask({ text: '4' });
  const { question, request } = sent[0];
  assert.deepEqual(request, { text: '4' });
  heard('msg:custom', { question: question + 1, reply: { html: 'of another view' } });
  heard('msg:custom', { question, reply: { html: 'ours' } });
  assert.deepEqual(await reply, { html: 'ours' });
});

test('a failure is told, and a silent kernel after 20 s', async (t) => {
  t.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ['setTimeout'] });
  const { kernel, sent, heard } = standIn();
  const failing = kernel.session().ask({ text: '4' });
  heard('msg:custom', { question: sent[0].question, failure: 'failed at this (KeyError)' });
  await assert.rejects(failing, { message: 'The Jupyter kernel failed at this (KeyError).', ended: false });
  const silent = kernel.session().ask({ text: '4' });
  mock.timers.tick(20_000);
  await assert.rejects(silent, { message: 'The Jupyter kernel gave no answer within 20 s.', ended: true });
  assert.equal(kernel.engine.hint, 'It may be busy, or gone.');
});

test('a simulation is asked as anything else is, and may be ended', async () => {
  const { kernel, sent, heard } = standIn();
  const talk = kernel.simulation(), reply = talk.ask(/** @type {any} */ ({ simulate: {} }));
  heard('msg:custom', { question: sent[0].question, reply: 'a run' });
  assert.equal(await reply, 'a run');
  talk.end('by the reader');
  assert.equal(sent.length, 1);
});

test('entries are read as texts, written beside others, and taken out by null', () => {
  const { kernel, sent, traits } = standIn();
  assert.deepEqual(kernel.entries.readEntries('rrd'), [['graphs', '45000'], ['scheme', '2q']]);
  assert.equal(kernel.entries.readEntry('rrd.scheme'), '2q');
  assert.equal(kernel.entries.readEntry('rrd.memory_gib'), null);
  kernel.entries.writeEntries({ 'rrd.graphs': null, 'rrd.memory_gib': 4 });
  assert.deepEqual(traits.entries, { 'rrd.scheme': '2q', 'rrd.memory_gib': 4 });
  assert.deepEqual(sent, ['saved']);
});

test('a part follows what others write, not what it writes itself, until it is gone', () => {
  const { kernel, model, gone } = standIn();
  /** @type {string[]} */
  const told = [];
  kernel.follow({ moved: () => told.push('moved'), told: (sentence) => told.push(sentence) });
  kernel.entries.writeEntries({ 'rrd.graphs': 1 });
  assert.deepEqual(told, []);
  model.set('entries', {});
  model.set('notice', 'must be less');
  assert.deepEqual(told, ['moved', 'must be less']);
  gone.abort();
  model.set('entries', { 'rrd.graphs': 2 });
  assert.deepEqual(told, ['moved', 'must be less']);
});
