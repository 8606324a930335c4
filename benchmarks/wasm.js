// Tells the server how long each case of each folder takes: {folder: [[entry, milliseconds]]}.
import { Kernels } from './kernels.js';
import { values } from './compare.js';
import { tellOfEach } from './each-folder.js';

const LEAST_MS = 600, LEAST_CALLS = 5;

/** The kernel alone, without the copies of its arguments. */
function measure(kernels, entry, one, blob) {
  const run = kernels.wasm[entry], times = [];
  kernels.wasm = { ...kernels.wasm, [entry]: (place) => {
    const start = performance.now();
    const status = run(place);
    times.push(performance.now() - start);
    return status;
  } };
  const end = performance.now() + LEAST_MS;
  while (times.length < LEAST_CALLS || performance.now() < end) {
    kernels.call(entry, values(kernels, one, blob));
  }
  // The engine optimises late, and its clock is coarse: a mean of the later half.
  const later = times.slice(times.length >> 1);
  return later.reduce((sum, time) => sum + time, 0) / later.length;
}

await tellOfEach((module, table, cases, blob) => (
  cases.map((one) => [one.entry, measure(new Kernels(module, table.entries), one.entry, one, blob)])));
