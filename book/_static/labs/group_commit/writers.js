// Writers who commit, each again as soon as the commit is durable, and whose commits share flushes.
// They are on another thread than who flushes: nobody can commit on a thread that a flush blocks.

const SHORTEST_TIMER_MS = 4; // below it the leader spins
const EARLY_MS = 2; // of a longer wait, whose end the leader spins

export class Writers {
  /** @param {MessagePort} port to who flushes */
  constructor(port) {
    this.port = port;
    port.onmessage = ({ data }) => this.hear(data);
    /** @type {{ number: number, resolve: () => void }[]} */
    this.waiting = []; // commits that are not durable
    this.drawn = 0; // commits ever begun
    this.taken = 0; // of them, those that have gone to be flushed
    this.leading = false;
    this.waited_ms = 0; // before the flush that runs
    this.settings = { delay_ms: 0, emulated_ms: 0 };
    this.counts = none();
  }

  /** @returns {Promise<void>} when the commit is durable */
  commit() {
    return new Promise((resolve) => {
      this.waiting.push({ number: this.drawn += 1, resolve });
      if (!this.leading) this.lead();
    });
  }

  // The leader waits for company, and then has all who wait flushed.
  lead() {
    this.leading = true;
    this.waited_ms = 0;
    const { delay_ms: delay } = this.settings;
    const begun = performance.now();
    const finish = () => {
      while (performance.now() < begun + delay);
      this.waited_ms = performance.now() - begun;
      this.take();
    };
    if (!delay) this.take();
    else if (delay > SHORTEST_TIMER_MS) setTimeout(finish, delay - EARLY_MS);
    else afterTheReleased(finish);
  }

  take() {
    const { emulated_ms } = this.settings;
    this.sent = performance.now();
    this.port.postMessage({ records: this.drawn - this.taken, last: this.drawn, emulated_ms });
    this.taken = this.drawn;
  }

  /** @param {{ durable: number, took_ms: number }} told */
  hear({ durable, took_ms: took }) {
    this.leading = false;
    const released = this.waiting.filter(({ number }) => number <= durable);
    this.waiting = this.waiting.filter(({ number }) => number > durable);
    this.count(released.length, took);
    // Who waited through the flush leads at once: were the released back first, all would share.
    if (this.waiting.length) this.lead();
    for (const { resolve } of released) resolve();
  }

  /**
   * @param {number} commits
   * @param {number} flush_ms
   */
  count(commits, flush_ms) {
    const { counts } = this;
    counts.commits += commits;
    counts.flushes += 1;
    counts.waited_ms += this.waited_ms;
    counts.flush_ms += flush_ms;
    counts.ended_ms = performance.now();
    counts.hop_ms += counts.ended_ms - Number(this.sent) - flush_ms;
  }

  /**
   * So many writers for so long. Returns what was done by the end of the last flush, and means a flush.
   * @param {{ writers: number, delay_ms: number, emulated_ms: number, time_ms: number }} settings
   */
  async run({ writers, time_ms: time, ...settings }) {
    this.settings = settings;
    this.counts = none();
    let goOn = true;
    const begun = performance.now();
    const writer = async () => {
      while (goOn) await this.commit();
    };
    const all = Array.from({ length: writers }, writer);
    await new Promise((resolve) => setTimeout(resolve, time));
    const { commits, flushes, ended_ms, ...times } = this.counts;
    const told = { commits, flushes, seconds: (ended_ms - begun) / 1000, ...perFlush(times, flushes) };
    goOn = false;
    await Promise.all(all);
    return told;
  }
}

function none() {
  return { commits: 0, flushes: 0, ended_ms: 0, flush_ms: 0, hop_ms: 0, waited_ms: 0 };
}

/**
 * @param {Record<'flush_ms' | 'hop_ms' | 'waited_ms', number>} times
 * @param {number} flushes
 */
function perFlush({ flush_ms, hop_ms, waited_ms }, flushes) {
  const each = 1 / 1000 / flushes;
  return { flush_s: flush_ms * each, hop_s: hop_ms * each, delay_s: waited_ms * each };
}

/** @param {() => void} act after those whom the last flush released */
function afterTheReleased(act) {
  queueMicrotask(() => queueMicrotask(act));
}
