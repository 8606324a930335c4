// Begins the engine's worker as a page that will ask it begins to load: it is what a reader waits
// for. This stands in the page's head itself, so that it waits for nothing.

/**
 * Begins a worker; keeps what it says until somebody listens.
 * @param {string} folder of static files
 */
function begun(folder) {
  const worker = new Worker(`${folder}engine-worker.js`);
  worker.postMessage({ wasm: new URL(`${folder}micropython.wasm`, location.href).href });
  /** @type {Event[]} */
  const heard = [];
  worker.onmessage = (event) => heard.push(event);
  worker.onerror = (event) => heard.push(event);
  return { worker, heard };
}

if (location.protocol !== 'file:') globalThis.tunablesBegun = begun(document.currentScript?.dataset.vendor ?? '');
