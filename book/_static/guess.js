// Asks one question before its answer shows. The guess stays in the page and in its address.
import { button, element } from './controls.js';
import { Session } from './engine.js';
import { readEntry, writeEntries } from './link.js';

class Guess {
  constructor(section) {
    this.section = section;
    this.description = JSON.parse(section.querySelector('.guess-description').textContent);
    this.key = `guess.${this.description.name}`;
    this.message = section.querySelector('.guess-message');
    this.result = section.querySelector('.guess-result');
    this.answer = section.querySelector('.guess-answer');
    this.session = new Session('tunables.reader.guessing', this.description);
    this.build();
    this.say('');
    const linked = readEntry(this.key);
    if (linked !== null) this.commit(linked);
  }

  build() {
    const id = `${this.section.id}-field`;
    this.message.id = `${id}-message`;
    this.field = element('input', { id, type: 'text', autocomplete: 'off', inputmode: 'decimal', 'aria-describedby': this.message.id });
    const unit = this.description.unit_text.trim();
    const label = element('label', { for: id }, unit ? `Your guess (${unit})` : 'Your guess');
    const commit = button('Commit', () => this.commit(this.field.value));
    this.again = button('Clear', () => this.clear());
    this.again.hidden = true;
    const form = element('form', {}, label, this.field, commit, this.again);
    form.addEventListener('submit', (event) => event.preventDefault());
    this.field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.commit(this.field.value);
    });
    this.section.querySelector('.guess-form').replaceChildren(form);
  }

  say(sentence) {
    this.message.textContent = sentence;
    this.message.hidden = !sentence;
    if (sentence) this.field.setAttribute('aria-invalid', 'true');
    else this.field.removeAttribute('aria-invalid');
  }

  async commit(text) {
    this.field.value = text;
    let reply;
    try {
      reply = await this.session.ask({ text });
    } catch (error) {
      reply = { refusal: `The Python engine could not start (${error.message}); open the answer instead.` };
    }
    if (this.field.value !== text) return; // it was changed meanwhile
    this.section.dataset.engine = 'ready';
    this.say(reply.refusal ?? '');
    if (!reply.refusal) this.show(reply);
  }

  show({ guess, html }) {
    this.result.innerHTML = html; // our own markup: of what was typed it holds only the number
    this.answer.hidden = true;
    this.again.hidden = false;
    writeEntries({ [this.key]: String(guess) });
  }

  clear() {
    this.result.replaceChildren();
    this.answer.hidden = false;
    this.answer.open = false;
    this.again.hidden = true;
    this.field.value = '';
    this.say('');
    writeEntries({ [this.key]: null });
    this.field.focus();
  }
}

export function ask(section) {
  return new Guess(section);
}
