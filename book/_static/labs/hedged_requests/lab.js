// Lab 8 in the page: a request asks a hundred leaves and waits for all of them; each leaf has two replicas, in workers.
import { LabFrame } from '../frame.js';
import { NumberField } from '../number_field.js';
import { median } from '../statistics.js';

const LEAVES = 100;
const REQUESTS = 60;
const QUICK_MS = 5;
const STALL_MS = 200;
const DELAY_MS = 50;
const STALL_PERCENT = 1;
const CAPTION = `Slow requests out of ${REQUESTS}, each sent to ${LEAVES} leaves`;
const HEADS = ['experiment', 'expected slow', 'must be slow', 'measured slow', 'median (ms)', 'leaves asked again (%)'];

/**
 * @typedef {import('../frame.js').LabRun} LabRun
 * @typedef {{ title: string, stall_probability: number, shared: number, delay_ms: number | null }} Setting
 * @typedef {{ took_ms: number, copies: number }} Answer
 * @typedef {Setting & { expected: number, must: number[], answers: Answer[], slow: number }} Result
 */

/** The reader's own setting. */
class Fields {
  constructor() {
    const most = STALL_MS - 1;
    this.delay = new NumberField('lab-leaves-delay', 'Ask again after (ms)', { least: 10, most, step: 1, usual: 30 });
    this.stalls = new NumberField('lab-leaves-stalls', 'Answers that stall (%)',
      { least: 0, most: 20, step: 'any', usual: 2 });
    this.shared = new NumberField('lab-leaves-shared', 'Stalls that hit both replicas (%)',
      { least: 0, most: 100, step: 'any', usual: 20 });
  }

  get parts() {
    return [this.delay, this.stalls, this.shared].map(({ part }) => part);
  }

  /** @returns {Setting} */
  get chosen() {
    const [stall_probability, shared] = [this.stalls.value / 100, this.shared.value / 100];
    return { title: 'your setting', stall_probability, shared, delay_ms: this.delay.value };
  }
}

/** @param {Setting} mine */
function plan(mine) {
  const usual = { stall_probability: STALL_PERCENT / 100, shared: 0 };
  return [
    { ...usual, title: 'asked once', delay_ms: null },
    { ...usual, title: `asked again after ${DELAY_MS} ms`, delay_ms: DELAY_MS },
    { ...usual, title: 'the same, but half of the stalls hit both replicas', shared: 0.5, delay_ms: DELAY_MS },
    mine,
  ];
}

/**
 * Draws whether a leaf's first replica stalls, and whether its second one does.
 * @param {Setting} setting
 * @param {() => number} random
 */
function drawLeaf({ stall_probability, shared }, random) {
  const [first, other, common] = [stall_probability, stall_probability, shared].map((share) => random() < share);
  return [first, other || (first && common)];
}

/**
 * Draws for each replica and request the leaves that stall.
 * @param {Setting} setting
 */
export function drawStalls(setting, random = Math.random) {
  const drawn = Array.from({ length: REQUESTS }, () => Array.from({ length: LEAVES }, () => drawLeaf(setting, random)));
  return [0, 1].map((replica) => drawn.map((leaves) => {
    return leaves.flatMap((stalls, leaf) => (stalls[replica] ? [leaf] : []));
  }));
}

/**
 * Returns the requests that must wait for a stall.
 * @param {number[][][]} stalls of `drawStalls`
 * @param {boolean} asksAgain
 */
export function mustBeSlow([first, second], asksAgain) {
  return first.map((leaves, request) => ({ leaves, request }))
    .filter(({ leaves, request }) => leaves.some((leaf) => !asksAgain || second[request].includes(leaf)))
    .map(({ request }) => request);
}

/**
 * Starts the client and both replicas, and joins them.
 * @param {LabRun} labRun
 */
