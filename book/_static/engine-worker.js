// Runs the book's own Python: MicroPython, with the source files that the tests import.
import { loadMicroPython } from './vendor/micropython/micropython.mjs';

async function fetchSources() {
  const response = await fetch(new URL('./python.json', import.meta.url));
  if (!response.ok) throw new Error(`python.json: ${response.status}`);
  return Object.entries(await response.json());
}

function write(engine, path, source) {
  path.split('/').slice(0, -1).reduce((folder, part) => {
    const next = `${folder}/${part}`;
    if (!engine.FS.analyzePath(next).exists) engine.FS.mkdir(next);
    return next;
  }, '');
  engine.FS.writeFile(`/${path}`, source);
}

async function start() {
  const wasm = new URL('./vendor/micropython/micropython.wasm', import.meta.url).href;
  const [engine, sources] = await Promise.all([loadMicroPython({ url: wasm }), fetchSources()]);
  for (const [path, source] of sources) write(engine, path, source);
  engine.runPython('import sys\nsys.path.insert(0, "/")');
  return engine;
}

const pages = new Map(); // session -> its Page
let starting;

async function reply({ session, module, description, request }) {
  const engine = await (starting ??= start());
  if (!pages.has(session)) pages.set(session, engine.pyimport(module).Page(JSON.stringify(description)));
  return JSON.parse(pages.get(session).reply(JSON.stringify(request)));
}

onmessage = async ({ data }) => {
  try {
    postMessage({ question: data.question, reply: await reply(data) });
  } catch (error) {
    postMessage({ question: data.question, failure: String(error.message ?? error) });
  }
};
