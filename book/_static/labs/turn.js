// One run of a lab in the page. Whatever it starts ends with it: workers, the law's engine, files.

/** Why a lab cannot go on: the reader stopped it, or the browser lacks something. */
export class Ended extends Error {}

/** @param {string} packed gzipped, as base64 */
async function unpacked(packed) {
  if (!packed) return new ArrayBuffer(0);
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

const GONE = 'The browser ended the lab’s worker, perhaps for want of memory. Close other tabs and run it again.';

/** @param {string | undefined} message of an error that nobody caught */
export function brokeDown(message) {
  const why = (message ?? '').replace(/^(Uncaught )?(Error: )?/, '');
  return `The lab broke down (${why || 'no reason given'}).`;
}

export class Turn {
  /**
   * @param {string} lab
   * @param {LabTools} tools
   */
  constructor(lab, tools) {
    this.lab = lab;
    this.tools = tools;
    /** @type {(() => unknown)[]} */
    this.undoing = [];
    /** @type {LawTalk | null} */
    this.talk = null;
    /** @type {Promise<never>} */
    this.stopped = new Promise((_, reject) => {
      this.stop = (/** @type {string} */ why) => reject(new Ended(why));
    });
    this.stopped.catch(() => {}); // nobody may wait for it
  }

  /**
   * Resolves as the work does, unless the turn is stopped first.
   * @template T
   * @param {Promise<T>} work
   * @returns {Promise<T>}
   */
  until(work) {
    return Promise.race([this.stopped, work]);
  }

  /** @param {() => unknown} act when the turn ends, however it ends */
  finally(act) {
    this.undoing.push(act);
  }

  async end() {
    this.stop('The run is over.');
    const undoing = this.undoing.splice(0).reverse();
    for (const act of undoing) await Promise.resolve().then(act).catch(() => {});
  }

  /**
   * Asks the lab's Python, tunables/page/labs/LAB.py.
   * @param {string} call the function
   * @param {object} given its arguments
   */
  async law(call, given) {
    if (!this.talk) {
      const talk = this.tools.law();
      this.talk = talk;
      this.finally(() => talk.end('was ended with the lab'));
    }
    const reply = await this.until(this.talk.ask({ call, given }));
    if ('refusal' in reply) throw new Ended(reply.refusal);
    return reply.answer;
  }

  // Resolves to the lab's own worker, labs/LAB/worker.js, and the WebAssembly that came with it.
  async worker() {
    if (!globalThis.Worker || !globalThis.DecompressionStream) {
      throw new Ended('This browser is too old to run the lab: it lacks workers, or DecompressionStream.');
    }
    await this.until(this.tools.loadScript(`vendor/labs/${this.lab}-worker.js`));
    const { script, wasm } = tunablesPacks[this.lab];
    const parts = await this.until(Promise.all([script, wasm ?? ''].map(unpacked)));
    const address = URL.createObjectURL(new Blob([parts[0]], { type: 'text/javascript' }));
    const worker = new Worker(address);
    // Also between two questions, and where a worker talks to another.
    worker.onerror = ({ message }) => this.stop(brokeDown(message));
    this.finally(() => {
      worker.terminate();
      URL.revokeObjectURL(address);
    });
    await this.watch(worker);
    return { worker, wasm: parts[1] };
  }

  /**
   * Stops the turn if the browser ends a worker, of which it says nothing.
   * @param {Worker} worker
   */
  async watch(worker) {
    const lock = `tunables-worker-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
    await this.ask(worker, { live: lock });
    // Where there are no locks, as in a page from disk, nobody tells.
    navigator.locks?.request(lock, () => this.stop(GONE)).catch(() => {});
  }

  /**
   * Has a worker do something: `serve` in work.js answers there, one question at a time.
   * @param {Worker} worker
   * @param {object} asked
   * @param {{ heard?: (told: any) => unknown, transfer?: Transferable[] }} [how] heard: what it says on the way
   * @returns {Promise<any>} what it ends with
   */
  ask(worker, asked, { heard = () => {}, transfer = [] } = {}) {
    return this.until(new Promise((resolve, reject) => {
      /** @type {Promise<unknown>} */
      let last = Promise.resolve(); // one after the other, and the end behind all
      worker.onmessage = ({ data: { told, done, failure } }) => {
        if (failure !== undefined) reject(new Ended(failure));
        else if (told !== undefined) last = last.then(() => heard(told));
        else last.then(() => resolve(done), reject);
      };
      worker.postMessage(asked, transfer);
    }));
  }

  /**
   * Has the lab's own worker do something.
   * @param {object} asked
   * @param {(told: any) => unknown} heard
   * @returns {Promise<any>}
   */
  async work(asked, heard) {
    const { worker, wasm } = await this.worker();
    return this.ask(worker, { ...asked, wasm }, { heard });
  }
}
