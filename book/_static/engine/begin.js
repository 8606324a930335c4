// Starts the engine's worker while the page loads, because it is what a reader waits for. This script is inline in
// the head of each page whose parts ask the engine at once, so it waits for nothing.
import { launch } from './launch.js';

/** Returns the URL of a file in the folder of the page's script. @param {string} name */
function vendor(name) {
  return new URL(`${document.currentScript?.dataset.vendor}${name}`, location.href).href;
}

if (location.protocol !== 'file:') {
  globalThis.tunablesBegun = launch(vendor('engine-worker.js'), vendor('micropython.wasm'));
}
