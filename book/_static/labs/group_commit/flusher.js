// Who flushes: owns a file of the page's private file system, and blocks while it is flushed.

const RECORD_BYTES = 200;
const ALONE = 220; // flushes, one after the other
const WARMING = 20; // of them, which are not counted
const FULL = 'the browser lets this site store no more: make room on the disk, or empty the site’s storage, '
  + 'and run it again';

export class Flusher {
  constructor() {
    /** @type {any} */
    this.file = null; // a FileSystemSyncAccessHandle, if there is one
    this.at = 0;
    this.clock = nap();
  }

  /**
   * Resolves to the mean time of a flush, or to why there is no file to flush.
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
   * Writes so many records and makes them durable. Returns the flush's time.
   * @param {number} records
   * @param {number} emulated_ms added by sleeping, in place of a slow device
   */
  commit(records, emulated_ms) {
    if (this.file) this.at += written(this.file, new Uint8Array(records * RECORD_BYTES), this.at);
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
function written(file, records, at) {
  try {
    return file.write(records, { at });
  } catch (error) {
    throw /** @type {Error} */ (error).name === 'QuotaExceededError' ? new Error(FULL) : error;
  }
}

// How this thread sleeps: by a lock that nobody opens. Where there is no shared memory it spins.
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
