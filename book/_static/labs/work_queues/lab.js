// Lab 6 in the page: the browser's own event loop drains a queue in slices. How late are timers?
import { LabFrame, LabStopped } from '../frame.js';
import { mean, median } from '../statistics.js';

// An item of the queue is some microseconds of real work.

const AIM_US = 20;
const TRIED = 500; // items per try
const TRIES = 4;
const ROUNDS = 4;

/**
 * Works on an item. The result must be used, or a browser may skip the work.
 * @param {number} item
 * @param {number} repeats
 */
function work(item, repeats) {
  let mixed = item | 1;
  for (let n = 0; n < repeats; n += 1) mixed = Math.imul(mixed ^ (mixed >>> 15), 2654435761) + n | 0;
  return mixed;
}

/**
 * Returns the time of an item in ms: the least of several tries, since other programs may use the processor too.
 * @param {number} repeats
 */
function cost(repeats) {
  const tries = Array.from({ length: TRIES }, () => {
    let used = 0;
    const begun = performance.now();
    for (let item = 0; item < TRIED; item += 1) used ^= work(item, repeats);
    return (performance.now() - begun) / TRIED + 0 * used;
  });
  return Math.min(...tries);
}

// Finds the repeats with which an item takes about 20 µs here, and its exact time in ms.
function calibrate() {
  let repeats = 2000;
  for (let round = 0; round < ROUNDS; round += 1) {
    repeats = Math.max(10, Math.round(repeats * AIM_US / 1000 / (cost(repeats) || AIM_US / 1000)));
  }
  return { repeats, cost_ms: cost(repeats) };
}

/** @typedef {(slice: () => void) => void} Way how a slice asks the browser for the next one */

/** @returns {Way} */
function byMessage() {
  const { port1, port2 } = new MessageChannel();
  return (slice) => {
    port1.onmessage = slice;
    port2.postMessage(null);
  };
}

// The ways that this browser has. The first is the daemon's, which lets everything else come first.
function waysToYield() {
  const { scheduler } = /** @type {any} */ (globalThis);
  /** @type {Record<string, Way>} */
  const found = {};
  if (scheduler?.postTask) {
    found['postTask, background'] = (slice) => {
      scheduler.postTask(slice, { priority: 'background' });
    };
  }
  found['setTimeout 0'] = (slice) => {
    setTimeout(slice, 0);
  };
  found.message = byMessage();
  if (scheduler?.yield) {
    found['scheduler.yield'] = (slice) => {
      scheduler.yield().then(slice);
    };
  }
  return found;
}

const TICK_MS = 5;
const TIMERS = 300;

/**
 * @typedef {{ name: string, label: string, factor: number, ramp: boolean }} Rule
 * @typedef {{ items: number, repeats: number, span_ms: number, quantum_ms: number, rule: Rule,
 *   yieldTo: Way }} Setting
 */

/**
 * Returns the granularity after a run of n items.
 * @param {number} cycles
 * @param {number} granularity
 * @param {Rule} rule
 */
function nextGranularity(cycles, granularity, { factor, ramp }) {
  if (cycles < granularity) return granularity; // the last run, cut short
  if (ramp && cycles > factor * factor * granularity) return granularity * factor;
  return factor && cycles > factor * granularity ? granularity + factor : granularity;
}

/** A queue drained in slices on the page's own thread, with timers and frames beside it. */
class Drain {
  /** @param {Setting} setting */
  constructor(setting) {
    this.setting = setting;
    this.position = 0;
    this.granularity = 1;
    this.used = 0;
    this.stopped = false;
    this.ticks = 0;
    this.frames = 0;
    /** @type {number[]} */
    this.late_ms = [];
    /** @type {{ cycles: number, granularity: number, begun: number, ended: number }[]} */
    this.runs = [];
  }

  slice() {
    const { items, repeats, quantum_ms: quantum, rule } = this.setting;
    const begun = performance.now();
    const first = this.position;
    while (this.position < items) {
      const isFull = this.position + this.granularity <= items;
      const stop = isFull ? this.position + this.granularity : items;
      for (; this.position < stop; this.position += 1) this.used ^= work(this.position, repeats);
      if (isFull && performance.now() - begun > quantum) break;
    }
    const cycles = this.position - first;
    this.granularity = nextGranularity(cycles, this.granularity, rule);
    this.runs.push({ cycles, granularity: this.granularity, begun, ended: performance.now() });
  }

  // Sets timers at random moments, a repeated one, and frames; returns a function that ends them.
  setTimers() {
    const timers = Array.from({ length: TIMERS }, () => {
      const wait = 1 + Math.floor(Math.random() * this.setting.span_ms);
      const due = performance.now() + wait;
      return setTimeout(() => this.late_ms.push(performance.now() - due), wait);
    });
    const ticking = setInterval(() => {
      this.ticks += 1;
    }, TICK_MS);
    const frame = () => {
      this.frames += 1;
      last = requestAnimationFrame(frame);
    };
    let last = requestAnimationFrame(frame);
    return () => {
      [...timers, ticking].forEach(clearTimeout);
      cancelAnimationFrame(last);
    };
  }

  /** @returns {Promise<ReturnType<Drain['report']>>} */
  run() {
    const end = this.setTimers();
    return new Promise((resolve) => {
      const step = () => {
        if (!this.stopped) this.slice();
        if (!this.stopped && this.position < this.setting.items) {
          this.setting.yieldTo(step);
          return;
        }
        setTimeout(() => { // late timers can still fire
          end();
          resolve(this.report());
        }, 2);
      };
      this.setting.yieldTo(step);
    });
  }

