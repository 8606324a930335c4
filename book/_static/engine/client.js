// How a part of the page asks the book's Python, in the page's engine or a notebook's kernel.
import { button, element } from '../dom.js';

const SILENCE_S = 20; // the longest silence while a question waits; the slowest answer takes a second

export class EngineError extends Error {
  /**
   * @param {string} engine
   * @param {string} what
   * @param {boolean} ended whether the engine was ended, so that asking again starts another
   */
  constructor(engine, what, ended) {
    super(`The ${engine} ${what}.`);
    this.ended = ended;
  }
}

/** The questions that wait for an answer, by number, and a watch on the silence of the engine. */
export class PendingRequests {
  /**
   * @param {string} engine its name for the reader
   * @param {(what: string) => void} giveUp called when no answer comes
   */
  constructor(engine, giveUp) {
    this.engine = engine;
    this.giveUp = giveUp;
    /** @type {Map<number, { resolve: (reply: object) => void, reject: (error: EngineError) => void }>} */
    this.waiting = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.watching = undefined;
  }

  /**
   * @param {number} question
   * @returns {Promise<object>}
   */
  reply(question) {
    return new Promise((resolve, reject) => this.waiting.set(question, { resolve, reject }));
  }

  /**
   * Gives up unless this is called again in time.
   * @param {number} patience_s
   * @param {string} what
   */
  watch(patience_s, what) {
    clearTimeout(this.watching);
    this.watching = setTimeout(() => this.giveUp(what), patience_s * 1000);
  }

  watchSilence() {
    clearTimeout(this.watching);
    if (this.waiting.size) this.watch(SILENCE_S, `gave no answer within ${SILENCE_S} s`);
  }

  /**
   * Passes an answer on; returns whether its question still waited.
   * @param {Message} message
   */
  settle({ question, reply, failure }) {
    const request = this.waiting.get(question ?? -1);
    this.waiting.delete(question ?? -1);
    if (reply) request?.resolve(reply);
    else request?.reject(new EngineError(this.engine, failure ?? 'said nothing', false));
    return !!request;
  }

  /** @param {string} what happened to the engine */
  end(what) {
    clearTimeout(this.watching);
    for (const { reject } of this.waiting.values()) reject(new EngineError(this.engine, what, true));
    this.waiting.clear();
  }
}

// A client says that it waits, or what failed, and offers a button that restarts the engine. Every client has a
// note, so no part of the page fails in silence.

const PATIENCE_MS = 500; // until the reader is told to wait

/** @typedef {{ note: HTMLElement, retried: boolean, sayWaiting: () => void, again: () => unknown }} Failed */

/** @type {Set<Failed>} */
const failed = new Set(); // clients whose engine ended or kept silent

/**
 * Failed clients ask again, of those that share the engine.
 * @param {Failed[]} clients
 * @param {HTMLElement} [note] takes the focus, if the button that was pressed is gone
 */
function repeat(clients, note) {
  for (const client of clients) failed.delete(client);
  clients.forEach((client) => client.sayWaiting());
  note?.focus();
  clients.forEach((client) => client.again());
}

/**
 * The failed clients ask again by themselves, since their engine answers after all: each once, so that a question
 * that always takes too long isn't asked without end.
 */
export function askAgain() {
  const clients = [...failed].filter(({ retried }) => !retried);
  for (const client of clients) client.retried = true;
  repeat(clients);
}

/** @template {Module} M */
export class Client {
  /**
   * @param {{ engine: Host['engine'], session: EngineSession<M> }} source
   * @param {Element} above the note is placed after it
   * @param {string} advice says what the reader has without an engine
   * @param {() => unknown} again repeats the question that failed
   */
  constructor({ engine, session }, above, advice, again) {
    this.engine = engine;
    this.session = session;
    this.advice = advice;
    this.again = again;
    this.retried = false;
    this.note = element('p', { class: 'engine-note', role: 'status', tabindex: -1 });
    above.after(this.note);
  }

  /** @param {string} words */
  say(words) {
    this.note.textContent = words;
  }

  // A focused note is not emptied, so that the reader keeps their place; and no note is announced twice.
  rest() {
    const words = this.note.matches(':focus') ? `The ${this.engine.name} is running.` : '';
    if (this.note.textContent !== words) this.say(words);
  }

  sayWaiting() {
    this.say(`${this.engine.isUp() ? 'Waiting for' : 'Starting'} the ${this.engine.name}.`);
  }

  /**
   * Resolves to the reply, or to undefined if the question failed; the note then says why.
   * @param {RequestOf<M>} request
   */
  async ask(request) {
    const waits = setTimeout(() => this.sayWaiting(), PATIENCE_MS);
    try {
      const reply = await this.session.ask(request);
      failed.delete(this);
      this.retried = false;
      this.rest();
      return reply;
    } catch (error) {
      this.tell(error);
      return undefined;
    } finally {
      clearTimeout(waits);
    }
  }

  /** @param {unknown} error */
  tell(error) {
    this.say(`${error instanceof Error ? error.message : error} ${this.advice} ${this.engine.hint}`);
    if (!(/** @type {Partial<EngineError>} */ (error).ended)) return; // the error may come from another bundle
    failed.add(this);
    this.note.append(button(this.engine.again, () => repeat([...failed], this.note)));
  }
}

/**
 * Asks one question at a time. Of the questions that come meanwhile, only the latest is asked.
 * @template Request, Reply
 */
export class LatestOnly {
  /**
   * @param {{ ask: (request: Request) => Promise<Reply | undefined> }} client
   * @param {(request: Request, reply: Reply) => void} answer
   */
  constructor(client, answer) {
    this.client = client;
    this.answer = answer;
    /** @type {Request | null} */
    this.current = null;
    /** @type {Request | null} */
    this.next = null;
    this.took_ms = 0;
  }

  /** @param {Request} request */
  async ask(request) {
    if (this.current) {
      this.next = request;
      return;
    }
    this.current = request;
    this.next = null;
    const begun_ms = performance.now();
    const reply = await this.client.ask(request);
    this.current = null;
    this.took_ms = performance.now() - begun_ms;
    if (reply) this.answer(request, reply);
    if (this.next) this.ask(this.next);
  }
}
