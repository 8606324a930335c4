// A lab's worker: it is asked once, may say something on the way, and ends with an answer.

/**
 * Holds a lock for as long as this worker lives: who waits for it learns that the worker is gone.
 * @param {string} lock
 * @returns {Promise<void>} when it is held, or where there are no locks
 */
function live(lock) {
  return new Promise((resolve) => {
    const held = () => {
      resolve();
      return new Promise(() => {});
    };
    if (navigator.locks) navigator.locks.request(lock, held).catch(() => resolve());
    else resolve();
  });
}

/**
 * @param {(asked: any, tell: (told: any) => void) => Promise<unknown>} act
 */
export function serve(act) {
  /** @param {Worked} said */
  const say = (said) => postMessage(said);
  onmessage = async ({ data }) => {
    try {
      const done = await (data.live ? live(data.live) : act(data, (told) => say({ told })));
      say({ done: done ?? null });
    } catch (error) {
      say({ failure: `The lab failed at this (${/** @type {Error} */ (error).message}).` });
    }
  };
}
