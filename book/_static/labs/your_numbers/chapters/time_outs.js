// Chapter 2: counts of latencies, as `count` in tunables/chapters/time_outs/own.py makes them; and a sample.
import { mean, median, randomNumbers } from '../../statistics.js';

/** @param {Float64Array} values */
function setting(values) {
  const [first] = values;
  const other = values.find((value) => value !== first);
  return other === undefined ? [first] : [first, other];
}

/**
 * @param {Float64Array} latency_s
 * @param {number} timeout_s
 * @param {number} retries
 * @param {number} rounding
 */
function part(latency_s, timeout_s, retries, rounding) {
  const counts = new Array(retries + 2).fill(0);
  /** @type {number[]} */
  const replies_s = [];
  for (const latency of latency_s) {
    const timeouts = Math.min(Math.floor(latency / timeout_s + rounding), retries + 1);
    counts[timeouts] += 1;
    const reply = latency - timeouts * timeout_s;
    if (timeouts <= retries) replies_s.push(Math.min(Math.max(reply, 0), timeout_s));
  }
  return { counted: { counts, mean_s: mean(latency_s) }, replies_s };
}

/**
 * @param {Record<string, Float64Array>} values the columns
 * @param {{ rounding: number, beyond: number }} wanted
 */
export function count(values, { rounding, beyond }) {
  const [timeouts, most] = [setting(values.timeout_s), setting(values.retries)];
  const [timeout_s, retries] = [timeouts[0], most[0]];
  const split = Math.floor(2 * values.latency_s.length / 3);
  const [early, late] = [values.latency_s.subarray(0, split), values.latency_s.subarray(split)];
  const { counted: fitted, replies_s } = part(early, timeout_s, retries, rounding);
  const { counted: later } = part(late, timeout_s, retries, rounding);
  const longest = beyond * (retries + 1) * timeout_s;
  const answered = replies_s.length > 0;
  const shares = {
    reply_s: answered ? mean(replies_s) : null,
    median_s: answered ? median(replies_s) : null,
    beyond: early.filter((latency) => latency > longest).length / early.length,
  };
  return { timeout_s: timeouts, retries: most, fitted: { ...fitted, ...shares }, later };
}

const LATENCIES = { requests: 60_000, timeout_s: 0.5, retries: 3, failure: 0.2 };

/** Returns requests whose attempts fail one by one. */
export function sample() {
  const { requests, timeout_s, retries, failure } = LATENCIES;
  const random = randomNumbers();
  const rows = Array.from({ length: requests }, () => {
    let failed = 0;
    while (failed <= retries && random() < failure) failed += 1;
    const reply_s = failed <= retries ? 0.02 + 0.06 * random() : 0;
    return `${(failed * timeout_s + reply_s).toFixed(4)},${timeout_s},${retries}`;
  });
  return ['latency_s,timeout_s,retries', ...rows];
}
