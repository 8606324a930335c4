// What the labs that run in the page share: a run, the frame around it, and a plot.
import { button, element, primaryButton } from '../dom.js';
import { withCommas } from '../quantity.js';

// A run ends everything that it starts: workers, the law's engine, files.

/** Why a lab stops: the reader stopped it, or the browser lacks something. */
export class LabStopped extends Error {}

/** @param {string} packed gzipped, as base64 */
async function unpack(packed) {
  if (!packed) return new ArrayBuffer(0);
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

const GONE = 'The browser ended the lab, perhaps because memory ran out. Close other tabs and run the lab again.';

/** @param {string | undefined} message of an error that nobody caught */
function breakdownSentence(message) {
  const why = (message ?? '').replace(/^(Uncaught )?(Error: )?/, '');
  return `The lab stopped with an error (${why || 'no reason given'}).`;
}

/** One run of a lab. */
export class LabRun {
  /**
   * @param {string} lab
   * @param {LabTools} tools
   */
  constructor(lab, tools) {
    this.lab = lab;
    this.tools = tools;
    /** @type {(() => unknown)[]} */
    this.cleanups = [];
    /** @type {LawSession | null} */
    this.session = null;
    /** @type {Promise<never>} */
    this.stopped = new Promise((_, reject) => {
      this.stop = (/** @type {string} */ why) => reject(new LabStopped(why));
    });
    this.stopped.catch(() => {}); // there may be nothing to stop
  }

  /**
   * Resolves as the work does, unless the run is stopped first.
   * @template T
   * @param {Promise<T>} work
   * @returns {Promise<T>}
   */
  until(work) {
    return Promise.race([this.stopped, work]);
  }

  /** Registers a cleanup for the end of the run. @param {() => unknown} act */
  finally(act) {
    this.cleanups.push(act);
  }

  async end() {
    this.stop('The run is over.');
    const cleanups = this.cleanups.splice(0).reverse();
    for (const act of cleanups) await Promise.resolve().then(act).catch(() => {});
  }

  /**
   * Asks the lab's Python, tunables/page/labs/LAB.py.
   * @param {string} name of the function
   * @param {object} given its arguments
   */
  async law(name, given) {
    if (!this.session) {
      const session = this.tools.law();
      this.session = session;
      this.finally(() => session.end('was stopped along with the lab'));
    }
    const reply = await this.until(this.session.ask({ function: name, arguments: given }));
    if ('refusal' in reply) throw new LabStopped(reply.refusal);
    return reply.answer;
  }

  // Starts the lab's worker, labs/LAB/worker.js; resolves to it and the WebAssembly that comes with it.
  async worker() {
    if (!globalThis.Worker || !globalThis.DecompressionStream) {
      throw new LabStopped('This browser lacks web workers or DecompressionStream. Update it to run the lab.');
    }
    await this.until(this.tools.loadScript(`labs/${this.lab}-worker.js`));
    const { script, wasm } = tunablesPacks[this.lab];
    const parts = await this.until(Promise.all([script, wasm ?? ''].map(unpack)));
    const address = URL.createObjectURL(new Blob([parts[0]], { type: 'text/javascript' }));
    const worker = new Worker(address);
    // Errors count between two questions too, and when a worker talks to another.
    worker.onerror = ({ message }) => this.stop(breakdownSentence(message));
    this.finally(() => {
      worker.terminate();
      URL.revokeObjectURL(address);
    });
    await this.watch(worker);
    return { worker, wasm: parts[1] };
  }

  /**
   * Stops the run if the browser ends a worker, which it does silently.
   * @param {Worker} worker
   */
  async watch(worker) {
    const lock = `tunables-worker-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
    await this.ask(worker, { live: lock });
    // Without locks, as in a page from disk, nothing can tell.
    navigator.locks?.request(lock, () => this.stop(GONE)).catch(() => {});
  }

  /**
   * Asks a worker, where `serve` in serve.js answers one question at a time.
   * @param {Worker} worker
   * @param {object} request
   * @param {{ onNote?: (note: any) => unknown, transfer?: Transferable[] }} [options]
   * @returns {Promise<any>} the final answer
   */
  ask(worker, request, { onNote = () => {}, transfer = [] } = {}) {
    return this.until(new Promise((resolve, reject) => {
      /** @type {Promise<unknown>} */
      let last = Promise.resolve(); // notes are handled in order, and the end after all of them
      worker.onmessage = ({ data: { note, done, failure } }) => {
        if (failure !== undefined) reject(new LabStopped(failure));
        else if (note !== undefined) last = last.then(() => onNote(note));
        else last.then(() => resolve(done), reject);
      };
      worker.postMessage(request, transfer);
    }));
  }

  /**
   * Asks the lab's own worker.
   * @param {object} request
   * @param {(note: any) => unknown} onNote
   * @returns {Promise<any>}
   */
  async work(request, onNote) {
    const { worker, wasm } = await this.worker();
    return this.ask(worker, { ...request, wasm }, { onNote });
  }
}

// The frame: a button that starts a run and one that stops it, its progress, its results, and a sentence if the lab
// cannot run.

/** @typedef {(labRun: LabRun) => Promise<string>} Act resolves to the final sentence */

const BY_READER = 'Stopped.'; // no fault

export class LabFrame {
  /**
   * @param {HTMLElement} section
   * @param {LabTools} tools
   * @param {Act} act
   */
  constructor(section, tools, act) {
    this.section = section;
    this.tools = tools;
    this.act = act;
    /** @type {LabRun | null} */
    this.labRun = null; // the present one
    this.go = primaryButton('Run', () => this.run());
    this.stop = button('Stop', () => this.labRun?.stop(BY_READER));
    this.bar = element('progress', { 'aria-label': 'Lab progress', max: 1, value: 0 });
    this.progressText = element('span', { class: 'run-progress' });
    this.announcement = element('p', { class: 'lab-said', role: 'status' });
    this.results = element('div', { class: 'lab-found' });
    this.settings = element('div', { class: 'run-bar' });
    const row = element('div', { class: 'run-bar' }, this.go, this.stop, this.bar, this.progressText);
    section.append(this.settings, row, this.announcement, this.results);
    this.rest('ready', '');
    Object.assign(section, { frame: this });
  }

  /**
   * Shows that nothing runs.
   * @param {string} state
   * @param {string} words
   */
  rest(state, words) {
    this.section.dataset.state = state;
    this.progressText.textContent = '';
    this.announcement.textContent = words;
    this.bar.hidden = true;
    this.swap(this.stop, this.go);
  }

  begin() {
    this.section.dataset.state = 'running';
    this.results.replaceChildren();
    this.announcement.textContent = 'Running.';
    this.bar.hidden = false;
    this.progress(0, 1, 'Starting.');
    this.swap(this.go, this.stop);
  }

  /**
   * @param {number} done
   * @param {number} count
   * @param {string} words
   */
  progress(done, count, words) {
    this.bar.value = done / count;
    this.progressText.textContent = words;
  }

  async run() {
    if (this.labRun) return;
    const labRun = new LabRun(this.section.dataset.lab ?? '', this.tools);
    this.labRun = labRun;
    this.begin();
    const ended = await labRun.until(this.act(labRun)).then(
      (words) => ({ state: 'done', words }),
      ({ message }) => ({ state: message === BY_READER ? 'stopped' : 'ended', words: message }),
    );
    await labRun.end();
    this.labRun = null;
    this.rest(ended.state, ended.words);
  }

  /**
   * Replaces a button by another, which takes its focus.
   * @param {HTMLElement} away
   * @param {HTMLElement} here
   */
  swap(away, here) {
    const focused = away.matches(':focus');
    here.hidden = false;
    if (focused) here.focus();
    away.hidden = true;
  }

  /**
   * Adds a table to the results; it grows row by row.
   * @param {string} caption
   * @param {string[]} heads
   * @param {HTMLElement} place
   */
  table(caption, heads, place = this.results) {
    const body = element('tbody');
    const head = element('tr', {}, ...heads.map((text) => element('th', { scope: 'col' }, text)));
    const table = element('table', { class: 'explorer-table' }, element('caption', {}, caption));
    table.append(element('thead', {}, head), body);
    const region = { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': caption };
    place.append(element('div', region, table));
    return {
      /** @param {[string, ...(string | number)[]]} cells */
      row: ([first, ...cells]) => {
        const row = element('tr', {}, element('th', { scope: 'row' }, first));
        row.append(...cells.map((cell) => element('td', {}, String(cell))));
        body.append(row);
      },
    };
  }

  /**
   * Returns a sentence that compares the reader's guess with the result; empty without a guess.
   * @param {number} measured
   * @param {number} digits
   */
  guessText(measured, digits) {
    const guess = this.tools.guess();
    return guess === null ? '' : ` You guessed ${guess}; the result is ${measured.toFixed(digits)}.`;
  }

  /** Adds a sentence to the results. @param {string} sentence */
  tell(sentence) {
    this.results.append(element('p', {}, sentence));
  }
}

// A plot of miss ratios against the size of a cache.

const [WIDE, HIGH, LEFT, TOP, RIGHT, BOTTOM] = [640, 280, 48, 28, 14, 40];
const SVG = 'http://www.w3.org/2000/svg';
const LEGEND = { from: 112, to: WIDE }; // beside the name of the y axis; on a phone the letters are larger

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function shape(tag, attributes, text = '') {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.textContent = text;
  return made;
}

export class Plot {
  /**
   * @param {number} most the size at the right end
   * @param {string} of the word for what is cached
   * @param {string[]} names of the lines
   */
  constructor(most, of, names) {
    this.most = most;
    const box = `0 0 ${WIDE} ${HIGH}`;
    this.drawn = shape('svg', { viewBox: box, role: 'img', class: 'own-curve' });
    this.draw(of);
    this.lines = names.map((name, number) => this.legend(name, number, names.length));
    /** @type {string[][]} */
    this.points = names.map(() => []);
  }

  /** @param {number} room */
  x(room) {
    return LEFT + (WIDE - LEFT - RIGHT) * room / this.most;
  }

  /** @param {number} ratio */
  y(ratio) {
    return TOP + (HIGH - TOP - BOTTOM) * (1 - ratio);
  }

  /** @param {string} of */
  draw(of) {
    const { drawn, most } = this;
    for (const ratio of [0, 0.5, 1]) {
      const y = this.y(ratio);
      drawn.append(shape('line', { class: 'own-rule', x1: LEFT, x2: WIDE - RIGHT, y1: y, y2: y }));
      drawn.append(shape('text', { x: LEFT - 6, y: y + 4, 'text-anchor': 'end' }, String(ratio)));
    }
    for (const room of [0, Math.round(most / 2), most]) {
      const placed = { x: this.x(room), y: HIGH - BOTTOM + 17, 'text-anchor': room === most ? 'end' : 'middle' };
      drawn.append(shape('text', placed, withCommas(room)));
    }
    const middle = { x: (LEFT + WIDE) / 2, y: HIGH - 5, 'text-anchor': 'middle' };
    drawn.append(shape('text', middle, `cache size (${of})`));
    drawn.append(shape('text', { x: 4, y: 16 }, 'miss ratio'));
  }

  /**
   * @param {string} name
   * @param {number} number
   * @param {number} count
   */
  legend(name, number, count) {
    const left = LEGEND.from + (LEGEND.to - LEGEND.from) * number / count;
    const line = shape('polyline', { class: `own-line-${number}` });
    this.drawn.append(line, shape('polyline', { class: `own-line-${number}`, points: `${left},12 ${left + 22},12` }));
    this.drawn.append(shape('text', { x: left + 28, y: 16 }, name));
    return line;
  }

  /**
   * Adds the next point of a line.
   * @param {number} number
   * @param {number} room
   * @param {number} ratio
   */
  point(number, room, ratio) {
    this.points[number].push(`${this.x(room)},${this.y(ratio)}`);
    this.lines[number].setAttribute('points', this.points[number].join(' '));
  }

  /**
   * Adds a ring, for a measured value.
   * @param {number} room
   * @param {number} ratio
   */
  ring(room, ratio) {
    this.drawn.append(shape('circle', { class: 'own-ring', cx: this.x(room), cy: this.y(ratio), r: 4 }));
  }

  /** @param {string} words what the chart shows */
  describe(words) {
    this.drawn.setAttribute('aria-label', words);
  }
}
