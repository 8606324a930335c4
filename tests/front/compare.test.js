import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alike, heading, momentAt, sharing, shortTitles, timeIn, timeOf, titles, together,
} from '../../book/_static/animation/compare.js';
import { scan } from '../../book/_static/animation/scan.js';
import { still } from '../../book/stills.js';
import { standIn } from './page.js';

const SETTINGS = [
  { name: 'hypothesis', label: 'Cause', low: 0, high: 0, choices: ['two caps', 'queue'], choice_texts: ['2', 'Q'] },
  { name: 'clients', label: 'Clients', low: 5, high: 50, choices: [], choice_texts: [] },
];
const ONE = { hypothesis: 'two caps', clients: 50 }, OTHER = { hypothesis: 'queue', clients: 50 };

/** A scan over some files that never stay. @param {number} cost @param {number} requests */
function scanOf(cost, requests) {
  const file = Array.from({ length: requests }, (_, n) => n), none = file.map(() => 0);
  const columns = { file, hit: none, victim: none, place: none };
  return scan.prepare({ files: requests, places: 1, cost, formula: null, ...columns });
}

test('titles name the settings that differ, and no others', () => {
  assert.deepEqual(titles(SETTINGS, [ONE]), []);
  assert.deepEqual(titles(SETTINGS, [ONE, OTHER]), ['Cause: 2', 'Cause: Q']);
  const few = { ...OTHER, clients: 5 };
  assert.deepEqual(titles(SETTINGS, [few, ONE]), ['Cause: Q, Clients: 5', 'Cause: 2, Clients: 50']);
  assert.deepEqual(titles(SETTINGS, [few, OTHER]), ['Clients: 5', 'Clients: 50']);
  assert.equal(new Set(titles(SETTINGS, [ONE, { ...ONE }])).size, 2);
});

test('a heading names what differs, once for both runs', () => {
  assert.equal(heading(SETTINGS, [ONE]), '');
  assert.equal(heading(SETTINGS, [ONE, OTHER]), 'Cause');
  assert.equal(heading(SETTINGS, [{ ...OTHER, clients: 5 }, ONE]), 'Cause · Clients');
  assert.equal(heading(SETTINGS, [ONE, { ...ONE }]), 'Identical so far');
});

test('short titles are the values that differ', () => {
  assert.deepEqual(shortTitles(SETTINGS, [ONE]), []);
  assert.deepEqual(shortTitles(SETTINGS, [{ ...OTHER, clients: 5 }, ONE]), ['Q · 5', '2 · 50']);
  assert.deepEqual(shortTitles(SETTINGS, [ONE, OTHER]), ['2', 'Q']);
  assert.equal(new Set(shortTitles(SETTINGS, [ONE, { ...ONE }])).size, 2);
});

test('settings are alike if all values are, or if both are missing', () => {
  assert.ok(alike(ONE, { ...ONE }) && alike(null, undefined));
  assert.ok(!alike(ONE, OTHER) && !alike(ONE, null) && !alike(undefined, ONE));
});

test('interventions are done to both runs', () => {
  const deeds = '20_outage_2';
  assert.deepEqual(sharing({ retries: 3, deeds }, { retries: 1, deeds: '' }), { retries: 1, deeds });
  assert.deepEqual(sharing(ONE, OTHER), OTHER);
  assert.equal(sharing({ deeds }), null);
});

test('one clock has the events of both runs, each once, in order', () => {
  const one = scanOf(3, 2), other = scanOf(1, 5);
  assert.equal(together(scan, [one]), one.begins);
  assert.deepEqual(together(scan, [one, other]), Float64Array.of(0, 1, 2, 3, 4, 5, 6));
});

test('an address brings two runs back to their moments, even when the first is over', () => {
  const one = scanOf(20, 3), other = scanOf(1, 90);
  for (const traces of [[one, other], [other, one], [one]]) {
    const shown = (/** @type {number} */ t) => traces.map((trace) => {
      const { k, part } = scan.state(trace, timeIn(scan, traces[0], t, trace));
      return [k, part];
    });
    for (let t = 0; t <= Math.max(...traces.map(({ begins, length }) => begins[length])); t += 1) {
      assert.deepEqual(shown(timeOf(scan, traces, momentAt(scan, traces, t))), shown(t), `at ${t}`);
    }
  }
});

test('a still of two runs shows what each shows alone at that time, and describes both', () => {
  const traces = [scanOf(20, 8), scanOf(4, 40)], at = 5;
  const request = { renderer: 'scan', settings: SETTINGS, at };
  const { sentence, beside, svg } = still({ ...request, traces, states: [ONE, OTHER] });
  const [one, other] = traces.map((trace) => scan.sentence(scan.state(trace, scan.timeOf(traces[0], at))));
  assert.deepEqual([sentence, beside], [one, `Cause: Q. ${other}`]);
  assert.ok(svg.includes(`aria-label="Cause: 2. ${sentence} ${beside}"`));
  const moments = [at, scan.atOf(traces[1], scan.timeOf(traces[0], at))];
  for (const [n, trace] of traces.entries()) {
    const alone = still({ ...request, at: moments[n], traces: [trace], states: [ONE] });
    assert.equal(alone.beside, undefined);
    const inside = /** @type {RegExpExecArray} */ (/<svg[^>]*>(.*)<\/svg>/.exec(alone.svg))[1];
    assert.equal(svg.split(inside).length, 2, `run ${n}`);
  }
});

test('an address keeps the settings in which the other run differs, and gives them back', async () => {
  const { shown, leave } = standIn('?stage.rdu.clients=20&stage.rdu.against.hypothesis=queue&stage.rdu.second=3');
  const entries = await import('../../book/_static/page/url-state.js');
  const { Place } = await import('../../book/_static/animation/place.js');
  const section = /** @type {HTMLElement} */ ({ id: 'stage-rdu' });
  const bookmarks = [{ name: 'first', label: '', title: '', settings: ONE, against: null, at: 2, since: null }];
  const description = /** @type {Animated} */ (/** @type {unknown} */ ({ name: 'rdu', bookmarks }));
  const place = new Place(section, description, entries, 'second');
  const read = (/** @type {[string, string][]} */ kept) => Object.fromEntries(kept.flatMap(([name, text]) => (
    name in ONE ? [[name, name === 'clients' ? Number(text) : text]] : [])));
  const settings = { ...ONE, clients: 20 };
  assert.deepEqual(place.read(read), { settings, against: { ...OTHER, clients: 20 }, at: 3, late: undefined });
  place.write(ONE, { ...OTHER, clients: 5 }, { at: 2, late: 7 });
  leave();
  const kept = ['hypothesis=queue', 'clients=5', 'second=7'].map((part) => `stage.rdu.against.${part}`);
  assert.equal(shown.search, `?${kept.join('&')}`);
  assert.equal(place.read(read).late, 7);
  place.write(ONE, null, { at: 2 });
  leave();
  assert.equal(shown.search, '');
});
