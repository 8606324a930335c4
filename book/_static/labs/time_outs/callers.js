// Callers whose batches first ask a black hole, with real time-outs, and then commit. As
// tunables/measure/black_hole.py has them; all times are in real milliseconds.
import { Flusher, Pool, sleep } from './shared.js';

/**
 * @typedef {{ timeout_ms: number, retries: number, delay_ms: number, commits: number, work_ms: number,
 *   think_ms: number, callers: number, threads: number, batches: number }} Settings
 */

/** @param {number} mean_ms of an exponential time */
function drawn(mean_ms) {
  return -mean_ms * Math.log(1 - Math.random());
}

export class Callers {
  /** @param {MessagePort} hole */
  constructor(hole) {
    this.hole = hole;
    this.attempts = 0;
  }

  /**
   * One request: it ends with an answer, or is given up when its time is out.
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
    const flusher = new Flusher(settings.delay_ms);
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
          await sleep(drawn(settings.work_ms / settings.commits));
          await flusher.commit();
        }
        pool.leave();
        ended_ms = performance.now() - begun;
        responses_ms.push(ended_ms + begun - asked);
        tell(responses_ms.length);
        await sleep(drawn(settings.think_ms));
      }
    };
    await Promise.all(Array.from({ length: settings.callers }, caller));
    return { responses_ms, ended_ms, attempts: this.attempts - before };
  }
}
