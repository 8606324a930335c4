// A question to guess before its answer is shown. The guess is kept in the page and in its URL.
import { button, element, find, linkTarget, markInvalid, primaryButton, readDescription, setMarkup } from '../dom.js';
import { Client } from '../engine/client.js';
import { Dial, drawDistance, scaleFor } from './dial.js';

const SKIPPED = 'skip'; // kept instead of a number
const WAITING = 'The answer stays hidden until you guess or press Skip.';

/**
 * Makes the field of a question, with its label.
 * @param {string} id
 * @param {string} unit
 * @param {string} message the id of the message about it
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
    /** @type {GuessDescription} */
    this.description = readDescription(section, '.guess-description');
    const { description } = this;
    this.section = section;
    this.urlState = host.urlState;
    this.key = `guess.${description.name}`;
    this.message = find(section, '.guess-message');
    this.message.id = `${section.id}-message`;
    this.result = find(section, '.guess-result');
    this.result.tabIndex = -1;
    this.answer = /** @type {HTMLDetailsElement} */ (find(section, '.guess-answer'));
    this.answers = new Answers(section, () => this.skip());
    const { field, label } = fieldFor(`${section.id}-field`, description.unit_text.trim(), this.message.id);
    this.field = field;
    this.form = element('form');
    this.dial = new Dial(field, scaleFor(description.value, description.name), description.unit_text);
    this.again = button('Clear', () => this.clear());
    this.again.className = 'guess-again';
    this.waiting = element('p', { class: 'guess-waiting' }, WAITING);
    this.client = new Client(
      { engine: host.engine, session: host.session('tunables.page.guess:GuessSession', description) },
      this.message,
      'You can still open the answer.',
      () => this.commit(field.value),
    );
    this.build(label);
    this.begin();
    host.follow({ moved: () => this.open() });
  }

  begin() {
    this.say('');
    this.open();
    this.settle();
    this.answers.lookUp();
    this.answer.addEventListener('toggle', () => this.keepSkip());
  }

  // Takes the guess that the URL keeps, if there is one.
  open() {
    const kept = this.urlState.read(this.key);
    if (kept === SKIPPED) this.skip();
    else if (kept !== null) this.commit(kept);
  }

  skip() {
    this.answer.open = true;
    this.settle();
  }

  // The reader has opened or closed the answer.
  keepSkip() {
    if (!this.isCommitted) this.urlState.write({ [this.key]: this.answer.open ? SKIPPED : null });
    this.settle();
  }

  get isCommitted() {
    return this.result.childElementCount > 0;
  }

  settle() {
    this.answer.hidden = this.form.hidden = this.isCommitted;
    this.again.hidden = !this.isCommitted;
    const shown = this.isCommitted || this.answer.open;
    this.waiting.hidden = shown || this.answers.all.length === 0;
    this.answers.show(shown);
  }

  /** @param {HTMLElement} label */
  build(label) {
    const commit = primaryButton('Check my guess', () => this.commit(this.field.value));
    this.form.append(this.dial.box, label, this.field, commit);
    this.form.addEventListener('submit', (event) => event.preventDefault());
    this.field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.commit(this.field.value);
    });
    find(this.section, '.guess-form').replaceChildren(this.form, this.waiting);
    this.result.after(this.again);
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
    this.dial.follow();
    const reply = await this.client.ask({ text });
    if (!reply || this.field.value !== text) return; // it failed, or the field was changed meanwhile
    this.section.dataset.engine = 'ready';
    if ('refusal' in reply) {
      this.say(reply.refusal);
    } else {
      this.say('');
      this.show(reply);
    }
  }

  /** @param {Judgement} judgement */
  show(judgement) {
    const { guess, html } = judgement, byHand = this.form.matches(':focus-within');
    setMarkup(this.result, html); // contains only the number that was typed
    this.result.prepend(drawDistance(this.description, this.dial.scale, judgement));
    this.settle();
    this.urlState.write({ [this.key]: String(guess) });
    if (!byHand) return;
    this.result.focus({ preventScroll: true }); // what had the focus is hidden
    this.result.firstElementChild?.scrollIntoView({ block: 'nearest' }); // a phone's keyboard may have covered it
  }

  clear() {
    this.result.replaceChildren();
    this.answer.open = false;
    this.field.value = '';
    this.dial.follow();
    this.say('');
    this.settle();
    this.urlState.write({ [this.key]: null });
    this.field.focus();
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function mountGuess(section, host) {
  return new Guess(section, host);
}

// Text that gives the answer away is hidden until the reader has guessed or skipped.

/**
 * Returns the answers between a question and the next one.
 * @param {HTMLElement} section
 */
function answersTo(section) {
  /** @type {HTMLElement[]} */
  const all = Array.from(document.querySelectorAll('.tunables-guess, .answer'));
  const after = all.slice(all.indexOf(section) + 1);
  const next = after.findIndex((one) => one.matches('.tunables-guess'));
  return next < 0 ? after : after.slice(0, next);
}

class Answers {
  /**
   * @param {HTMLElement} section the question
   * @param {() => void} reveal called when a link, or a search in the page, leads into an answer
   */
  constructor(section, reveal) {
    this.all = answersTo(section);
    this.reveal = reveal;
    for (const answer of this.all) answer.addEventListener('beforematch', reveal);
    addEventListener('hashchange', () => this.lookUp());
  }

  /** Reveals the answers if the page's URL leads into one. */
  lookUp() {
    const target = linkTarget();
    if (!target || !this.all.some((answer) => answer.contains(target))) return;
    this.reveal();
    target.scrollIntoView();
  }

  /** @param {boolean} shown */
  show(shown) {
    for (const answer of this.all) {
      // A browser that supports "until-found" still searches it; others only hide it.
      if (shown) answer.removeAttribute('hidden');
      else answer.setAttribute('hidden', 'until-found');
      answer.dataset.asked = '';
    }
  }
}
