// A notebook as the host of live parts. Its kernel answers, and keeps the state that a page keeps in its URL: this
// talks to `tunables.views.live.Live`.
import { mountAudit } from '../audit/audit.js';
import { askAgain, PendingRequests } from './client.js';

const KERNEL = 'Jupyter kernel';
const FAR = 2 ** 40;

/**
 * The charts' library is large and every widget has its own scripts, so one widget fetches it for all.
 * @param {(asset: string) => Promise<object>} fetchAsset
 * @returns {Promise<Vega>}
 */
async function loadVega(fetchAsset) {
  const { text } = /** @type {{ text: string }} */ (await fetchAsset('vega.js'));
  return import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
}

/** @implements {UrlState} */
class NotebookState {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.writing = false;
  }

  /** @param {string} prefix */
  readAll(prefix) {
    const entries = Object.entries(this.model.get('entries')).filter(([key]) => key.startsWith(`${prefix}.`));
    return entries.map(([key, value]) => /** @type {[string, string]} */ ([key.slice(prefix.length + 1), `${value}`]));
  }

  /** @param {string} key */
  read(key) {
    const value = this.model.get('entries')[key];
    return value === undefined ? null : `${value}`;
  }

  /** @param {Record<string, Value | null>} changes */
  write(changes) {
    const entries = { ...this.model.get('entries'), ...changes };
    for (const key of Object.keys(entries)) if (entries[key] === null) delete entries[key];
    this.writing = true;
    this.model.set('entries', /** @type {Traits['entries']} */ (entries));
    this.writing = false;
    this.model.save_changes();
  }
}

/** @implements {Host} */
export class Notebook {
  /**
   * @param {Model} model
   * @param {AbortSignal} signal aborted when the view is gone
   */
  constructor(model, signal) {
    this.model = model;
    this.signal = signal;
    this.engine = { name: KERNEL, again: 'Try again', hint: 'It may be busy or have stopped.', isUp: () => true };
    this.urlState = new NotebookState(model);
    this.prints = false;
    // A model may be shown twice, or in two browsers, and each view receives the answers to the other.
    this.questions = Math.floor(Math.random() * FAR);
    const before = this.questions;
    this.pending = new PendingRequests(KERNEL, (reason) => this.pending.end(reason));
    this.on('msg:custom', (/** @type {Message} */ message) => {
      const { question = -1 } = message, ours = before < question && question <= this.questions;
      const late = !this.pending.settle(message) && ours; // the kernel was busy, with another cell perhaps
      this.pending.watchSilence();
      if (late) askAgain();
    });
  }

  /**
   * @param {string} event
   * @param {(value: any) => void} act
   */
  on(event, act) {
    this.model.on(event, act);
    this.signal.addEventListener('abort', () => this.model.off(event, act));
  }

  /** @param {{ request: object } | { asset: string }} message */
  ask(message) {
    const question = this.questions += 1;
    const reply = this.pending.reply(question);
    this.pending.watchSilence();
    try {
      this.model.send({ question, ...message });
    } catch { // the kernel was restarted, and what it knew of this part is gone
      this.pending.settle({ question, failure: 'no longer knows this widget. Run its cell again' });
      this.pending.watchSilence();
    }
    return reply;
  }

  /**
   * Opens a session. The kernel knows which part it answers.
   * @template {Module} M
   * @returns {EngineSession<M>}
   */
  session() {
    return { ask: async (request) => /** @type {ReplyOf<M>} */ (await this.ask({ request })) };
  }

  /**
   * Opens a session with a simulation. The kernel finishes a run that it has begun, even if nobody waits for it.
   * @returns {SimulationSession}
   */
  simulation() {
    /** @type {EngineSession<'tunables.page.simulation:SimulationSession'>} */
    const session = this.session();
    return { ...session, end() {} };
  }

  simulates() {
    return true;
  }

  /** @returns {EngineSession<'tunables.page.animation:AnimationSession'>} */
  animating() {
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

  async audit() {
    return mountAudit;
  }

  /** @param {Follower} follower */
  follow({ moved, notify }) {
    this.on('change:entries', () => {
      if (!this.urlState.writing) moved();
    });
    this.on('change:notice', () => notify?.(this.model.get('notice')));
  }
}
