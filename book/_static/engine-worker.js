// Runs the book's own Python: MicroPython, with the source files that the tests import.
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

// Writes {path: source} into the engine's files.
function write({ FS }, sources) {
  const made = new Set(['']);
  const make = (folder) => {
    if (made.has(folder)) return;
    make(folder.slice(0, folder.lastIndexOf('/')));
    FS.mkdir(folder);
    made.add(folder);
  };
  for (const [path, source] of Object.entries(sources)) {
    make(`/${path.slice(0, path.lastIndexOf('/'))}`);
    FS.writeFile(`/${path}`, source);
  }
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
  write(engine, sources);
  engine.runPython('import sys\nsys.path.insert(0, "/")');
  engine.pyimport('tunables.reader.page'); // most questions go there
  return engine;
}

const pages = new Map(); // session -> its Page
let starting;

function reply(engine, { session, module, description, request }) {
  if (!pages.has(session)) pages.set(session, engine.pyimport(module).Page(JSON.stringify(description)));
  return JSON.parse(pages.get(session).reply(JSON.stringify(request)));
}

async function answer(request) {
  const { question } = request;
  try {
    postMessage({ question, reply: reply(await starting, request) });
  } catch (error) {
    postMessage({ question, failure: String(error.message ?? error) });
  }
}

let last = Promise.resolve(); // one after the other: an answer goes out before the next is sought
onmessage = ({ data }) => {
  if (data.start) {
    starting = start(data.start);
    starting.catch(() => {}); // told to those who ask
  } else {
    last = last.then(() => answer(data));
  }
};
