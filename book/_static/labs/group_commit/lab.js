// Lab 1 in the page: writers whose commits share real flushes, beside the law.
import { element, labelField, markInvalid } from '../../dom.js';
import { LabFrame, LabStopped } from '../frame.js';

// The lab's files, in the page's private file system; they are removed when the lab ends.

const PREFIX = 'tunables-flush-';

function newName() {
  return PREFIX + crypto.getRandomValues(new Uint32Array(1))[0];
}

/**
 * Removes a file. It stays locked for a moment after its worker has ended.
 * @param {FileSystemDirectoryHandle} folder
 * @param {string} name
 */
async function remove(folder, name) {
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      await folder.removeEntry(name);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

// Removes everything that the lab ever left, even if a page was closed while it ran. Files in use by another tab stay.
async function removeFiles() {
  const folder = await navigator.storage?.getDirectory?.().catch(() => undefined);
  if (!folder) return;
  for await (const name of /** @type {any} */ (folder).keys()) {
    if (name.startsWith(PREFIX)) await remove(folder, name);
  }
}

// The runs, one after the other, and what the reader is told about them.

const SHORTEST_MS = 400;
const LEAST_FLUSHES = 12;
const EMULATED_MS = 5;
const EMULATED_DELAYS_MS = [1, 5, 25];
const OF_FLUSH = [0.5, 1, 2]; // delays on the reader's own device, in flush times
const IN_MEMORY_MS = 0.02; // no device flushes faster

/**
 * @typedef {{ commits: number, flushes: number, seconds: number, flush_s: number, hop_s: number, delay_s: number }} Run
 * @typedef {{ law: number, with_hop: number, alone: number }} Law
 * @typedef {{ device: boolean, writers: number, delay_ms: number, emulated_ms: number, time_ms: number }} Settings
 * @typedef {Settings & Run & Law & { rate: number, share: number, gain: number }} Point
 * @typedef {{ flush_ms?: number, lacks?: string }} Device
 */

/** @param {Device} device */
function hasDevice({ flush_ms }) {
  return flush_ms !== undefined && flush_ms >= IN_MEMORY_MS;
}

/**
 * Plans the runs. A device may be fast for a while and slow later, so each delay is between two runs without delay.
 * @param {Device} device
 * @param {number} writers
 * @returns {Settings[]}
 */
function plan(device, writers) {
  /** @type {(delays: number[], emulated_ms: number, flush_ms: number) => Settings[]} */
  const bracket = (delays, emulated_ms, flush_ms) => [0, ...delays.flatMap((delay) => [delay, 0])].map(
    (delay_ms) => {
      const time_ms = Math.max(SHORTEST_MS, LEAST_FLUSHES * (delay_ms + flush_ms));
      return { device: !emulated_ms, writers, delay_ms, emulated_ms, time_ms };
    },
  );
  const flush_ms = device.flush_ms ?? 0;
  const own = hasDevice(device) ? bracket(OF_FLUSH.map((times) => times * flush_ms), 0, flush_ms) : [];
  return [...own, ...bracket(EMULATED_DELAYS_MS, EMULATED_MS, EMULATED_MS)];
}

/** @param {Device} device */
function describeDevice(device) {
  const emulated = `Instead, the lab waits ${EMULATED_MS} ms for each flush.`;
  if (device.lacks === 'QuotaExceededError') {
    return `This browser won’t let this site store any more data (${device.lacks}), so there is no flush to measure. `
      + `${emulated} To measure your device, free some disk space, or clear this site’s storage.`;
  }
  if (device.lacks) {
    return `This browser won’t give the page a private file (${device.lacks}), so there is no flush to measure. Not `
      + 'every browser supports it, some disable it in private windows, and none allows it for a page opened from disk '
      + `or over plain http from another machine. ${emulated}`;
  }
  const flush_ms = Number(device.flush_ms);
  if (!hasDevice(device)) {
    return `A flush takes ${flush_ms.toFixed(3)} ms here, because this window keeps files in memory, `
      + `as private windows do. ${emulated}`;
  }
  return `A flush takes ${flush_ms.toFixed(2)} ms on your device when your browser requests it (the mean of 200 `
    + 'flushes in a row).';
}

/**
 * Adds to each point its throughput relative to the runs without delay before and after it.
 * @param {Point[]} points
 */
function withGains(points) {
  return points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    const gain = point.delay_ms ? point.rate / ((before.rate + after.rate) / 2) : 1;
    return { ...point, gain };
  });
}

/**
 * Returns the mean share of the writers that committed with a flush.
 * @param {Point[]} points
 * @param {(delay_ms: number) => unknown} counts
 */
