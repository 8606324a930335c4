// Means and quantiles of many numbers.

/** @typedef {ArrayLike<number> & Iterable<number>} Numbers */

// By Kahan: what rounding drops of a sum is added again.
/** @param {Numbers} values */
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
 * The value that a share of them does not exceed, on a line between neighbours, as numpy has it.
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
