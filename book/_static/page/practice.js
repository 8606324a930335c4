// A practice box: draws problems, checks answers, and keeps kind and number in the URL.
import { button, element, find, labelField, markInvalid, readDescription, textField } from '../dom.js';
import { Client } from '../engine/client.js';

/**
 * "zigzag.17" -> {kind, seed}. Other text is left for Python to refuse.
 * @param {string} link
 * @returns {ProblemName}
 */
export function parseProblemName(link) {
  const dot = link.lastIndexOf('.');
  return { kind: dot < 0 ? link : link.slice(0, dot), seed: dot < 0 ? '' : link.slice(dot + 1) };
}

class Practice {
  /**
   * @param {HTMLElement} section
   * @param {Host} host
   */
  constructor(section, host) {
    /** @type {PracticeDescription} */
    this.description = readDescription(section, '.practice-description');
    const { chapter, kinds, kind, seed } = this.description;
    this.section = section;
    this.urlState = host.urlState;
    this.key = `problem.${chapter}`;
    this.first = { kind, seed };
    this.current = this.first;
    /** @type {RequestOf<'tunables.page.problem:PracticeSession'>} */
    this.request = this.first;
    this.kind = element('select', {}, ...kinds.map(({ name, title }) => new Option(title, name)));
    this.seed = textField(this.description.longest_seed);
    this.answer = textField(this.description.longest_answer);
    this.client = new Client(
      { engine: host.engine, session: host.session('tunables.page.problem:PracticeSession', { chapter }) },
      this.find('practice-verdict'),
      'The problem and its steps stay as they are.',
      () => ('answer' in this.request ? this.check() : this.open(this.request)),
    );
    this.buildControls(`practice-${chapter}`);
    this.buildAnswer(`practice-${chapter}`);
    this.say('');
    this.show(this.current);
    const kept = this.urlState.read(this.key);
    if (kept === null) this.markReady();
    else this.open(parseProblemName(kept));
    host.follow({ moved: () => this.openKept() });
  }

  openKept() {
    const kept = this.urlState.read(this.key);
    this.open(kept === null ? this.first : parseProblemName(kept));
  }

  /** @param {string} name */
  find(name) {
    return find(this.section, `.${name}`);
  }

  /** @param {string} id */
  buildControls(id) {
    const draw = () => 1 + Math.floor(Math.random() * this.description.small_numbers);
    this.kind.addEventListener('change', () => this.open({ ...this.current, kind: this.kind.value }));
    this.seed.addEventListener('change', () => this.open({ ...this.current, seed: this.seed.value }));
    this.find('practice-controls').append(
      labelField(`${id}-kind`, 'Kind of problem', this.kind),
      labelField(`${id}-seed`, 'Problem number (or type your own)', this.seed),
      button('New problem', () => this.open({ ...this.current, seed: draw() })),
    );
  }

  /** @param {string} id */
  buildAnswer(id) {
    const check = element('button', { type: 'submit', class: 'is-primary' }, 'Check my answer');
    const form = this.find('practice-answer');
    form.append(labelField(`${id}-answer`, 'Your answer', this.answer), check);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.check();
    });
  }

  /** @param {string} sentence */
  say(sentence) {
    const message = this.find('practice-message');
    message.textContent = sentence;
    message.hidden = !sentence;
  }

  markReady() {
    this.section.dataset.problem = `${this.current.kind}.${this.current.seed}`;
  }

  /** @param {ProblemName} problem */
  show({ kind, seed }) {
    this.kind.value = kind;
    this.seed.value = String(seed);
  }

  /**
   * @param {string} name
   * @param {string} sentence
   */
  verdict(name, sentence) {
    const place = this.find('practice-verdict');
    place.textContent = sentence;
    place.dataset.verdict = name;
  }

  /**
   * Asks the engine; resolves to undefined if that fails, or if there is a newer question.
   * @param {RequestOf<'tunables.page.problem:PracticeSession'>} request
   */
  async ask(request) {
    this.request = request;
    const reply = await this.client.ask(request);
    if (!reply) this.show(this.current);
    return this.request === request ? reply : undefined;
  }

  /** @param {ProblemName} wanted */
  async open(wanted) {
    delete this.section.dataset.problem;
    const reply = await this.ask(wanted);
    if (!reply) return;
    if ('refusal' in reply) {
      this.say(reply.refusal);
      this.show(this.current);
    } else if ('question' in reply) {
      this.say('');
      this.fill(reply);
    }
    this.markReady();
  }

  /** @param {Problem} problem */
  fill(problem) {
    const { kind, seed, steps, title, question, wanted, answer, remark } = problem;
    for (const [name, text] of Object.entries({ title, question, wanted, answer, remark })) {
      this.find(`problem-${name}`).textContent = text;
    }
    this.find('problem-steps').replaceChildren(...steps.map((step) => element('li', {}, step)));
    this.find('problem-solution').removeAttribute('open');
    this.answer.value = '';
    markInvalid(this.answer, false);
    this.verdict('', '');
    this.current = { kind, seed };
    this.show(this.current);
    const first = kind === this.first.kind && seed === this.first.seed;
    this.urlState.write({ [this.key]: first ? null : `${kind}.${seed}` });
  }

  async check() {
    const reply = await this.ask({ ...this.current, answer: this.answer.value });
    if (!reply) return;
    const refused = 'refusal' in reply;
    if (refused) this.verdict('refused', reply.refusal);
    else if ('verdict' in reply) this.verdict(reply.verdict, reply.sentence);
    markInvalid(this.answer, refused);
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function mountPractice(section, host) {
  return new Practice(section, host);
}
