// How a slice asks the browser for the next one: what comes before it, timers or the slice.

/** @typedef {(slice: () => void) => void} Way */

/** @returns {Way} */
function byMessage() {
  const { port1, port2 } = new MessageChannel();
  return (slice) => {
    port1.onmessage = slice;
    port2.postMessage(null);
  };
}

// Those that this browser has. The first is the one of the daemon: all else comes first.
export function ways() {
  const { scheduler } = /** @type {any} */ (globalThis);
  /** @type {Record<string, Way>} */
  const found = {};
  if (scheduler?.postTask) {
    found['postTask, background'] = (slice) => {
      scheduler.postTask(slice, { priority: 'background' });
    };
  }
  found['setTimeout 0'] = (slice) => {
    setTimeout(slice, 0);
  };
  found.message = byMessage();
  if (scheduler?.yield) {
    found['scheduler.yield'] = (slice) => {
      scheduler.yield().then(slice);
    };
  }
  return found;
}
