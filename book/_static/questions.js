// Questions that wait for the book's Python: the page's engine or a notebook's kernel.

const SILENCE_S = 20; // while a question waits; the slowest answer takes a second

export class EngineError extends Error {
  /**
   * @param {string} who
   * @param {string} what
   * @param {boolean} ended whether it may help to ask again from the beginning
   */
  constructor(who, what, ended) {
    super(`The ${who} ${what}.`);
    this.ended = ended;
  }
}

export class Questions {
  /**
   * @param {string} who is asked
   * @param {(what: string) => void} silent is called when no answer comes
   */
  constructor(who, silent) {
    this.who = who;
    this.silent = silent;
    /** @type {Map<number, { resolve: (reply: object) => void, reject: (error: EngineError) => void }>} */
    this.waiting = new Map(); // by the number of the question
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
   * Waits no longer than this to be called again.
   * @param {number} patience_s
   * @param {string} what
   */
  watch(patience_s, what) {
    clearTimeout(this.watching);
    this.watching = setTimeout(() => this.silent(what), patience_s * 1000);
  }

  watchSilence() {
    clearTimeout(this.watching);
    if (this.waiting.size) this.watch(SILENCE_S, `gave no answer within ${SILENCE_S} s`);
  }

  /** @param {Heard} heard */
  settle({ question, reply, failure }) {
    const asked = this.waiting.get(question ?? -1);
    this.waiting.delete(question ?? -1);
    if (reply) asked?.resolve(reply);
    else asked?.reject(new EngineError(this.who, failure ?? 'said nothing', false));
  }

  /** @param {string} what happened */
  end(what) {
    clearTimeout(this.watching);
    for (const { reject } of this.waiting.values()) reject(new EngineError(this.who, what, true));
    this.waiting.clear();
  }
}
