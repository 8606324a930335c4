// The items of the queue: each some microseconds of real work.

const AIM_US = 20;
const TRIED = 500; // items a try
const TRIES = 4;
const ROUNDS = 4;

/**
 * The result is to be used, or a browser may leave the work out.
 * @param {number} item
 * @param {number} repeats
 */
export function work(item, repeats) {
  let mixed = item | 1;
  for (let n = 0; n < repeats; n += 1) mixed = Math.imul(mixed ^ (mixed >>> 15), 2654435761) + n | 0;
  return mixed;
}

/**
 * What an item takes, in ms: the least of some tries, since others may use the processor too.
 * @param {number} repeats
 */
function cost(repeats) {
  const tries = Array.from({ length: TRIES }, () => {
    let used = 0;
    const begun = performance.now();
    for (let item = 0; item < TRIED; item += 1) used ^= work(item, repeats);
    return (performance.now() - begun) / TRIED + 0 * used;
  });
  return Math.min(...tries);
}

// The repeats with which an item takes about 20 µs here, and what it then takes, in ms.
export function calibrated() {
  let repeats = 2000;
  for (let round = 0; round < ROUNDS; round += 1) {
    repeats = Math.max(10, Math.round(repeats * AIM_US / 1000 / (cost(repeats) || AIM_US / 1000)));
  }
  return { repeats, cost_ms: cost(repeats) };
}
