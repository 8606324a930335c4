// Lab 1 in the page: writers whose commits share real flushes; beside what they get done the law.
import { element, labelled, markInvalid } from '../../dom.js';
import { Frame } from '../frame.js';
import { Ended } from '../turn.js';
import { newName, removeFiles } from './files.js';
import { isThere, meanShare, plan, sentenceOf, verdict, withGains } from './runs.js';

const WRITERS = { usual: 16, most: 64 };
const HEADS = ['D (ms)', 'F (ms)', 'message (ms)', 'commits a flush', 'commits/s', 'law', 'with the message', '1/F'];

/**
 * @typedef {import('../turn.js').Turn} Turn
 * @typedef {import('./runs.js').Settings} Settings
 */

function writersField() {
  const { usual, most } = WRITERS;
  const field = element('input', { type: 'number', min: 1, max: most, step: 1, value: usual, required: '' });
  field.addEventListener('input', () => markInvalid(field, !field.validity.valid));
  return field;
}

/**
 * Begins both workers, joins them, and measures the flush.
 * @param {Turn} turn
 */
async function begin(turn) {
  turn.finally(removeFiles); // when the workers, which hold a file, have gone
  const { worker: flusher } = await turn.worker();
  const { worker: writers } = await turn.worker();
  const { port1, port2 } = new MessageChannel();
  await turn.ask(writers, { deed: 'join', port: port1 }, { transfer: [port1] });
  const device = await turn.ask(flusher, { deed: 'open', name: newName(), port: port2 }, { transfer: [port2] });
  return { writers, flusher, device };
}

/**
 * @param {Turn} turn
 * @param {Worker} worker
 * @param {Settings} settings
 */
async function measured(turn, worker, settings) {
  const run = await turn.ask(worker, { deed: 'run', ...settings });
  if (!run.flushes) {
    throw new Ended(`No flush ended within ${Math.round(settings.time_ms)} ms. Run it again when all is quieter.`);
  }
  const { delay_s, flush_s, hop_s } = run;
  const given = { writers: settings.writers, delay_s: settings.delay_ms ? delay_s : 0, flush_s, hop_s };
  const law = await turn.law('commits_per_s', given);
  const rate = run.commits / run.seconds;
  return { ...settings, ...run, ...law, rate, share: run.commits / run.flushes / settings.writers, gain: 1 };
}

/** @param {import('./runs.js').Point} point */
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
  const frame = new Frame(section, tools, async (turn) => {
    const count = field.valueAsNumber;
    if (!field.validity.valid) throw new Ended(`Writers: a whole number from 1 to ${WRITERS.most}.`);
    const { writers, flusher, device } = await begin(turn);
    frame.tell(sentenceOf(device));
    /** @type {import('./runs.js').Point[]} */
    const points = [];
    const todo = plan(device, count);
    const own = isThere(device) ? frame.table(`${count} writers on your device`, HEADS) : null;
    const emulated = frame.table(`${count} writers, with 5 ms of each flush emulated`, HEADS);
    for (const settings of todo) {
      const point = await measured(turn, writers, settings);
      points.push(point);
      (settings.device ? own : emulated)?.row(cells(point));
      frame.progress(points.length, todo.length, `${points.length} of ${todo.length} runs`);
    }
    await turn.ask(flusher, { deed: 'close' });
    const all = withGains(points);
    Object.assign(section, { results: all });
    return verdict(all) + frame.guessed(100 * meanShare(all, (delay_ms) => !delay_ms), 0);
  });
  frame.settings.append(labelled('lab-writers', 'Writers', field));
  frame.run();
}
