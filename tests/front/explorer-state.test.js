import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { History, readState, writeState } from '../../book/_static/explorer/state.js';
import { standIn } from './page.js';

const BOUNDS = { low: 0, high: 1e6, scale: /** @type {const} */ ('linear'), integer: false };
const WORDS = { label: '', title: '', unit: '', unit_text: '', origin: 'assumed', source: '' };
const RRD = {
  name: 'rrd',
  parameters: [
    { name: 'graphs', default: 400, choices: [], ...BOUNDS, ...WORDS },
    { name: 'scheme', default: 'lru', choices: ['lru', '2q'], ...BOUNDS, ...WORDS },
  ],
  defaults: { graphs: 400, scheme: 'lru' },
};

let pages = 0;

/**
 * Returns a page at a URL, and a new copy of the module that reads it.
 * @param {string} search
 */
async function pageAt(search) {
  const page = standIn(search);
  pages += 1;
  /** @type {typeof import('../../book/_static/page/url-state.js')} */
  const link = await import(`../../book/_static/page/url-state.js?page=${pages}`);
  return { link, ...page };
}

test('an explorer reads its own parameters, numbers and choices', async () => {
  const { link } = await pageAt('?rrd.graphs=45000&rrd.scheme=2q&sessions.rate=3&rrdtool.graphs=1');
  assert.deepEqual(readState(link.readAll('rrd'), RRD), { state: { graphs: 45000, scheme: '2q' }, unknown: [] });
});

test('a parameter that the explorer does not have is named', async () => {
  const { link } = await pageAt('?rrd.grafs=1&rrd.graphs=2');
  assert.deepEqual(readState(link.readAll('rrd'), RRD), { state: { graphs: 2 }, unknown: ['grafs'] });
});

for (const text of ['many', '', ' ', '1e999', '0x']) {
  test(`what is not a number, "${text}", is left for Python to refuse`, async () => {
    const { link } = await pageAt(`?rrd.graphs=${text}`);
    assert.deepEqual(readState(link.readAll('rrd'), RRD).state, { graphs: text });
  });
}

test('a choice that looks like a number stays a string', async () => {
  const { link } = await pageAt('?rrd.scheme=2');
  assert.deepEqual(readState(link.readAll('rrd'), RRD).state, { scheme: '2' });
});

test('only what differs from the defaults is written', async () => {
  const { link, shown } = await pageAt('?rrd.scheme=2q');
  writeState(link, RRD, { graphs: 500, scheme: 'lru' });
  assert.equal(shown.search, '?rrd.graphs=500');
});

test('entries of others stay, and null removes entries', async () => {
  const { link, shown } = await pageAt('?guess.rrd.slowdown=4&problem.3=zigzag.17&ledger.text=a');
  link.write({ 'problem.3': null, 'validity.rrd': 20 });
  assert.equal(shown.search, '?guess.rrd.slowdown=4&ledger.text=a&validity.rrd=20');
  assert.equal(link.read('guess.rrd.slowdown'), '4');
  assert.equal(link.read('problem.3'), null);
  assert.deepEqual(link.readAll('ledger'), [['text', 'a']]);
});

test('a written state can be read', async () => {
  const { link, shown } = await pageAt('');
  const state = { graphs: 1.5e-7, scheme: '2q' };
  writeState(link, RRD, state);
  const later = await pageAt(shown.search);
  assert.deepEqual(readState(later.link.readAll('rrd'), RRD).state, state);
});

test('the URL is written at once, and then at most twice a second', async (t) => {
  t.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ['setTimeout'] });
  const { link, shown, written } = await pageAt('');
  for (const graphs of [1, 2, 3]) writeState(link, RRD, { ...RRD.defaults, graphs });
  assert.deepEqual([shown.search, written.times], ['?rrd.graphs=1', 1]);
  mock.timers.tick(500);
  assert.deepEqual([shown.search, written.times], ['?rrd.graphs=3', 2]);
});

test('a page left early keeps its last change', async (t) => {
  t.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ['setTimeout'] });
  const { link, shown, leave } = await pageAt('');
  for (const graphs of [1, 2]) writeState(link, RRD, { ...RRD.defaults, graphs });
  leave();
  assert.equal(shown.search, '?rrd.graphs=2');
});

test('a link to copy holds the present state of its section, and nothing of other parts', async () => {
  const { link } = await pageAt('?guess.rrd.slowdown=4&rrdtool.graphs=7&card3.graphs=9');
  for (const graphs of [1, 2]) writeState(link, RRD, { ...RRD.defaults, graphs });
  assert.equal(link.address(part({}), 'rrd'), 'http://book/chapters/03.html?rrd.graphs=2#explore-rrd');
  writeState(link, RRD, RRD.defaults);
  assert.equal(link.address(part({}), 'rrd'), 'http://book/chapters/03.html#explore-rrd');
  const { link: embedded } = await pageAt('?rrd.graphs=2');
  const inChapter = embedded.address(part({ chapter: '../book/03.html' }), 'rrd');
  assert.equal(inChapter, 'http://book/book/03.html?rrd.graphs=2#explore-rrd');
});

test('the code that embeds a section has its state, escaped, and no guess', async () => {
  const { link } = await pageAt('?rrd.graphs=2&rrd.scheme=lru&guess.rrd.slowdown=4');
  const code = link.embedding(part({ embed: '../embed/03.html' }))?.() ?? '';
  assert.match(code, /^<iframe src="http:\/\/book\/embed\/03\.html\?rrd\.graphs=2&amp;rrd\.scheme=lru" /);
  assert.match(code, / title="The LRU cliff — &quot;Tunables&quot;" .*><\/iframe>$/);
  assert.equal(link.embedding(part({})), null);
});

/** @param {Record<string, string>} dataset */
function part(dataset) {
  return /** @type {Element} */ (/** @type {unknown} */ ({ id: 'explore-rrd', dataset }));
}

/** @param {number} graphs */
const at = (graphs) => ({ graphs });

test('several changes of a gesture are one step, and the next gesture is another', () => {
  const history = new History();
  history.note(at(1), 'graphs');
  history.note(at(2), 'graphs');
  history.end();
  history.note(at(3), 'graphs');
  assert.deepEqual(history.back(at(4)), at(3));
  assert.deepEqual(history.back(at(3)), at(1));
  assert.equal(history.back(at(1)), undefined);
});

test('a refused change is not a step', () => {
  const history = new History();
  history.note(at(1), '');
  history.note(at(2), '');
  assert.deepEqual(history.back(at(2)), at(1));
});

test('fifty steps are kept', () => {
  const history = new History();
  for (let n = 0; n < 60; n += 1) history.note(at(n), '');
  let steps = 0, last;
  for (let now = history.back(at(99)); now; now = history.back(now)) [steps, last] = [steps + 1, now.graphs];
  assert.deepEqual([steps, last], [50, 10]);
});
