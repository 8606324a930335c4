// Chapter 5: a sample of transfers.
import { randomNumbers } from '../../statistics.js';

/** Returns transfers with a window of 4 MB, over a path of 400 Mbit/s. */
export function sample() {
  const random = randomNumbers();
  const rows = [5, 10, 20, 30, 45, 60, 80, 100, 120, 150, 180, 220, 260, 300].map((rtt_ms) => {
    const rate_mbps = Math.min(400, 32_000 / rtt_ms) * (0.97 + 0.06 * random());
    return `${rtt_ms},${rate_mbps.toFixed(1)}`;
  });
  return ['rtt_ms,throughput_mbps', ...rows];
}
