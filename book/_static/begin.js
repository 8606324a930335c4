// Begins the engine's worker as a page that will ask it begins to load: it is what a reader waits
// for. This stands in the page's head itself, so that it waits for nothing.
import { launch } from './launch.js';

/** @param {string} name @returns {string} the address of a file beside the page's script */
function vendor(name) {
  return new URL(`${document.currentScript?.dataset.vendor}${name}`, location.href).href;
}

if (location.protocol !== 'file:') {
  globalThis.tunablesBegun = launch(vendor('engine-worker.js'), vendor('micropython.wasm'));
}
