// The worker's side of a lab: for each request it may send notes, and then sends an answer.

/**
 * Holds a lock while this worker lives, so that the page learns when it is gone.
 * @param {string} lock
 * @returns {Promise<void>} resolved when the lock is held, or if there are no locks
 */
function holdLock(lock) {
  return new Promise((resolve) => {
    const hold = () => {
      resolve();
      return new Promise(() => {});
    };
    if (navigator.locks) navigator.locks.request(lock, hold).catch(() => resolve());
    else resolve();
  });
}

/**
 * @param {(request: any, tell: (note: any) => void) => Promise<unknown>} act
 */
export function serve(act) {
  /** @param {WorkerMessage} message */
  const post = (message) => postMessage(message);
  onmessage = async ({ data }) => {
    try {
      const done = await (data.live ? holdLock(data.live) : act(data, (note) => post({ note })));
      post({ done: done ?? null });
    } catch (error) {
      post({ failure: `The lab failed (${/** @type {Error} */ (error).message}).` });
    }
  };
}
