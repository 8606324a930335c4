// Wakes one practice box: draws problems, checks answers, keeps kind and number in the address.
import { button, element } from './controls.js';
import { Session } from './engine.js';
import { readEntry, writeEntries } from './link.js';

const LARGEST = 999999;
const SMALL_NUMBERS = 9999; // enough for a class, and easy to read out

function field(id, text, input) {
  input.id = id;
  return element('div', {}, element('label', { for: id }, text), input);
}

class Practice {
  constructor(section) {
    this.section = section;
    this.description = JSON.parse(section.querySelector('.practice-description').textContent);
    const { chapter, kind, seed } = this.description;
    this.key = `problem.${chapter}`;
    this.session = new Session('tunables.problems.page', { chapter });
    this.find = (name) => section.querySelector(`.${name}`);
    this.steps = this.find('problem-solution');
    this.current = { kind, seed };
    this.build();
    this.say('');
    this.show(this.current);
    const link = readEntry(this.key);
    if (link === null) this.settled();
    else this.open(this.named(link));
  }

  // "zigzag.17" -> {kind, seed}; what makes no sense is left for Python to refuse.
  named(link) {
    const dot = link.lastIndexOf('.');
    const number = dot < 0 ? '' : link.slice(dot + 1);
    return { kind: dot < 0 ? link : link.slice(0, dot), seed: /^\d+$/.test(number) ? Number(number) : number };
  }

  build() {
    const { chapter, kinds } = this.description;
    this.kind = element('select', {}, ...kinds.map(({ name, title }) => new Option(title, name)));
    this.kind.addEventListener('change', () => this.open({ ...this.current, kind: this.kind.value }));
    this.seed = element('input', { type: 'number', min: 0, max: LARGEST, step: 1 });
    this.seed.addEventListener('change', () => this.open({ ...this.current, seed: this.seed.value === '' ? '' : Number(this.seed.value) }));
    this.find('practice-controls').append(
      field(`practice-${chapter}-kind`, 'Kind of problem', this.kind),
      field(`practice-${chapter}-seed`, 'Number of the problem', this.seed),
      button('New problem', () => this.open({ ...this.current, seed: 1 + Math.floor(Math.random() * SMALL_NUMBERS) })),
    );
    this.answer = element('input', { type: 'text', autocomplete: 'off', maxlength: 60 });
    const check = element('button', { type: 'submit' }, 'Check my answer');
    const form = this.find('practice-answer');
    form.append(field(`practice-${chapter}-answer`, 'Your answer', this.answer), check);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.check();
    });
  }

  say(sentence) {
    const message = this.find('practice-message');
    message.textContent = sentence;
    message.hidden = !sentence;
  }

  settled() {
    this.section.dataset.problem = `${this.current.kind}.${this.current.seed}`;
  }

  show({ kind, seed }) {
    this.kind.value = kind;
    this.seed.value = seed;
  }

  verdict(name, sentence) {
    const place = this.find('practice-verdict');
    place.textContent = sentence;
    place.dataset.verdict = name;
  }

  // Asks the engine; resolves to nothing if it fails, or if a newer question was asked meanwhile.
  async ask(request) {
    this.asked = request;
    try {
      const reply = await this.session.ask(request);
      return this.asked === request ? reply : undefined;
    } catch (error) {
      this.say(`The Python engine could not start (${error.message}). The problem below and its steps stand.`);
      this.show(this.current);
      return undefined;
    }
  }

  async open(wanted) {
    delete this.section.dataset.problem;
    const reply = await this.ask(wanted);
    if (!reply) return;
    if (reply.refusal) {
      this.say(reply.refusal);
      this.show(this.current);
    } else {
      this.say('');
      this.fill(reply);
    }
    this.settled();
  }

  fill(reply) {
    const { kind, seed } = reply;
    for (const name of ['title', 'question', 'wanted', 'answer', 'remark']) {
      this.find(`problem-${name}`).textContent = reply[name];
    }
    this.find('problem-steps').replaceChildren(...reply.steps.map((step) => element('li', {}, step)));
    this.steps.open = false;
    this.answer.value = '';
    this.answer.removeAttribute('aria-invalid');
    this.verdict('', '');
    this.current = { kind, seed };
    this.show(this.current);
    const first = kind === this.description.kind && seed === this.description.seed;
    writeEntries({ [this.key]: first ? null : `${kind}.${seed}` });
  }

  async check() {
    const reply = await this.ask({ ...this.current, answer: this.answer.value });
    if (!reply) return;
    this.verdict(reply.verdict ?? 'refused', reply.sentence ?? reply.refusal);
    if (reply.refusal) this.answer.setAttribute('aria-invalid', 'true');
    else this.answer.removeAttribute('aria-invalid');
  }
}

export function practise(section) {
  section.practice = new Practice(section); // for the curious, in the browser's console
}
