// A Python engine runs in a worker. All parts of the page open sessions with one engine; each simulation has its own.
// An engine that does not start, dies or falls silent is ended; the next question starts another.
import { PendingRequests } from './client.js';
import { asksAtOnce, lawSources, pythonAtOnce, simulationSources, sources, startWorker } from './files.js';

const START_S = 30; // enough for a slow connection

export const ENGINE = 'Python engine';
const SIMULATION = 'simulation';

let questions = 0;
let sessions = 0;

class Engine {
  /** @param {EngineSupervisor} supervisor */
  constructor(supervisor) {
    this.supervisor = supervisor;
    this.pending = new PendingRequests(supervisor.name, (reason) => this.end(reason));
    this.up = false;
    this.worker = this.start();
    /** @type {Promise<unknown>} */
    this.posted = this.worker; // resolves once the last message has gone out
    supervisor.parts.forEach((part) => this.post(part()));
    this.pending.watch(START_S, `did not start within ${START_S} s`);
  }

  async start() {
    const { worker, events } = await startWorker();
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = ({ message }) => {
      if (this.up) this.end(`broke down (${message})`);
      else this.end(`could not start (${message || 'its worker did not load'})`);
    };
    events.forEach((event) => worker.dispatchEvent(event));
    return worker;
  }

  /**
   * Posts messages in order, each as soon as it is ready.
   * @param {object | Promise<object>} message
   */
  post(message) {
    const ready = Promise.all([this.worker, message, this.posted]);
    this.posted = ready.then(([worker, content]) => worker.postMessage(content));
    this.posted.catch((error) => this.end(`could not start (${error.message})`));
  }

  /** @param {Message} message */
  receive(message) {
    if (message.down) return this.end(message.down);
    if (message.lacks) return this.post(sources(message.lacks));
    if (message.up) this.up = true;
    if (message.question !== undefined) this.pending.settle(message);
    return this.pending.watchSilence();
  }

  /** @param {string} reason */
  end(reason) {
    if (this.supervisor.engine === this) this.supervisor.engine = null;
    this.worker.then((worker) => worker.terminate(), () => {});
    this.pending.end(reason);
  }

  /**
   * @param {Omit<Question, 'question'>} message
   * @returns {Promise<object>}
   */
  ask(message) {
    const question = questions += 1;
    const reply = this.pending.reply(question);
    if (this.up && this.pending.waiting.size === 1) this.pending.watchSilence();
    this.post({ question, ...message });
    return reply;
  }
}

/** Keeps an engine running: starts one when needed. */
class EngineSupervisor {
  /**
   * @param {string} name for the reader
   * @param {(() => Promise<object>)[]} parts of the Python that each engine is given at its start
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
function pythonParts(...names) {
  return names.map((name) => () => sources(name));
}

const pageSupervisor = new EngineSupervisor(ENGINE, pythonParts('shared', ...pythonAtOnce));
if (asksAtOnce) pageSupervisor.begin();

export function isUp() {
  return Boolean(pageSupervisor.engine?.up);
}

/**
 * A session with a Python class, named "module:Class": Class(description as JSON).reply(request as JSON).
 * @template {Module} M
 */
export class Session {
  /**
   * @param {M} module
   * @param {Pages[M]['description']} description
   * @param {EngineSupervisor} supervisor of the engine
   */
  constructor(module, description, supervisor = pageSupervisor) {
    this.supervisor = supervisor;
    this.number = sessions += 1;
    this.opening = { module, description };
    /** @type {Engine | null} */
    this.engine = null; // the engine that knows this session
  }

  /**
   * Resolves to the reply; rejects with an EngineError.
   * @param {RequestOf<M>} request
   * @returns {Promise<ReplyOf<M>>}
   */
  async ask(request) {
    const engine = this.supervisor.begin();
    const opening = this.engine === engine ? {} : this.opening; // each engine is told only once
    this.engine = engine;
    const reply = await engine.ask({ session: this.number, request, ...opening });
    return /** @type {ReplyOf<M>} */ (reply);
  }

  /** @param {string} reason */
  end(reason) {
    this.supervisor.engine?.end(reason);
  }
}

/** Returns the supervisor of an engine with a chapter's kernels. @param {string} module of a run */
function chapterSupervisor(module) {
  const chapter = module.split('.')[2]; // tunables.chapters.…
  return new EngineSupervisor(SIMULATION, [...pythonParts('shared', chapter), () => simulationSources(chapter)]);
}

/**
 * Opens a session with a simulation, in its own engine.
 * @param {SimulatedCase} description
 */
export function simulation(description) {
  const supervisor = chapterSupervisor(description.simulation.module);
  return new Session('tunables.page.simulation:SimulationSession', description, supervisor);
}

/**
 * Opens a session with a lab's law, in its own engine, which ends with the lab.
 * @param {string} name
 */
export function laboratory(name) {
  const supervisor = new EngineSupervisor(ENGINE, [...pythonParts('shared'), () => lawSources(name)]);
  return new Session(`tunables.page.labs.${name}:LabSession`, {}, supervisor);
}

/**
 * Opens a session with the simulation that an animation replays, in its own engine.
 * @param {Animated} description
 */
export function animating(description) {
  return new Session('tunables.page.animation:AnimationSession', description, chapterSupervisor(description.module));
}
