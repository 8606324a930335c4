// Chapter 8: counts of both copies' times, as `count` in tunables/chapters/hedged_requests/calibration.py makes them;
// and a sample.
import { quantile, randomNumbers } from '../../statistics.js';

/**
 * @param {Float64Array} values
 * @param {number} limit
 */
function shareAbove(values, limit) {
  return values.filter((value) => value > limit).length / values.length;
}

/**
 * @param {Record<string, Float64Array>} values the columns
 * @param {{ every: number, shares: number[], slow: number[], held: number[] }} wanted
 */
export function count({ first_s, second_s }, { every, shares, slow, held }) {
  const isHeldOut = (/** @type {unknown} */ _, /** @type {number} */ row) => row % every === every - 1;
  const isFitted = (/** @type {unknown} */ _, /** @type {number} */ row) => !isHeldOut(_, row);
  const faster = first_s.map((value, row) => Math.min(value, second_s[row]));
  const copies = Float64Array.from([...first_s.filter(isFitted), ...second_s.filter(isFitted)]);
  const both = faster.filter(isFitted), later = faster.filter(isHeldOut);
  const edges = slow.map((share) => quantile(copies, 1 - share));
  return {
    points: shares.map((share) => [quantile(copies, 1 - share), share]),
    both: edges.map((edge) => [shareAbove(copies, edge), shareAbove(both, edge)]),
    measured: held.map((share) => [share, quantile(later, 1 - share)]),
  };
}

/** Returns the times of both copies; three requests in ten take as long at any server. */
export function sample() {
  const random = randomNumbers();
  const time_ms = () => 5 - 10 * Math.log(random());
  const rows = Array.from({ length: 6000 }, () => {
    const [first, second] = [time_ms(), time_ms()];
    return `${first.toFixed(3)},${(random() < 0.3 ? first : second).toFixed(3)}`;
  });
  return ['first_ms,second_ms', ...rows];
}
