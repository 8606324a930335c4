// Asks one question before its answer shows. The guess stays in the page and in its address.
import { Answers } from './answers.js';
import { Asker } from './asker.js';
import { button, described, element, find, markInvalid, setMarkup } from './dom.js';

const SKIPPED = 'skip'; // is kept in place of a number
const WAITING = 'What the text says of it waits until then.';

/**
 * The field of a question, and what stands around it.
 * @param {string} id
 * @param {string} unit
 * @param {string} message the id of what is said of it
 */
function fieldFor(id, unit, message) {
  const attributes = { id, type: 'text', autocomplete: 'off', inputmode: 'decimal', 'aria-describedby': message };
  const field = element('input', attributes);
  return { field, label: element('label', { for: id }, unit ? `Your guess (${unit})` : 'Your guess') };
}

class Guess {
  /**
   * @param {HTMLElement} section
   * @param {Host} host
   */
  constructor(section, host) {
    /** @type {Guessed} */
    const description = described(section, '.guess-description');
    this.section = section;
    this.entries = host.entries;
    this.key = `guess.${description.name}`;
    this.message = find(section, '.guess-message');
    this.message.id = `${section.id}-message`;
    this.result = find(section, '.guess-result');
    this.answer = /** @type {HTMLDetailsElement} */ (find(section, '.guess-answer'));
    this.answers = new Answers(section, () => this.skip());
    const { field, label } = fieldFor(`${section.id}-field`, description.unit_text.trim(), this.message.id);
    this.field = field;
    this.again = button('Clear', () => this.clear());
    this.waiting = element('p', { class: 'guess-waiting' }, WAITING);
    this.asker = new Asker(
      { engine: host.engine, talk: host.session('tunables.page.guessing', description) },
      this.message,
      'You can open the answer without it.',
      () => this.commit(field.value),
    );
    this.build(label);
    this.say('');
    this.open();
    this.settle();
    this.answers.lookUp();
    this.answer.addEventListener('toggle', () => this.skipped());
    host.follow({ moved: () => this.open() });
  }

  // Takes the guess that is kept, if there is one.
  open() {
    const kept = this.entries.readEntry(this.key);
    if (kept === SKIPPED) this.skip();
    else if (kept !== null) this.commit(kept);
  }

  skip() {
    this.answer.open = true;
    this.settle();
  }

  // The reader has opened the answer, or closed it.
  skipped() {
    if (!this.isCommitted) this.entries.writeEntries({ [this.key]: this.answer.open ? SKIPPED : null });
    this.settle();
  }

  get isCommitted() {
    return this.result.childElementCount > 0;
  }

  settle() {
    this.answer.hidden = this.isCommitted;
    this.again.hidden = !this.isCommitted;
    const shown = this.isCommitted || this.answer.open;
    this.waiting.hidden = shown || this.answers.all.length === 0;
    this.answers.show(shown);
  }

  /** @param {HTMLElement} label */
  build(label) {
    const commit = button('Commit', () => this.commit(this.field.value));
    const form = element('form', {}, label, this.field, commit, this.again);
    form.addEventListener('submit', (event) => event.preventDefault());
    this.field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.commit(this.field.value);
    });
    find(this.section, '.guess-form').replaceChildren(form, this.waiting);
  }

  /** @param {string} sentence */
  say(sentence) {
    this.message.textContent = sentence;
    this.message.hidden = !sentence;
    markInvalid(this.field, Boolean(sentence));
  }

  /** @param {string} text */
  async commit(text) {
    this.field.value = text;
    const reply = await this.asker.ask({ text });
    if (!reply || this.field.value !== text) return; // it failed, or was changed meanwhile
    this.section.dataset.engine = 'ready';
    if ('refusal' in reply) {
      this.say(reply.refusal);
    } else {
      this.say('');
      this.show(reply);
    }
  }

  /** @param {Judged} reply */
  show({ guess, html }) {
    setMarkup(this.result, html); // of what was typed it holds only the number
    this.settle();
    this.entries.writeEntries({ [this.key]: String(guess) });
  }

  clear() {
    this.result.replaceChildren();
    this.answer.open = false;
    this.field.value = '';
    this.say('');
    this.settle();
    this.entries.writeEntries({ [this.key]: null });
    this.field.focus();
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function ask(section, host) {
  return new Guess(section, host);
}
