// How a part asks the engine: it says that it waits, or what failed, and offers a button that
// starts the engine again. One note for all parts, so that none is left in silence.
import { button, element } from './dom.js';
import { EngineError } from './questions.js';

const PATIENCE_MS = 500; // before the reader is told that there is a wait

/** @type {Set<{ note: HTMLElement, sayBegun: () => void, again: () => unknown }>} */
const failed = new Set(); // the askers whose engine ended

/**
 * All parts that failed ask again: they share the engine.
 * @param {HTMLElement} note of the part whose button was pressed, which is gone
 */
function startAgain(note) {
  const asking = [...failed];
  failed.clear();
  asking.forEach((asker) => asker.sayBegun());
  note.focus();
  asking.forEach((asker) => asker.again());
}

/** @template {Module} M */
export class Asker {
  /**
   * @param {{ engine: Host['engine'], talk: Talk<M> }} asked
   * @param {Element} above what the note stands behind
   * @param {string} advice what there is without an engine
   * @param {() => unknown} again asks once more what could not be answered
   */
  constructor({ engine, talk }, above, advice, again) {
    this.engine = engine;
    this.talk = talk;
    this.advice = advice;
    this.again = again;
    this.note = element('p', { class: 'engine-note', role: 'status', tabindex: -1 });
    above.after(this.note);
  }

  /** @param {string} words */
  say(words) {
    this.note.textContent = words;
  }

  // A note that has the focus is not taken away from under the reader, and nothing is said twice.
  rest() {
    const words = this.note.matches(':focus') ? `The ${this.engine.name} runs.` : '';
    if (this.note.textContent !== words) this.say(words);
  }

  sayBegun() {
    this.say(`${this.engine.isUp() ? 'Waiting for' : 'Starting'} the ${this.engine.name}.`);
  }

  /**
   * Resolves to the reply, or to nothing if it failed: then the reader has been told.
   * @param {Asked<M>} request
   */
  async ask(request) {
    const waits = setTimeout(() => this.sayBegun(), PATIENCE_MS);
    try {
      const reply = await this.talk.ask(request);
      failed.delete(this);
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
    if (!(error instanceof EngineError && error.ended)) return;
    failed.add(this);
    this.note.append(button(this.engine.again, () => startAgain(this.note)));
  }
}

/**
 * One question at a time; of those that come meanwhile only the newest is asked.
 * @template Request, Reply
 */
export class Latest {
  /**
   * @param {{ ask: (request: Request) => Promise<Reply | undefined> }} asker
   * @param {(request: Request, reply: Reply) => void} answered
   */
  constructor(asker, answered) {
    this.asker = asker;
    this.answered = answered;
    /** @type {Request | null} */
    this.asked = null;
    /** @type {Request | null} */
    this.next = null;
    this.took_ms = 0;
  }

  /** @param {Request} request */
  async ask(request) {
    if (this.asked) {
      this.next = request;
      return;
    }
    this.asked = request;
    this.next = null;
    const begun_ms = performance.now();
    const reply = await this.asker.ask(request);
    this.asked = null;
    this.took_ms = performance.now() - begun_ms;
    if (reply) this.answered(request, reply);
    if (this.next) this.ask(this.next);
  }
}
