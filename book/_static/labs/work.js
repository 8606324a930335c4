// A lab's worker: it is asked once, may say something on the way, and ends with an answer.

/**
 * @param {(asked: any, tell: (told: any) => void) => Promise<unknown>} act
 */
export function serve(act) {
  /** @param {Worked} said */
  const say = (said) => postMessage(said);
  onmessage = async ({ data }) => {
    try {
      say({ done: await act(data, (told) => say({ told })) ?? null });
    } catch (error) {
      say({ failure: `The lab failed at this (${/** @type {Error} */ (error).message}).` });
    }
  };
}
