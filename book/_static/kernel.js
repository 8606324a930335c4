// A notebook as the place where a live part stands: the kernel answers, and keeps what a page
// keeps in its address. Here `tunables.reader.live.Live` is spoken to.
import { Questions } from './questions.js';

const KERNEL = 'Jupyter kernel';
const FAR = 2 ** 40;

/**
 * The charts' library is large, and every widget has scripts of its own: one fetches it for all.
 * @param {(asset: string) => Promise<object>} fetchAsset
 * @returns {Promise<Vega>}
 */
async function loadVega(fetchAsset) {
  const { text } = /** @type {{ text: string }} */ (await fetchAsset('vega.js'));
  return import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
}

/** @implements {Entries} */
class Kept {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.writing = false;
  }

  /** @param {string} prefix */
  readEntries(prefix) {
    const entries = Object.entries(this.model.get('entries')).filter(([key]) => key.startsWith(`${prefix}.`));
    return entries.map(([key, value]) => /** @type {[string, string]} */ ([key.slice(prefix.length + 1), `${value}`]));
  }

  /** @param {string} key */
  readEntry(key) {
    const value = this.model.get('entries')[key];
    return value === undefined ? null : `${value}`;
  }

  /** @param {Record<string, Value | null>} changes */
  writeEntries(changes) {
    const entries = { ...this.model.get('entries'), ...changes };
    for (const key of Object.keys(entries)) if (entries[key] === null) delete entries[key];
    this.writing = true;
    this.model.set('entries', /** @type {Traits['entries']} */ (entries));
    this.writing = false;
    this.model.save_changes();
  }
}

/** @implements {Host} */
export class Kernel {
  /**
   * @param {Model} model
   * @param {AbortSignal} signal that the view is gone
   */
  constructor(model, signal) {
    this.model = model;
    this.signal = signal;
    this.engine = { name: KERNEL, again: 'Ask it again', hint: 'It may be busy, or gone.', isUp: () => true };
    this.entries = new Kept(model);
    this.prints = false;
    // A model may be shown twice, or in two browsers: each hears the answers to the other.
    this.asked = Math.floor(Math.random() * FAR);
    this.questions = new Questions(KERNEL, (what) => this.questions.end(what));
    this.on('msg:custom', (/** @type {Heard} */ heard) => {
      this.questions.settle(heard);
      this.questions.watchSilence();
    });
  }

  /**
   * @param {string} event
   * @param {(heard: any) => void} act
   */
  on(event, act) {
    this.model.on(event, act);
    this.signal.addEventListener('abort', () => this.model.off(event, act));
  }

  /** @param {{ request: object } | { asset: string }} message */
  ask(message) {
    const question = this.asked += 1;
    const reply = this.questions.reply(question);
    this.questions.watchSilence();
    this.model.send({ question, ...message });
    return reply;
  }

  /**
   * The kernel knows which part it answers.
   * @template {Module} M
   * @returns {Talk<M>}
   */
  session() {
    return { ask: async (request) => /** @type {Replied<M>} */ (await this.ask({ request })) };
  }

  /**
   * The kernel simulates too. A run that it has begun when nobody waits any more it goes on with.
   * @returns {SimulationTalk}
   */
  simulation() {
    /** @type {Talk<'tunables.page.simulating'>} */
    const talk = this.session();
    return { ...talk, end() {} };
  }

  simulates() {
    return true;
  }

  /** @returns {Talk<'tunables.page.staging'>} */
  staging() {
    return this.session();
  }

  async vega() {
    globalThis.tunablesVega ??= loadVega((asset) => this.ask({ asset }));
    try {
      return await globalThis.tunablesVega;
    } catch (error) {
      globalThis.tunablesVega = undefined; // another try may succeed
      throw error;
    }
  }

  /** @param {Follower} follower */
  follow({ moved, told }) {
    this.on('change:entries', () => {
      if (!this.entries.writing) moved();
    });
    this.on('change:notice', () => told?.(this.model.get('notice')));
  }
}
