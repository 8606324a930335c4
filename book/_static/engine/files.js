// The files that a page loads by itself: where they are, how they are loaded once, and what a page keeps of
// them for later.
import { launch } from './launch.js';

// The files are in the folder of the page's own script, whose name is computed from everything in it. So a page never
// mixes files of two versions of the book. The bundles are classic scripts, which run in pages opened from disk
// too; a module takes its address from import.meta.

const pageScript = /** @type {HTMLScriptElement | null} */ (document.currentScript);
const page = pageScript?.src ?? new URL('../vendor/page.js', import.meta.url).href;

/** @param {string} path from the folder of the page's script */
export function place(path) {
  return new URL(path, page).href;
}

// Whether the page's parts ask the engine as soon as they are mounted. The engine then starts before them.
export const asksAtOnce = pageScript?.dataset.engine === 'now';

// The chapters whose Python these parts run.
export const pythonAtOnce = pageScript?.dataset.python?.split(' ') ?? [];

// A page opened from disk may load scripts and pictures, but fetch nothing.
export const fromDisk = location.protocol === 'file:';

// What the page fetches when it is idle, to need no network when its reader presses a button.
const partsForLater = pageScript?.dataset.later?.split(' ') ?? [];

/** @type {Map<string, Promise<unknown>>} scripts by path, shared by all bundles of the page */
const loaded = globalThis.tunablesLoaded ??= new Map();

/**
 * @param {string} path
 * @param {'auto' | 'high' | 'low'} priority
 */
function load(path, priority) {
  return new Promise((resolve, reject) => {
    const added = document.createElement('script');
    added.src = place(path);
    added.fetchPriority = priority;
    added.onload = resolve;
    added.onerror = () => {
      loaded.delete(path); // another try may succeed
      reject(new Error(`${path} could not be loaded: reload the page`));
    };
    document.head.append(added);
  });
}

/**
 * Loads a script once.
 * @param {string} path
 * @param {'auto' | 'high' | 'low'} [priority]
 */
export function loadScript(path, priority = 'auto') {
  const loading = loaded.get(path) ?? load(path, priority);
  loaded.set(path, loading);
  return loading;
}

// What an engine consists of: its worker's script, MicroPython, and the book's Python.

const SCRIPT = 'engine-worker.js', WASM = 'micropython.wasm';

/** @param {string} path */
async function fetchBlob(path) {
  const reply = await fetch(place(path));
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return reply.blob();
}

/** Returns a data URL, which a page's policy lets a worker fetch. @param {Blob} blob @returns {Promise<string>} */
function asData(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = reject;
    reader.readAsDataURL(blob);
  });
}

/** Keeps the worker's script and MicroPython in the page, so that a later engine starts without the network. */
async function keepEngineFiles() {
  const [script, wasm] = await Promise.all([SCRIPT, WASM].map(fetchBlob));
  globalThis.tunablesKept = { script: URL.createObjectURL(script), wasm: await asData(wasm) };
}

// Returns the URLs of the worker and the engine. A page from disk can fetch nothing, so a script brings them.
async function engineAddresses() {
  if (globalThis.tunablesKept) return globalThis.tunablesKept;
  if (!fromDisk) return { script: place(SCRIPT), wasm: place(WASM) };
  await loadScript('engine-from-disk.js');
  const { script, wasm } = globalThis.tunablesEngine;
  return { script: URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), wasm };
}

/** Resolves to a worker that loads the engine, and its events so far. The page's first worker is running already. */
export async function startWorker() {
  const begun = globalThis.tunablesBegun;
  globalThis.tunablesBegun = undefined;
  if (begun) return begun;
  const { script, wasm } = await engineAddresses();
  return launch(script, wasm);
}

/**
 * Resolves to {path: source} of the Python of a part: "shared", or a chapter.
 * @param {string} part
 */
export async function sources(part) {
  await loadScript(`python/${part}.js`, 'high');
  return { python: globalThis.tunablesPython[part] };
}

/**
 * Resolves to a chapter's simulations: their Python, and the kernels that it calls.
 * @param {string} chapter
 */
export async function simulationSources(chapter) {
  await loadScript(`simulations/${chapter}.js`);
  return globalThis.tunablesSimulations[chapter];
}

/**
 * Resolves to the Python of a lab's law.
 * @param {string} lab
 */
export async function lawSources(lab) {
  await loadScript(`laws/${lab}.js`);
  return { python: globalThis.tunablesLaws[lab] };
}

// Once a page has loaded and its browser is idle, it fetches what its buttons will need: simulations,
// animations' runs, labs and charts then work without the network.

const IDLE_MS = 2000; // in browsers that do not say when they are idle

async function fetchForLater() {
  const scripts = partsForLater.map((part) => loadScript(`${part}.js`, 'low'));
  await Promise.all([...scripts, keepEngineFiles()]);
  document.documentElement.dataset.kept = '';
}

function fetchOnceIdle() {
  // What cannot be fetched now is fetched when it is needed; a failure is then reported.
  const begin = () => fetchForLater().catch(() => {});
  if ('requestIdleCallback' in globalThis) requestIdleCallback(begin);
  else setTimeout(begin, IDLE_MS);
}

/** A browser that is set to save data fetches only what its reader asks for. */
const savesData = () => Boolean(/** @type {any} */ (navigator).connection?.saveData);

export function keepForLater() {
  if (fromDisk || !partsForLater.length || savesData()) return;
  if (document.readyState === 'complete') fetchOnceIdle();
  else addEventListener('load', fetchOnceIdle, { once: true });
}
