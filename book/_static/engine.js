// The page's one Python engine, in its worker. Each part of the page opens a session with it.
import { asksAtOnce, fromDisk, loadScript, place } from './place.js';

const waiting = new Map(); // number of a question -> {resolve, reject}
let worker;
let questions = 0;
let sessions = 0;

function settle({ question, reply, failure }) {
  const { resolve, reject } = waiting.get(question);
  waiting.delete(question);
  if (failure) reject(new Error(failure));
  else resolve(reply);
}

function fail(failure) {
  for (const question of [...waiting.keys()]) settle({ question, failure });
}

// From disk nothing can be fetched: the worker, the engine and the sources come in a script.
async function parts() {
  if (!fromDisk) return { script: place('vendor/engine-worker.js'), wasm: place('vendor/micropython.wasm'), python: place('python.json') };
  await loadScript('vendor/engine-from-disk.js');
  const { script, wasm, python } = globalThis.tunablesEngine;
  return { script: URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), wasm, python };
}

async function start() {
  const { script, ...engine } = await parts();
  const made = new Worker(script);
  made.onmessage = ({ data }) => settle(data);
  made.onerror = (event) => fail(event.message || 'its worker did not load');
  made.postMessage({ start: engine });
  return made;
}

if (asksAtOnce) {
  worker = start();
  worker.catch(() => {}); // told to those who ask
}

// A talk with the class Page of a Python module: Page(description as JSON).reply(request as JSON).
export class Session {
  constructor(module, description) {
    this.number = sessions += 1;
    this.opening = { module, description };
  }

  // Resolves to the reply; rejects if the engine fails.
  ask(request) {
    worker ??= start();
    const question = questions += 1;
    const message = { question, session: this.number, request, ...this.opening };
    this.opening = {};
    const reply = new Promise((resolve, reject) => waiting.set(question, { resolve, reject }));
    worker.then((made) => made.postMessage(message), (error) => fail(error.message));
    return reply;
  }
}

// One question at a time; of those that come meanwhile only the newest is asked.
export class Latest {
  constructor(session, answered, failed) {
    Object.assign(this, { session, answered, failed });
  }

  ask(request) {
    if (this.asked) {
      this.next = request;
      return;
    }
    this.asked = request;
    this.next = null;
    this.begun_ms = performance.now();
    this.session.ask(request).then(
      (reply) => this.hear((asked) => this.answered(asked, reply)),
      (error) => this.hear(() => this.failed(error.message)),
    );
  }

  hear(tell) {
    const asked = this.asked;
    this.asked = null;
    this.took_ms = performance.now() - this.begun_ms;
    tell(asked);
    if (this.next) this.ask(this.next);
  }
}
