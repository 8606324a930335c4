// A Python engine, in its worker. All parts of the page open sessions with one; each simulation has
// one of its own. An engine that does not start, dies or falls silent is ended; the next question
// starts another.
import { law, simulations, sources, startWorker } from './engine-files.js';
import { asksAtOnce, pythonAtOnce } from './place.js';
import { Questions } from './questions.js';

const START_S = 30; // within which a slow line fetches the engine

export const ENGINE = 'Python engine';
const SIMULATION = 'simulation';

let questions = 0;
let sessions = 0;

class Engine {
  /** @param {Keeper} keeper */
  constructor(keeper) {
    this.keeper = keeper;
    this.questions = new Questions(keeper.name, (what) => this.end(what));
    this.up = false;
    this.worker = this.start();
    /** @type {Promise<unknown>} */
    this.posted = this.worker; // the last message
    keeper.parts.forEach((part) => this.post(part()));
    this.questions.watch(START_S, `did not start within ${START_S} s`);
  }

  async start() {
    const { worker, heard } = await startWorker();
    worker.onmessage = ({ data }) => this.hear(data);
    worker.onerror = ({ message }) => {
      if (this.up) this.end(`broke down (${message})`);
      else this.end(`could not start (${message || 'its worker did not load'})`);
    };
    heard.forEach((event) => worker.dispatchEvent(event));
    return worker;
  }

  /**
   * Messages go out in their order, each once it is there.
   * @param {object | Promise<object>} message
   */
  post(message) {
    const ready = Promise.all([this.worker, message, this.posted]);
    this.posted = ready.then(([worker, said]) => worker.postMessage(said));
    this.posted.catch((error) => this.end(`could not start (${error.message})`));
  }

  /** @param {Heard} heard */
  hear(heard) {
    if (heard.down) return this.end(heard.down);
    if (heard.lacks) return this.post(sources(heard.lacks));
    if (heard.up) this.up = true;
    if (heard.question !== undefined) this.questions.settle(heard);
    return this.questions.watchSilence();
  }

  /** @param {string} what */
  end(what) {
    if (this.keeper.engine === this) this.keeper.engine = null;
    this.worker.then((worker) => worker.terminate(), () => {});
    this.questions.end(what);
  }

  /**
   * @param {Omit<Question, 'question'>} message
   * @returns {Promise<object>}
   */
  ask(message) {
    const question = questions += 1;
    const reply = this.questions.reply(question);
    if (this.up && this.questions.waiting.size === 1) this.questions.watchSilence();
    this.post({ question, ...message });
    return reply;
  }
}

/** What keeps an engine: begins one when it is asked, if none runs. */
class Keeper {
  /**
   * @param {string} name for the reader
   * @param {(() => Promise<object>)[]} parts what each engine is given as it begins
   */
  constructor(name, parts) {
    this.name = name;
    this.parts = parts;
    /** @type {Engine | null} */
    this.engine = null;
  }

  begin() {
    this.engine ??= new Engine(this);
    return this.engine;
  }
}

/** @param {string[]} names of parts of the Python */
function python(...names) {
  return names.map((name) => () => sources(name));
}

const page = new Keeper(ENGINE, python('shared', ...pythonAtOnce));
if (asksAtOnce) page.begin();

export function isUp() {
  return Boolean(page.engine?.up);
}

/**
 * A talk with the class Page of a Python module: Page(description as JSON).reply(request as JSON).
 * @template {Module} M
 */
export class Session {
  /**
   * @param {M} module
   * @param {Pages[M]['description']} description
   * @param {Keeper} keeper of the engine
   */
  constructor(module, description, keeper = page) {
    this.keeper = keeper;
    this.number = sessions += 1;
    this.opening = { module, description };
    /** @type {Engine | null} */
    this.engine = null; // that knows of this session
  }

  /**
   * Resolves to the reply; rejects with an EngineError.
   * @param {Asked<M>} request
   * @returns {Promise<Replied<M>>}
   */
  async ask(request) {
    const engine = this.keeper.begin();
    const opening = this.engine === engine ? {} : this.opening; // each engine is told once
    this.engine = engine;
    const reply = await engine.ask({ session: this.number, request, ...opening });
    return /** @type {Replied<M>} */ (reply);
  }

  /** @param {string} what happened */
  end(what) {
    this.keeper.engine?.end(what);
  }
}

/** @param {string} module of a run: its chapter's engine has the kernels */
function simulating(module) {
  const chapter = module.split('.')[2]; // tunables.chapters.…
  return new Keeper(SIMULATION, [...python('shared', chapter), () => simulations(chapter)]);
}

/**
 * A talk with a simulation, in an engine of its own, which ends with it.
 * @param {Simulable} description
 */
export function simulation(description) {
  return new Session('tunables.page.simulating', description, simulating(description.simulation.module));
}

/**
 * A talk with a lab's law, in an engine of its own, which ends with the lab.
 * @param {string} name
 */
export function laboratory(name) {
  const keeper = new Keeper(ENGINE, [...python('shared'), () => law(name)]);
  return new Session(`tunables.page.labs.${name}`, {}, keeper);
}

/**
 * A talk with what a stage replays, in an engine of its own.
 * @param {Staged} description
 */
export function staging(description) {
  return new Session('tunables.page.staging', description, simulating(description.module));
}
