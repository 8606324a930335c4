// Launches an engine's worker.

/**
 * Begins a worker that loads the engine; keeps what it says until somebody listens.
 * @param {string} script
 * @param {string} wasm the engine's address
 */
export function launch(script, wasm) {
  const worker = new Worker(script);
  worker.postMessage({ wasm });
  /** @type {Event[]} */
  const heard = [];
  worker.onmessage = (event) => heard.push(event);
  worker.onerror = (event) => heard.push(event);
  return { worker, heard };
}
