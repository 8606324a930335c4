// Runs the book's own Python in MicroPython, from the same source files that the tests import.
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';
import { bridge } from './kernels.js';

/** @typedef {Awaited<ReturnType<typeof loadMicroPython>>} MicroPython */

const folders = new Set(['']); // existing ones

/**
 * @param {MicroPython['FS']} FS
 * @param {string} folder
 */
function makeFolder(FS, folder) {
  if (folders.has(folder)) return;
  makeFolder(FS, folder.slice(0, folder.lastIndexOf('/')));
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
    makeFolder(FS, `/${path.slice(0, path.lastIndexOf('/'))}`);
    FS.writeFile(`/${path}`, source);
  }
}

/** @param {string} wasm the URL of MicroPython */
async function start(wasm) {
  const engine = await loadMicroPython({ url: wasm });
  engine.runPython('import sys\nsys.path.insert(0, "/")');
  return engine;
}

let up = false;
let resumeQuestion = () => {}; // resumes the question that waits for more Python

/** @returns {Promise<void>} resolved when more Python has come */
function nextPart() {
  return new Promise((resolve) => {
    resumeQuestion = resolve;
  });
}

/**
 * Adds a part of the Python. The part that all pages share comes first.
 * @param {MicroPython} engine
 * @param {Record<string, string>} sources
 */
function writePart(engine, sources) {
  write(engine, sources);
  if (!up) {
    engine.pyimport('tunables.page.explorer'); // used by most questions
    up = true;
    post({ up });
  }
  resumeQuestion();
}

/**
 * A chapter's simulations come with the kernels that they call.
 * @param {MicroPython} engine
 * @param {SourcePart} part
 */
function addPart(engine, { python, kernels }) {
  if (kernels) engine.registerJsModule('tunables_kernels', bridge(kernels));
  writePart(engine, python);
  return engine;
}

/** @type {Map<number, ReturnType<ReturnType<MicroPython['pyimport']>[string]>>} */
const pages = new Map(); // by session

/**
 * @param {MicroPython} engine
 * @param {Question} question
 * @returns {object}
 */
function reply(engine, { session, module = '', description, request }) {
  const [name, kind] = module.split(':');
  const page = pages.get(session) ?? engine.pyimport(name)[kind](JSON.stringify(description));
  pages.set(session, page);
  const result = JSON.parse(page.reply(JSON.stringify(request)));
  if (result.refusal === '') throw new Error('it refused without a reason');
  return result;
}

/** @param {Message} message */
function post(message) {
  postMessage(message);
}

/**
 * The last line of a traceback says what went wrong.
 * @param {unknown} error
 */
function reason(error) {
  return String(Object(error).message ?? error).trim().replace(/^.*\n/s, '');
}

const MISSING = /no module named 'tunables\.chapters\.(\w+)/;

/**
 * Replies once the Python is there: the question waits while another chapter's Python is fetched.
 * @param {MicroPython} engine
 * @param {Question} question
 */
async function replyWithChapters(engine, question) {
  try {
    return reply(engine, question);
  } catch (error) {
    const missing = MISSING.exec(reason(error));
    if (!missing) throw error;
    post({ lacks: missing[1] });
    await nextPart();
    return reply(engine, question);
  }
}

/**
 * @param {MicroPython} engine
 * @param {Question} request
 */
async function answer(engine, request) {
  const { question } = request;
  try {
    post({ question, reply: await replyWithChapters(engine, request) });
  } catch (error) {
    const broken = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    if (broken) post({ down: `broke down (${reason(error)})` });
    else post({ question, failure: `failed at this (${reason(error)})` });
  }
}

/** @param {unknown} error */
function fail(error) {
  post({ down: `could not start (${reason(error)})` });
  return null;
}

/** @type {Promise<MicroPython | null>} */
let started; // null if the engine did not start and has said so
/** @type {Promise<unknown>} */
let lastAnswer; // each answer goes out before the next question is read

onmessage = ({ data }) => {
  if (data.wasm) {
    started = start(data.wasm).catch(fail);
    lastAnswer = started;
  } else if (data.python) {
    started = started.then((engine) => engine && addPart(engine, data)).catch(fail);
  } else {
    lastAnswer = Promise.all([started, lastAnswer]).then(([engine]) => engine && answer(engine, data));
  }
};
