// Means and quantiles of many numbers, and random numbers for the samples.

/** @typedef {ArrayLike<number> & Iterable<number>} Numbers */

/** Returns the mean; Kahan's sum adds what rounding drops. @param {Numbers} values */
export function mean(values) {
  let [sum, dropped] = [0, 0];
  for (const value of values) {
    const more = value - dropped;
    const next = sum + more;
    dropped = next - sum - more;
    sum = next;
  }
  return sum / values.length;
}

/**
 * Returns a quantile, interpolated between neighbours as in numpy.
 * @param {Numbers} values
 * @param {number} share
 */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

/** @param {Numbers} values */
export function median(values) {
  return quantile(values, 0.5);
}

const PRIME = 2 ** 31 - 1;

/** Returns a generator of random numbers between 0 and 1, the same ones in every browser (Park and Miller). */
export function randomNumbers() {
  let state = 7;
  return () => {
    state = state * 48271 % PRIME; // products are exact
    return state / PRIME;
  };
}
