// Runs the book's own Python: MicroPython, with the source files that the tests import.
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';
import { bridge } from './kernels-bridge.js';

/** @typedef {Awaited<ReturnType<typeof loadMicroPython>>} MicroPython */

const folders = new Set(['']); // that are made

/**
 * @param {MicroPython['FS']} FS
 * @param {string} folder
 */
function make(FS, folder) {
  if (folders.has(folder)) return;
  make(FS, folder.slice(0, folder.lastIndexOf('/')));
  FS.mkdir(folder);
  folders.add(folder);
}

/**
 * Writes {path: source} into the engine's files.
 * @param {MicroPython} engine
 * @param {Record<string, string>} sources
 */
function write({ FS }, sources) {
  for (const [path, source] of Object.entries(sources)) {
    make(FS, `/${path.slice(0, path.lastIndexOf('/'))}`);
    FS.writeFile(`/${path}`, source);
  }
}

/** @param {string} wasm the engine's address */
async function start(wasm) {
  const engine = await loadMicroPython({ url: wasm });
  engine.runPython('import sys\nsys.path.insert(0, "/")');
  return engine;
}

let up = false;
let goOn = () => {}; // with the question that waits for more Python

/** @returns {Promise<void>} when more Python has come */
function more() {
  return new Promise((resolve) => {
    goOn = resolve;
  });
}

/**
 * Takes in a part of the Python. What all pages share comes first.
 * @param {MicroPython} engine
 * @param {Record<string, string>} sources
 */
function learn(engine, sources) {
  write(engine, sources);
  if (!up) {
    engine.pyimport('tunables.page.explorer'); // most questions go there
    up = true;
    say({ up });
  }
  goOn();
}

/**
 * A chapter's simulations come with the kernels that they call.
 * @param {MicroPython} engine
 * @param {Taught} part
 */
function taught(engine, { python, kernels }) {
  if (kernels) engine.registerJsModule('tunables_kernels', bridge(kernels));
  learn(engine, python);
  return engine;
}

/** @type {Map<number, ReturnType<ReturnType<MicroPython['pyimport']>['Page']>>} */
const pages = new Map(); // by session

/**
 * @param {MicroPython} engine
 * @param {Question} question
 * @returns {object}
 */
function reply(engine, { session, module = '', description, request }) {
  const page = pages.get(session) ?? engine.pyimport(module).Page(JSON.stringify(description));
  pages.set(session, page);
  const said = JSON.parse(page.reply(JSON.stringify(request)));
  if (said.refusal === '') throw new Error('it refused without a word');
  return said;
}

/** @param {Heard} heard */
function say(heard) {
  postMessage(heard);
}

/**
 * The last line of a traceback says what went wrong.
 * @param {unknown} error
 */
function reason(error) {
  return String(Object(error).message ?? error).trim().replace(/^.*\n/s, '');
}

const LACKING = /no module named 'tunables\.chapters\.(\w+)/;

/**
 * Another chapter's Python comes when it is asked for: the question then waits for it.
 * @param {MicroPython} engine
 * @param {Question} asked
 */
async function replyOnceTold(engine, asked) {
  try {
    return reply(engine, asked);
  } catch (error) {
    const lacking = LACKING.exec(reason(error));
    if (!lacking) throw error;
    say({ lacks: lacking[1] });
    await more();
    return reply(engine, asked);
  }
}

/**
 * @param {MicroPython} engine
 * @param {Question} asked
 */
async function answer(engine, asked) {
  const { question } = asked;
  try {
    say({ question, reply: await replyOnceTold(engine, asked) });
  } catch (error) {
    const broken = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    if (broken) say({ down: `broke down (${reason(error)})` });
    else say({ question, failure: `failed at this (${reason(error)})` });
  }
}

/** @param {unknown} error */
function fail(error) {
  say({ down: `could not start (${reason(error)})` });
  return null;
}

/** @type {Promise<MicroPython | null>} */
let begun; // nothing, if the engine did not start and has said so
/** @type {Promise<unknown>} */
let answered; // the last question: an answer goes out before the next is sought

onmessage = ({ data }) => {
  if (data.wasm) {
    begun = start(data.wasm).catch(fail);
    answered = begun;
  } else if (data.python) {
    begun = begun.then((engine) => engine && taught(engine, data)).catch(fail);
  } else {
    answered = Promise.all([begun, answered]).then(([engine]) => engine && answer(engine, data));
  }
};
