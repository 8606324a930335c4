// What callers share: the threads of a server, and the flusher of its log.

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export class Pool {
  /** @param {number} threads */
  constructor(threads) {
    this.free = threads;
    /** @type {(() => void)[]} */
    this.queue = [];
  }

  /** @returns {Promise<void> | void} when there is a thread */
  enter() {
    if (!this.free) return new Promise((resolve) => this.queue.push(resolve));
    this.free -= 1;
  }

  leave() {
    const next = this.queue.shift();
    if (next) next(); // who waits has the thread at once
    else this.free += 1;
  }
}

// Who commits first waits for the delay; who comes meanwhile shares the flush.
export class Flusher {
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
