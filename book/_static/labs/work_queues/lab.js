// Lab 6 in the page: the browser's own event loop works off a queue in slices; how late are timers?
import { Frame } from '../frame.js';
import { Ended } from '../turn.js';
import { Drain } from './drain.js';
import { calibrated } from './items.js';
import { ways } from './ways.js';

const ITEMS = 30_000;
const QUANTUM_MS = 10;
const LONGER_MS = 50;
const OF_THE_REPORT = '2005-05-06';
const HEADS = ['slices', 'granularity', 'mean slice (ms)', 'mean late (ms)', 'law (ms)', 'median late, in slices',
  'ticks of a 5 ms timer', 'frames/s'];
const HIDDEN = 'Stopped: a browser slows the timers of a page that is out of sight.';

/**
 * @typedef {import('../turn.js').Turn} Turn
 * @typedef {import('./drain.js').Rule} Rule
 * @typedef {ReturnType<Drain['seen']>} Seen
 * @typedef {{ title: string, quantum_ms: number, rule: Rule, way: string }} Wanted
 */

/** @param {number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/**
 * @param {Turn} turn
 * @param {Drain} drain
 */
async function measured(turn, drain) {
  turn.finally(() => {
    drain.stopped = true;
  });
  const seen = await turn.until(drain.run());
  if (!seen.late_ms.length) throw new Ended('No timer came while the queue was worked off: run it again.');
  // A turn of the loop is a slice and what the browser does before the next one: frames, and more.
  const given = { cycles_s: seen.turns_ms.map((turn_ms) => turn_ms / 1000) };
  const late = mean(seen.late_ms);
  const late_in_slices = median(seen.late_ms) / median(seen.slices_ms);
  return { ...seen, late, late_in_slices, law: 1000 * await turn.law('mean_timer_lateness', given) };
}

/**
 * @param {string} title
 * @param {Awaited<ReturnType<typeof measured>>} seen
 * @returns {[string, ...string[]]}
 */
function cells(title, seen) {
  const { cycles, granularity, slices_ms, late, law, late_in_slices, ticks, ticks_due, frames_per_s } = seen;
  const times = [mean(slices_ms), late, law, late_in_slices].map((each) => each.toFixed(2));
  const counts = [`${ticks} of ${ticks_due}`, frames_per_s.toFixed(0)];
  return [title, String(cycles.length), String(granularity[granularity.length - 1]), ...times, ...counts];
}

/**
 * First who asks how, then with which rule and quantum, in the way of the daemon.
 * @param {Rule[]} rules
 */
function plan(rules) {
  const names = Object.keys(ways());
  const april = /** @type {Rule} */ (rules.find(({ name }) => name === OF_THE_REPORT));
  const usual = { quantum_ms: QUANTUM_MS, rule: april, way: names[0] };
  const byRule = rules.map((rule) => ({ ...usual, title: rule.label, rule }));
  return {
    byWay: names.map((way) => ({ ...usual, title: way, way })),
    byRule: [...byRule, { ...usual, title: `${april.label}, ${LONGER_MS} ms`, quantum_ms: LONGER_MS }],
  };
}

/** @param {(Wanted & { late_in_slices: number })[]} all */
function verdict(all) {
  const said = all.map(({ way, late_in_slices }) => `${way} ${late_in_slices.toFixed(1)}`);
  return `A timer's median wait, in slices, by how a slice asks for the next one: ${said.join('; ')}. `
    + 'Half a slice is the law; what is more, the order of the loop adds.';
}

/**
 * @param {HTMLElement} section
 * @param {LabTools} tools
 */
export function open(section, tools) {
  const frame = new Frame(section, tools, async (turn) => {
    const watch = () => document.hidden && turn.stop(HIDDEN);
    document.addEventListener('visibilitychange', watch);
    turn.finally(() => document.removeEventListener('visibilitychange', watch));
    const { byWay, byRule } = plan(await turn.law('rules', {}));
    const { repeats, cost_ms } = calibrated();
    frame.tell(`${ITEMS.toLocaleString('en')} items of ${(1000 * cost_ms).toFixed(0)} µs: a long list, `
      + `${(ITEMS * cost_ms / 1000).toFixed(1)} s of work.`);
    /** @type {(Wanted & Awaited<ReturnType<typeof measured>>)[]} */
    const results = [];
    /** @type {(caption: string, head: string, wanted: Wanted[]) => Promise<void>} */
    const fill = async (caption, head, wanted) => {
      const table = frame.table(caption, [head, ...HEADS]);
      for (const { title, way, ...each } of wanted) {
        const setting = { ...each, items: ITEMS, repeats, span_ms: ITEMS * cost_ms, yieldTo: ways()[way] };
        const seen = await measured(turn, new Drain(setting));
        results.push({ title, way, ...each, ...seen });
        table.row(cells(title, seen));
        frame.progress(results.length, byWay.length + byRule.length, `${results.length} lists done`);
      }
    };
    await fill(`Slices of ${QUANTUM_MS} ms, by how a slice asks for the next`, 'asks by', byWay);
    await fill(`By growth rule, where slices ask by ${byWay[0].way}`, 'rule', byRule);
    Object.assign(section, { results });
    return verdict(results.slice(0, byWay.length)) + frame.guessed(results[0].late, 1);
  });
  frame.run();
}