function meanShare(points, counts) {
  const some = points.filter(({ delay_ms }) => counts(delay_ms));
  return some.reduce((sum, { share }) => sum + share, 0) / some.length;
}

/** @param {Point[]} points */
function verdict(points) {
  const gains = points.filter(({ device, delay_ms }) => !device && delay_ms)
    .map(({ gain, delay_ms }) => `a delay of ${delay_ms} ms gives ${gain.toFixed(2)} times as many commits`);
  const shared = meanShare(points, (delay_ms) => delay_ms);
  const halved = meanShare(points, (delay_ms) => !delay_ms);
  return `With a delay, each flush served ${(100 * shared).toFixed(0)}% of the writers on average; without one, `
    + `${(100 * halved).toFixed(0)}%. Compared with no delay, when a flush takes ${EMULATED_MS} ms, `
    + `${gains.join('; ')}.`;
}

const WRITERS = { usual: 16, most: 64 };
const HEADS = ['D (ms)', 'F (ms)', 'message (ms)', 'commits per flush', 'commits/s', 'law', 'law + message time',
  '1/F'];

/** @typedef {import('../frame.js').LabRun} LabRun */

function writersField() {
  const { usual, most } = WRITERS;
  const field = element('input', { type: 'number', min: 1, max: most, step: 1, value: usual, required: '' });
  field.addEventListener('input', () => markInvalid(field, !field.validity.valid));
  return field;
}

/**
 * Starts both workers, joins them, and measures the flush.
 * @param {LabRun} labRun
 */
async function begin(labRun) {
  labRun.finally(removeFiles); // after the workers, which hold a file, have ended
  const { worker: flusher } = await labRun.worker();
  const { worker: writers } = await labRun.worker();
  const { port1, port2 } = new MessageChannel();
  await labRun.ask(writers, { action: 'join', port: port1 }, { transfer: [port1] });
  const device = await labRun.ask(flusher, { action: 'open', name: newName(), port: port2 }, { transfer: [port2] });
  return { writers, flusher, device };
}

/**
 * @param {LabRun} labRun
 * @param {Worker} worker
 * @param {Settings} settings
 */
async function measure(labRun, worker, settings) {
  const run = await labRun.ask(worker, { action: 'run', ...settings });
  if (!run.flushes) {
    const within = `${Math.round(settings.time_ms)} ms`;
    throw new LabStopped(`No flush ended within ${within}. Run the lab again when the machine is less busy.`);
  }
  const { delay_s, flush_s, hop_s } = run;
  const given = { writers: settings.writers, delay_s: settings.delay_ms ? delay_s : 0, flush_s, hop_s };
  const law = await labRun.law('commits_per_s', given);
  const rate = run.commits / run.seconds;
  return { ...settings, ...run, ...law, rate, share: run.commits / run.flushes / settings.writers, gain: 1 };
}

/** @param {Point} point */
function cells({ delay_ms, delay_s, flush_s, hop_s, commits, flushes, rate, ...law }) {
  const times = [delay_ms ? delay_s : 0, flush_s, hop_s].map((time) => (1000 * time).toFixed(2));
  const rates = [rate, law.law, law.with_hop, law.alone].map((each) => Math.round(each).toLocaleString('en'));
  const [first, ...others] = [...times, (commits / flushes).toFixed(2), ...rates];
  return /** @type {[string, ...string[]]} */ ([first, ...others]);
}

/**
 * @param {HTMLElement} section
 * @param {LabTools} tools
 */
export function open(section, tools) {
  const field = writersField();
  const frame = new LabFrame(section, tools, async (labRun) => {
    const count = field.valueAsNumber;
    if (!field.validity.valid) throw new LabStopped(`Writers: enter a whole number from 1 to ${WRITERS.most}.`);
    const { writers, flusher, device } = await begin(labRun);
    frame.tell(describeDevice(device));
    /** @type {Point[]} */
    const points = [];
    const todo = plan(device, count);
    const own = hasDevice(device) ? frame.table(`${count} writers on your device`, HEADS) : null;
    const emulated = frame.table(`${count} writers, with each flush emulated by a 5 ms wait`, HEADS);
    for (const settings of todo) {
      const point = await measure(labRun, writers, settings);
      points.push(point);
      (settings.device ? own : emulated)?.row(cells(point));
      frame.progress(points.length, todo.length, `${points.length} of ${todo.length} runs`);
    }
    await labRun.ask(flusher, { action: 'close' });
    const all = withGains(points);
    Object.assign(section, { results: all });
    return verdict(all) + frame.guessText(100 * meanShare(all, (delay_ms) => !delay_ms), 0);
  });
  frame.settings.append(labelField('lab-writers', 'Writers', field));
  frame.run();
}
