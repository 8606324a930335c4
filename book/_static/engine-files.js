// What an engine is made of: its worker's script, MicroPython, and the book's Python.
import { launch } from './launch.js';
import { fromDisk, loadScript, place } from './place.js';

// Where the worker and the engine are. From disk nothing can be fetched: they come in a script.
async function machine() {
  if (!fromDisk) return { script: place('vendor/engine-worker.js'), wasm: place('vendor/micropython.wasm') };
  await loadScript('vendor/engine-from-disk.js');
  const { script, wasm } = globalThis.tunablesEngine;
  return { script: URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), wasm };
}

/** Resolves to a worker that loads the engine, and what it said already: the page's first has begun. */
export async function startWorker() {
  const begun = globalThis.tunablesBegun;
  globalThis.tunablesBegun = undefined;
  if (begun) return begun;
  const { script, wasm } = await machine();
  return launch(script, wasm);
}

/**
 * Resolves to {path: source} of the Python that all pages share, or of a chapter's.
 * @param {string} part
 */
export async function sources(part) {
  await loadScript(`vendor/python/${part}.js`, 'high');
  return { python: globalThis.tunablesPython[part] };
}

/**
 * Resolves to a chapter's simulations: their Python, and the kernels that it calls.
 * @param {string} chapter
 */
export async function simulations(chapter) {
  await loadScript(`vendor/simulations/${chapter}.js`);
  return globalThis.tunablesSimulations[chapter];
}

/**
 * Resolves to the Python of a lab's law.
 * @param {string} lab
 */
export async function law(lab) {
  await loadScript(`vendor/laws/${lab}.js`);
  return { python: globalThis.tunablesLaws[lab] };
}
