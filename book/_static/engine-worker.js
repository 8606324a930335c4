// Runs the book's own Python: MicroPython, with the source files that the tests import.
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

function write(engine, path, source) {
  path.split('/').slice(0, -1).reduce((folder, part) => {
    const next = `${folder}/${part}`;
    if (!engine.FS.analyzePath(next).exists) engine.FS.mkdir(next);
    return next;
  }, '');
  engine.FS.writeFile(`/${path}`, source);
}

async function fetchSources(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`python.json: ${response.status}`);
  return response.json();
}

// wasm: the engine's address; python: the address of the sources, or the sources themselves.
async function start({ wasm, python }) {
  const [engine, sources] = await Promise.all([
    loadMicroPython({ url: wasm }),
    typeof python === 'string' ? fetchSources(python) : python,
  ]);
  for (const [path, source] of Object.entries(sources)) write(engine, path, source);
  engine.runPython('import sys\nsys.path.insert(0, "/")');
  return engine;
}

const pages = new Map(); // session -> its Page
let starting;

async function reply({ session, module, description, request }) {
  const engine = await starting;
  if (!pages.has(session)) pages.set(session, engine.pyimport(module).Page(JSON.stringify(description)));
  return JSON.parse(pages.get(session).reply(JSON.stringify(request)));
}

onmessage = async ({ data }) => {
  if (data.start) {
    starting = start(data.start);
    starting.catch(() => {}); // told to those who ask
    return;
  }
  try {
    postMessage({ question: data.question, reply: await reply(data) });
  } catch (error) {
    postMessage({ question: data.question, failure: String(error.message ?? error) });
  }
};
