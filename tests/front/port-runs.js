// Runs of chapter 4's own kernel, as its stage gets them.
import { builtKernels } from './built.js';

const US = 1e6, SECONDS = 3, PACKETS = [3, 8, 15], RATE = 2e8;
export const WINDOW = 16;
const kernels = builtKernels('flow_priority');

/** The run of the chapter's own kernel.
 * @param {number} ahead @param {number} watched @param {number} gap @returns {PortColumns} */
function run(ahead, watched, gap) {
  const sizes = [2, 2, 2, 18e3, 64e3, 128e3, 4, (2 * RATE * SECONDS) / 8 / 4];
  const rest = [61, 0.1, 0.5, RATE, ahead, gap, 8948, WINDOW, 20e6, 10_000, 5000];
  const columns = kernels.call('stage_experiment.trace', [1, ...sizes, ...rest]);
  const kept = columns.map((column) => Array.from(/** @type {Float64Array} */ (column), Number));
  const count = kept[0].filter((came) => came < SECONDS).length;
  const whole = (/** @type {number[]} */ times) => times.slice(0, count).map((time) => Math.floor(US * time + 0.5));
  const [came, onWire, left] = kept.slice(0, 3).map(whole);
  return {
    watched, ahead, users: 6, packets: PACKETS[watched >> 1], gap: `${gap * 1000} ms`, end: US * SECONDS,
    formula: gap < 0.045 ? null : 31.247,
    offered: came.map((time, n) => time - (came[n - 1] ?? 0)),
    waits: onWire.map((time, n) => time - came[n]),
    takes: left.map((time, n) => time - onWire[n]),
    user: kept[3].slice(0, count), number: kept[5].slice(0, count), lane: kept[6].slice(0, count),
  };
}

export const runs = [
  run(14, 4, 0.045), run(15, 4, 0.045), run(0, 5, 0.045), run(5, 2, 0.045), run(20, 0, 0.045), run(14, 4, 0.015),
];