  report() {
    const slices_ms = this.runs.map(({ begun, ended }) => ended - begun);
    const drain_ms = this.runs[this.runs.length - 1].ended - this.runs[0].begun;
    return {
      cycles: this.runs.map(({ cycles }) => cycles),
      granularity: this.runs.map(({ granularity }) => granularity),
      turns_ms: this.runs.map(({ begun, ended }, run) => (this.runs[run + 1]?.begun ?? ended) - begun),
      slices_ms,
      drain_ms,
      late_ms: this.late_ms,
      ticks: this.ticks,
      ticks_due: Math.floor(drain_ms / TICK_MS),
      frames_per_s: 1000 * this.frames / drain_ms,
    };
  }
}

const ITEMS = 30_000;
const QUANTUM_MS = 10;
const LONGER_MS = 50;
const OF_THE_REPORT = '2005-05-06';
const HEADS = ['slices', 'granularity', 'mean slice (ms)', 'mean lateness (ms)', 'law (ms)',
  'median lateness, in slices', 'ticks of a 5 ms timer', 'frames/s'];
const HIDDEN = 'The lab stopped because browsers slow down timers in hidden pages. Run the lab again and keep this '
  + 'page in view.';

/**
 * @typedef {import('../frame.js').LabRun} LabRun
 * @typedef {ReturnType<Drain['report']>} Seen
 * @typedef {{ title: string, quantum_ms: number, rule: Rule, way: string }} Wanted
 */

/**
 * @param {LabRun} labRun
 * @param {Drain} drain
 */
async function measure(labRun, drain) {
  labRun.finally(() => {
    drain.stopped = true;
  });
  const seen = await labRun.until(drain.run());
  if (!seen.late_ms.length) {
    throw new LabStopped('No timer fired while the queue was being processed. Run the lab again.');
  }
  // A turn of the loop is a slice and what the browser does before the next one: frames, and more.
  const given = { cycles_s: seen.turns_ms.map((turn_ms) => turn_ms / 1000) };
  const late = mean(seen.late_ms);
  const late_in_slices = median(seen.late_ms) / median(seen.slices_ms);
  return { ...seen, late, late_in_slices, law: 1000 * await labRun.law('mean_timer_lateness', given) };
}

/**
 * @param {string} title
 * @param {Awaited<ReturnType<typeof measure>>} seen
 * @returns {[string, ...string[]]}
 */
function cells(title, seen) {
  const { cycles, granularity, slices_ms, late, law, late_in_slices, ticks, ticks_due, frames_per_s } = seen;
  const times = [mean(slices_ms), late, law, late_in_slices].map((each) => each.toFixed(2));
  const counts = [`${ticks} of ${ticks_due}`, frames_per_s.toFixed(0)];
  return [title, String(cycles.length), String(granularity[granularity.length - 1]), ...times, ...counts];
}

/**
 * Plans the runs: first each way to yield, then each rule and quantum in the daemon's way.
 * @param {Rule[]} rules
 */
function plan(rules) {
  const names = Object.keys(waysToYield());
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
  const waits = all.map(({ way, late_in_slices }) => `${way} ${late_in_slices.toFixed(1)}`);
  return `A timer's median wait, in slices, for each way of scheduling the next slice: ${waits.join('; ')}. `
    + 'The law says half a slice. Anything beyond that comes from the order in which the loop runs its tasks.';
}

/**
 * @param {HTMLElement} section
 * @param {LabTools} tools
 */
export function open(section, tools) {
  const frame = new LabFrame(section, tools, async (labRun) => {
    const watch = () => document.hidden && labRun.stop(HIDDEN);
    document.addEventListener('visibilitychange', watch);
    labRun.finally(() => document.removeEventListener('visibilitychange', watch));
    const { byWay, byRule } = plan(await labRun.law('rules', {}));
    const total = byWay.length + byRule.length;
    const { repeats, cost_ms } = calibrate();
    frame.tell(`${ITEMS.toLocaleString('en')} items of ${(1000 * cost_ms).toFixed(0)} µs, `
      + `${(ITEMS * cost_ms / 1000).toFixed(1)} s of work in all.`);
    /** @type {(Wanted & Awaited<ReturnType<typeof measure>>)[]} */
    const results = [];
    /** @type {(caption: string, head: string, wanted: Wanted[]) => Promise<void>} */
    const fill = async (caption, head, wanted) => {
      const table = frame.table(caption, [head, ...HEADS]);
      for (const { title, way, ...each } of wanted) {
        const setting = { ...each, items: ITEMS, repeats, span_ms: ITEMS * cost_ms, yieldTo: waysToYield()[way] };
        const seen = await measure(labRun, new Drain(setting));
        results.push({ title, way, ...each, ...seen });
        table.row(cells(title, seen));
        frame.progress(results.length, total, `${results.length} of ${total} runs done`);
      }
    };
    await fill(`Slices of ${QUANTUM_MS} ms, by how the next slice is scheduled`, 'scheduled by', byWay);
    await fill(`Slices for each growth rule, all scheduled by ${byWay[0].way}`, 'rule', byRule);
    Object.assign(section, { results });
    return verdict(results.slice(0, byWay.length)) + frame.guessText(results[0].late, 1);
  });
  frame.run();
}
