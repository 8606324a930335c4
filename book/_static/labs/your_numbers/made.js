// Numbers to try the lab with: for each chapter some that its model fits, with chance added.

import { printouts } from './daemon.js';
import { shared } from './flows.js';

const PRIME = 2 ** 31 - 1;
const TRACE = { requests: 1_000_000, scanned: 30_000, others: 20_000, share: 0.6 };
const LATENCIES = { requests: 60_000, timeout_s: 0.5, retries: 3, failure: 0.2 };

/** Numbers between 0 and 1, always the same: Park and Miller. */
function draws() {
  let state = 7;
  return () => {
    state = state * 48271 % PRIME; // no product is rounded
    return state / PRIME;
  };
}

/** A scan among independent requests. */
function trace() {
  const { requests, scanned, others, share } = TRACE;
  const random = draws();
  let last = 0;
  const rows = Array.from({ length: requests }, () => {
    if (random() >= share) return `page${Math.floor(others * random() ** 3)}`;
    last = (last + 1) % scanned;
    return `scan${last}`;
  });
  return ['key', ...rows];
}

/** Requests whose attempts fail one by one. */
function latencies() {
  const { requests, timeout_s, retries, failure } = LATENCIES;
  const random = draws();
  const rows = Array.from({ length: requests }, () => {
    let failed = 0;
    while (failed <= retries && random() < failure) failed += 1;
    const reply_s = failed <= retries ? 0.02 + 0.06 * random() : 0;
    return `${(failed * timeout_s + reply_s).toFixed(4)},${timeout_s},${retries}`;
  });
  return ['latency_s,timeout_s,retries', ...rows];
}

/** Commits that share their flushes: D + 4 ms, or two flushes without a delay. */
function commits() {
  const random = draws();
  const rows = [0, 2, 5, 10, 25].flatMap((delay_ms) => [2, 4, 8, 16].map((clients) => {
    const response_ms = (delay_ms ? delay_ms + 4 : 8) * (0.95 + 0.1 * random());
    const throughput = 1000 * clients / (response_ms + 0.9 + 0.2 * random());
    return `${clients},${delay_ms},${response_ms.toFixed(2)},${throughput.toFixed(1)}`;
  }));
  return ['clients,delay_ms,response_ms,throughput_per_s', ...rows];
}

/** Flows on a port of 100 Mbit/s, at nine loads. */
function flows() {
  const random = draws();
  /** @type {number[]} */
  const starts = [];
  /** @type {number[]} */
  const sizes = [];
  let now = 0;
  for (const load of [0.2, 0.5, 0.7, 0.3, 0.75, 0.4, 0.6, 0.25, 0.55]) {
    for (let flow = 0; flow < 1000; flow += 1) {
      now -= 0.02 * Math.log(random()) / load;
      starts.push(now);
      sizes.push(Math.round(100_000 * -Math.log(random()) * (random() < 0.3 ? 6 : 1)));
    }
  }
  const ends = shared(starts, sizes.map((bytes) => 8 * (bytes + 1) / 100e6));
  const rows = starts.map((start, flow) => {
    return `${start.toFixed(4)},${sizes[flow] + 1},${(ends[flow] - start + 0.005).toFixed(5)}`;
  });
  return ['start_s,size_bytes,duration_s', ...rows];
}

/** Transfers with a window of 4 MB, over a path of 400 Mbit/s. */
function transfers() {
  const random = draws();
  const rows = [5, 10, 20, 30, 45, 60, 80, 100, 120, 150, 180, 220, 260, 300].map((rtt_ms) => {
    const rate_mbps = Math.min(400, 32_000 / rtt_ms) * (0.97 + 0.06 * random());
    return `${rtt_ms},${rate_mbps.toFixed(1)}`;
  });
  return ['rtt_ms,throughput_mbps', ...rows];
}

/** @type {Record<string, () => string[]>} lines, by the chapter */
const MADE = {
  group_commit: commits,
  time_outs: latencies,
  cache_cliff: trace,
  flow_priority: flows,
  replication: transfers,
  work_queues: () => printouts(draws()),
};

/** @param {string} chapter */
export function made(chapter) {
  return new Blob([MADE[chapter]().join('\n'), '\n']);
}
