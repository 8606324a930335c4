// The page's one Python engine, in its worker. Each part of the page opens a session with it.

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

function start() {
  const made = new Worker(new URL('./engine-worker.js', import.meta.url), { type: 'module' });
  made.onmessage = ({ data }) => settle(data);
  made.onerror = (event) => {
    const failure = event.message || 'its worker did not load';
    for (const question of [...waiting.keys()]) settle({ question, failure });
  };
  return made;
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
    worker.postMessage({ question, session: this.number, request, ...this.opening });
    this.opening = {};
    return new Promise((resolve, reject) => waiting.set(question, { resolve, reject }));
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
    this.session.ask(request).then(
      (reply) => this.hear((asked) => this.answered(asked, reply)),
      (error) => this.hear(() => this.failed(error.message)),
    );
  }

  hear(tell) {
    const asked = this.asked;
    this.asked = null;
    tell(asked);
    if (this.next) this.ask(this.next);
  }
}