async function begin(labRun) {
  const { worker: client } = await labRun.worker();
  const replicas = [], ports = [];
  for (let count = 0; count < 2; count += 1) {
    const { worker } = await labRun.worker();
    const { port1, port2 } = new MessageChannel();
    await labRun.ask(worker, { action: 'answer', port: port1 }, { transfer: [port1] });
    replicas.push(worker);
    ports.push(port2);
  }
  await labRun.ask(client, { action: 'join', ports }, { transfer: ports });
  return { client, replicas };
}

/**
 * @param {Result} result
 * @returns {[string, ...string[]]}
 */
function cells({ title, expected, must, slow, answers }) {
  const copies = answers.reduce((sum, each) => sum + each.copies, 0);
  const took_ms = median(answers.map((each) => each.took_ms));
  return [title, expected.toFixed(1), String(must.length), String(slow), took_ms.toFixed(0),
    (100 * copies / (LEAVES * REQUESTS)).toFixed(1)];
}

/**
 * Runs the settings, one after the other.
 * @param {LabRun} labRun
 * @param {Setting[]} settings
 * @param {{ onRequest: (ended: number) => void, onResult: (result: Result) => void }} options
 * @returns {Promise<number[]>} the questions that each replica got
 */
async function runAll(labRun, settings, { onRequest, onResult }) {
  const { client, replicas } = await begin(labRun);
  let before = 0;
  for (const setting of settings) {
    const { stall_probability, shared, delay_ms } = setting;
    const asks_again = delay_ms !== null;
    const given = { leaves: LEAVES, stall_probability, shared, asks_again };
    const expected = REQUESTS * await labRun.law('slow_requests', given);
    const stalls = drawStalls(setting);
    for (const [number, worker] of replicas.entries()) {
      const habits = { quick_ms: QUICK_MS, stall_ms: STALL_MS, stalls: stalls[number] };
      await labRun.ask(worker, { action: 'prepare', ...habits });
    }
    const begun = before;
    const request = { action: 'run', requests: REQUESTS, leaves: LEAVES, delay_ms };
    /** @type {Answer[]} */
    const answers = await labRun.ask(client, request, { onNote: (ended) => onRequest(begun + ended) });
    before += REQUESTS;
    const slow = answers.filter(({ took_ms }) => took_ms >= 0.99 * STALL_MS).length;
    onResult({ ...setting, expected, must: mustBeSlow(stalls, asks_again), answers, slow });
  }
  const asked = [];
  for (const worker of replicas) asked.push(await labRun.ask(worker, { action: 'asked' }));
  return asked;
}

/** @param {Result[]} results */
function verdict(results) {
  const [once, again, shared] = results.map(({ slow }) => slow);
  const early = results.some(({ must, answers }) => {
    return must.some((request) => answers[request].took_ms < 0.99 * STALL_MS);
  });
  return `When each leaf was asked once, ${once} of ${REQUESTS} requests were slow; when leaves were asked again, `
    + `${again} were. When half of the stalls hit both replicas, ${shared} were slow. `
    + `${early ? 'Some requests' : 'No request'} that had to wait for a stall ended before the stall did.`;
}

/**
 * @param {HTMLElement} section
 * @param {LabTools} tools
 */
export function open(section, tools) {
  const fields = new Fields();
  const frame = new LabFrame(section, tools, async (labRun) => {
    const settings = plan(fields.chosen);
    frame.tell('Asking a leaf means sending a message to a worker in this page; no network or server is involved. '
      + `A leaf answers after ${QUICK_MS} ms, or after ${STALL_MS} ms if it stalls.`);
    const table = frame.table(CAPTION, HEADS);
    /** @type {Result[]} */
    const results = [];
    const count = REQUESTS * settings.length;
    const asked = await runAll(labRun, settings, {
      onRequest: (ended) => frame.progress(ended, count, `${ended} of ${count} requests`),
      onResult: (result) => {
        results.push(result);
        table.row(cells(result));
      },
    });
    Object.assign(section, { results: { rows: results, asked } });
    return verdict(results) + frame.guessText(results[1].slow, 0);
  });
  frame.settings.append(...fields.parts);
  frame.run();
}
