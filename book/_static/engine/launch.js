/**
 * Starts a worker that loads the engine. Its events are kept until somebody listens.
 * @param {string} script the URL of the worker's script
 * @param {string} wasm the URL of the engine
 */
export function launch(script, wasm) {
  const worker = new Worker(script);
  worker.postMessage({ wasm });
  /** @type {Event[]} */
  const events = [];
  worker.onmessage = (event) => events.push(event);
  worker.onerror = (event) => events.push(event);
  return { worker, events };
}
