// Chapter 6: a sample of what a daemon prints about its work queue.
import { randomNumbers } from '../../statistics.js';

const ITEMS = 240_000;
const QUANTUM_S = 0.01;
const COST_S = 0.0003; // per item, on average
const GROWTH = 2; // the rule of April 2005

/**
 * @typedef {object} Queue
 * @property {number} items done
 * @property {number} runs
 * @property {number} best
 * @property {number} granularity
 * @property {number} wall_s
 * @property {number} longest_s
 */

/**
 * Simulates a run: items until the quantum has passed, which is checked once per granularity.
 * @param {Queue} queue
 * @param {() => number} random
 */
function run(queue, random) {
  let [cycles, run_s] = [0, 0];
  while (run_s <= QUANTUM_S || cycles % queue.granularity) {
    run_s -= COST_S * Math.log(random());
    cycles += 1;
  }
  queue.items += cycles;
  queue.runs += 1;
  queue.wall_s += run_s;
  queue.best = Math.max(queue.best, cycles);
  queue.longest_s = Math.max(queue.longest_s, run_s);
  if (cycles > GROWTH * queue.granularity) queue.granularity += GROWTH;
}

/** @param {Queue} queue */
function printout({ items, runs, best, granularity, wall_s, longest_s }) {
  const waiting = Math.max(ITEMS - items, 0);
  const times = [wall_s / runs, longest_s, wall_s / runs, longest_s].map((s) => Math.floor(1e6 * s));
  return [
    'bgpd# show work-queues',
    'Items  Delay  Hold  Total  Best  Gran.  Avg. Name',
    [waiting, 0, 100, runs, best, granularity, Math.floor(items / runs), 'clear_route_node'].join(' '),
    'bgpd# show thread cpu',
    'Runtime(ms)  Invoked Avg uSec Max uSecs Avg uSec Max uSecs  Type  Thread',
    [(1000 * wall_s).toFixed(3), runs, ...times, 'B', 'work_queue_run'].join(' '),
  ];
}

export function sample() {
  const random = randomNumbers();
  const queue = { items: 0, runs: 0, best: 0, granularity: 1, wall_s: 0, longest_s: 0 };
  return [0.1, 0.4, 0.7, 1].flatMap((share) => {
    while (queue.items < ITEMS * share) run(queue, random);
    return printout(queue);
  });
}
