// Lab 2's two workers, joined by a port: the callers, and a black hole. Each caller's batches first ask the black hole,
// with real timeouts, and then commit, as in tunables/lab/black_hole.py. All times are in real milliseconds.
import { serve } from '../serve.js';

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The threads of a server. */
class Pool {
  /** @param {number} threads */
  constructor(threads) {
    this.free = threads;
    /** @type {(() => void)[]} */
    this.queue = [];
  }

  /** @returns {Promise<void> | void} resolved when there is a thread */
  enter() {
    if (!this.free) return new Promise((resolve) => this.queue.push(resolve));
    this.free -= 1;
  }

  leave() {
    const next = this.queue.shift();
    if (next) next(); // the next caller gets the thread at once
    else this.free += 1;
  }
}

// The flusher of a log. The first commit waits for the delay; commits that come meanwhile share the flush.
class GroupFlush {
  /** @param {number} delay_ms */
  constructor(delay_ms) {
    this.delay_ms = delay_ms;
    /** @type {Promise<void> | null} */
    this.gathering = null;
  }

  commit() {
    this.gathering ??= sleep(this.delay_ms).then(() => {
      this.gathering = null;
    });
    return this.gathering;
  }
}

/**
 * @typedef {{ timeout_ms: number, retries: number, delay_ms: number, commits: number, work_ms: number,
 *   think_ms: number, callers: number, threads: number, batches: number }} Settings
 */

/** Draws an exponential time. @param {number} mean_ms */
function exponential(mean_ms) {
  return -mean_ms * Math.log(1 - Math.random());
}

class Callers {
  /** @param {MessagePort} hole */
  constructor(hole) {
    this.hole = hole;
    this.attempts = 0;
  }

  /**
   * Sends a request, which ends with an answer or at the timeout.
   * @param {number} timeout_ms
   * @returns {Promise<boolean>} whether there was an answer
   */
  attempt(timeout_ms) {
    const { port1, port2 } = new MessageChannel();
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeout_ms);
    this.attempts += 1;
    return new Promise((resolve) => {
      /** @param {boolean} answered */
      const end = (answered) => {
        clearTimeout(timer);
        port1.close();
        resolve(answered);
      };
      controller.signal.addEventListener('abort', () => end(false), { once: true });
      port1.onmessage = () => end(true);
      this.hole.postMessage('Who has this lease?', [port2]);
    });
  }

  /** @param {Settings} settings */
  async leaseQuery({ timeout_ms, retries }) {
    for (let attempt = 0; attempt <= retries; attempt += 1) {
      if (await this.attempt(timeout_ms)) return;
    }
  }

  /**
   * @param {Settings} settings
   * @param {(ended: number) => void} tell
   */
  async run(settings, tell) {
    const pool = new Pool(settings.threads);
    const flusher = new GroupFlush(settings.delay_ms);
    /** @type {number[]} */
    const responses_ms = [];
    const before = this.attempts;
    const begun = performance.now();
    let left = settings.batches, ended_ms = 0;
    const caller = async () => {
      while (left > 0) {
        left -= 1;
        const asked = performance.now();
        await pool.enter();
        await this.leaseQuery(settings);
        for (let commit = 0; commit < settings.commits; commit += 1) {
          await sleep(exponential(settings.work_ms / settings.commits));
          await flusher.commit();
        }
        pool.leave();
        ended_ms = performance.now() - begun;
        responses_ms.push(ended_ms + begun - asked);
        tell(responses_ms.length);
        await sleep(exponential(settings.think_ms));
      }
    };
    await Promise.all(Array.from({ length: settings.callers }, caller));
    return { responses_ms, ended_ms, attempts: this.attempts - before };
  }
}

let swallowed = 0;
/** @type {Callers} */
let callers;

/** @type {Record<string, (request: any, tell: (note: any) => void) => unknown>} */
const ACTIONS = {
  /** @param {{ port: MessagePort }} request of the black hole; each query comes with a port for its answer */
  swallow({ port }) {
    port.onmessage = () => {
      swallowed += 1; // and never answers
    };
  },
  swallowed: () => swallowed,
  join({ port }) {
    callers = new Callers(port);
  },
  run: (settings, tell) => callers.run(settings, tell),
};

serve(async ({ action, ...request }, tell) => ACTIONS[action](request, tell));
