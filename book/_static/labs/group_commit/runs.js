// What is run, one after the other, and what the reader is told of it.

const SHORTEST_MS = 400;
const LEAST_FLUSHES = 12;
const EMULATED_MS = 5;
const EMULATED_DELAYS_MS = [1, 5, 25];
const OF_FLUSH = [0.5, 1, 2]; // the delays on the reader's own device, in flushes
const IN_MEMORY_MS = 0.02; // no device flushes within this

/**
 * @typedef {{ commits: number, flushes: number, seconds: number, flush_s: number, hop_s: number, delay_s: number }} Run
 * @typedef {{ law: number, with_hop: number, alone: number }} Law
 * @typedef {{ device: boolean, writers: number, delay_ms: number, emulated_ms: number, time_ms: number }} Settings
 * @typedef {Settings & Run & Law & { rate: number, share: number, gain: number }} Point
 * @typedef {{ flush_ms?: number, lacks?: string }} Device
 */

/** @param {Device} device */
export function isThere({ flush_ms }) {
  return flush_ms !== undefined && flush_ms >= IN_MEMORY_MS;
}

/**
 * A device may be fast for a while and slow later: each delay stands between two runs without.
 * @param {Device} device
 * @param {number} writers
 * @returns {Settings[]}
 */
export function plan(device, writers) {
  /** @type {(delays: number[], emulated_ms: number, flush_ms: number) => Settings[]} */
  const bracketed = (delays, emulated_ms, flush_ms) => [0, ...delays.flatMap((delay) => [delay, 0])].map(
    (delay_ms) => {
      const time_ms = Math.max(SHORTEST_MS, LEAST_FLUSHES * (delay_ms + flush_ms));
      return { device: !emulated_ms, writers, delay_ms, emulated_ms, time_ms };
    },
  );
  const flush_ms = device.flush_ms ?? 0;
  const own = isThere(device) ? bracketed(OF_FLUSH.map((times) => times * flush_ms), 0, flush_ms) : [];
  return [...own, ...bracketed(EMULATED_DELAYS_MS, EMULATED_MS, EMULATED_MS)];
}

/** @param {Device} device */
export function sentenceOf(device) {
  const emulated = `A flush of ${EMULATED_MS} ms, which the lab emulates by waiting, takes its place.`;
  if (device.lacks === 'QuotaExceededError') {
    return `This browser lets this site store no more (${device.lacks}), so there is no flush to measure: make room on `
      + `the disk, or empty the site’s storage. ${emulated}`;
  }
  if (device.lacks) {
    return `This browser gives this page no file of its own (${device.lacks}), so there is no flush to measure. Not `
      + 'every browser can, some do not in private windows, and none does for a page that is opened from disk or '
      + `comes from another machine by plain http. ${emulated}`;
  }
  const flush_ms = Number(device.flush_ms);
  if (!isThere(device)) {
    return `A flush takes ${flush_ms.toFixed(3)} ms here: this window keeps files in memory, as private windows do. `
      + emulated;
  }
  return `A flush takes ${flush_ms.toFixed(2)} ms on your device, as your browser asks for it: the mean of 200, `
    + 'one after the other.';
}

/**
 * Throughput with a delay over that without, by the runs before and after.
 * @param {Point[]} points
 */
export function withGains(points) {
  return points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    const gain = point.delay_ms ? point.rate / ((before.rate + after.rate) / 2) : 1;
    return { ...point, gain };
  });
}

/**
 * What share of the writers committed with a flush.
 * @param {Point[]} points
 * @param {(delay_ms: number) => unknown} counts
 */
export function meanShare(points, counts) {
  const some = points.filter(({ delay_ms }) => counts(delay_ms));
  return some.reduce((sum, { share }) => sum + share, 0) / some.length;
}

/** @param {Point[]} points */
export function verdict(points) {
  const gains = points.filter(({ device, delay_ms }) => !device && delay_ms)
    .map(({ gain, delay_ms }) => `${delay_ms} ms of delay: ${gain.toFixed(2)} times the commits`);
  const shared = meanShare(points, (delay_ms) => delay_ms);
  const halved = meanShare(points, (delay_ms) => !delay_ms);
  return `With a delay ${(100 * shared).toFixed(0)} % of the writers shared a flush, without one `
    + `${(100 * halved).toFixed(0)} %. Where a flush takes ${EMULATED_MS} ms, ${gains.join('; ')}.`;
}
