// Lab 1's two workers, joined by a port: one flushes, in the other the writers commit. They need two threads, because
// nobody can commit on a thread that a flush blocks.
import { serve } from '../serve.js';

const RECORD_BYTES = 200;
const ALONE = 220; // flushes of one record each, one after the other
const WARMING = 20; // the first of these, which are not counted
const FULL = 'the browser won’t let this site store any more data: free some disk space, or clear this site’s storage, '
  + 'and run the lab again';

/** Owns a file of the page's private file system, and blocks while it is flushed. */
class Flusher {
  constructor() {
    /** @type {any} */
    this.file = null; // a FileSystemSyncAccessHandle
    this.at = 0;
    this.clock = nap();
  }

  /**
   * Resolves to the mean time of a flush, or to the reason why there is no file.
   * @param {string} name
   */
  async open(name) {
    try {
      const folder = await navigator.storage.getDirectory();
      const file = await folder.getFileHandle(name, { create: true });
      this.file = await /** @type {any} */ (file).createSyncAccessHandle();
    } catch (error) {
      return { lacks: String(/** @type {Error} */ (error).name) };
    }
    const times_ms = Array.from({ length: ALONE }, () => this.commit(1, 0)).slice(WARMING);
    return { flush_ms: times_ms.reduce((sum, time) => sum + time) / times_ms.length };
  }

  /**
   * Writes n records and makes them durable; returns the flush's time.
   * @param {number} records
   * @param {number} emulated_ms added by sleeping, to emulate a slow device
   */
  commit(records, emulated_ms) {
    if (this.file) this.at += writeRecords(this.file, new Uint8Array(records * RECORD_BYTES), this.at);
    const begun = performance.now();
    this.file?.flush();
    if (emulated_ms) this.clock(emulated_ms);
    return performance.now() - begun;
  }

  /** @param {MessagePort} port to the writers */
  serve(port) {
    port.onmessage = ({ data: { records, last, emulated_ms } }) => {
      port.postMessage({ durable: last, took_ms: this.commit(records, emulated_ms) });
    };
  }

  close() {
    this.file?.close();
  }
}

/**
 * @param {any} file
 * @param {Uint8Array} records
 * @param {number} at
 * @returns {number} bytes
 */
function writeRecords(file, records, at) {
  try {
    return file.write(records, { at });
  } catch (error) {
    throw /** @type {Error} */ (error).name === 'QuotaExceededError' ? new Error(FULL) : error;
  }
}

// Returns a function that makes this thread sleep, with a lock that nobody opens. Without shared memory it spins.
function nap() {
  /** @type {(end: number) => void} */
  const spin = (end) => {
    while (performance.now() < end);
  };
  try {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const lock = new Int32Array(memory.buffer);
    return (/** @type {number} */ time_ms) => {
      const end = performance.now() + time_ms;
      Atomics.wait(lock, 0, 0, time_ms);
      spin(end);
    };
  } catch {
    return (/** @type {number} */ time_ms) => spin(performance.now() + time_ms);
  }
}

const SHORTEST_TIMER_MS = 4; // the leader spins for shorter waits
const EARLY_MS = 2; // a longer wait ends with so much spinning

/** Writers whose commits share flushes; each commits again as soon as its commit is durable. */
class Writers {
  /** @param {MessagePort} port to the flusher */
  constructor(port) {
    this.port = port;
    port.onmessage = ({ data }) => this.receive(data);
    /** @type {{ number: number, resolve: () => void }[]} */
    this.waiting = []; // commits that are not durable yet
    this.drawn = 0; // commits begun so far
    this.taken = 0; // commits sent to the flusher so far
    this.leading = false;
    this.waited_ms = 0; // before the present flush
    this.settings = { delay_ms: 0, emulated_ms: 0 };
    this.counts = zeroCounts();
  }

  /** @returns {Promise<void>} resolved when the commit is durable */
  commit() {
    return new Promise((resolve) => {
      this.waiting.push({ number: this.drawn += 1, resolve });
      if (!this.leading) this.lead();
    });
  }

  // The leader waits for other commits, and then has all waiting commits flushed.
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
    else afterReleased(finish);
  }

  take() {
    const { emulated_ms } = this.settings;
    this.sent = performance.now();
    this.port.postMessage({ records: this.drawn - this.taken, last: this.drawn, emulated_ms });
    this.taken = this.drawn;
  }

  /** @param {{ durable: number, took_ms: number }} flush */
  receive({ durable, took_ms: took }) {
    this.leading = false;
    const released = this.waiting.filter(({ number }) => number <= durable);
    this.waiting = this.waiting.filter(({ number }) => number > durable);
    this.count(released.length, took);
    // A writer that waited through the flush leads at once. If the released ones came back first, all would share.
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
   * Runs n writers for some time. Returns what was done by the end of the last flush, and means per flush.
   * @param {{ writers: number, delay_ms: number, emulated_ms: number, time_ms: number }} settings
   */
  async run({ writers, time_ms: time, ...settings }) {
    this.settings = settings;
    this.counts = zeroCounts();
    let going = true;
    const begun = performance.now();
    const writer = async () => {
      while (going) await this.commit();
    };
    const all = Array.from({ length: writers }, writer);
    await new Promise((resolve) => setTimeout(resolve, time));
    const { commits, flushes, ended_ms, ...times } = this.counts;
    const result = { commits, flushes, seconds: (ended_ms - begun) / 1000, ...perFlush(times, flushes) };
    going = false;
    await Promise.all(all);
    return result;
  }
}

function zeroCounts() {
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

/** @param {() => void} act called after the writers that the last flush released */
function afterReleased(act) {
  queueMicrotask(() => queueMicrotask(act));
}

const flusher = new Flusher();
/** @type {Writers} */
let writers;

/** @type {Record<string, (request: any) => unknown>} */
const ACTIONS = {
  open({ name, port }) {
    flusher.serve(port);
    return flusher.open(name);
  },
  close: () => flusher.close(),
  join({ port }) {
    writers = new Writers(port);
  },
  run: (settings) => writers.run(settings),
};

serve(async ({ action, ...request }) => ACTIONS[action](request));
