// The box for handing in a chapter: a personal code, what was done, the problems that the code draws, and the text.
import { copyText } from '../copying.js';
import { button, element, find, labelField, markInvalid, primaryButton, readDescription, textField } from '../dom.js';
import { Client } from '../engine/client.js';
import { forgetAll, keep, recall } from './kept.js';
import { Work } from './work.js';

const LINKED = 'hand-in'; // ?hand-in=CODE
const NOT_KEPT = 'This browser can’t save your work, so hand it in before you leave or reload the page.';
const BY_HAND = 'This browser does not allow copying. The text is selected: press Ctrl+C, or ⌘C on a Mac.';
const HOLDS = 'The text holds your name, the part of your code that identifies you, your guesses, how many steps you '
  + 'reached, whether you used the map and the card, and your answers. It is signed with your code, so any change '
  + 'makes it invalid. Your teacher tells you whether an answer is right. The page sends nothing, so '
  + 'paste the text yourself.';

/** @typedef {RequestOf<'tunables.page.hand_in:HandInSession'>} Request */

/**
 * What was done, in words.
 * @param {HandInRecord} record
 */
export function describeWork({ guesses, steps: [reached, all], map, own_numbers: own }) {
  const guessed = guesses.filter(([, guess]) => guess).length;
  return [
    `Guesses made or skipped: ${guessed} of ${guesses.length}`,
    `Animation steps reached: ${reached} of ${all}`,
    `Map used: ${map ? 'yes' : 'not yet'}`,
    `Your own numbers entered in the card: ${own ? 'yes' : 'not yet'}`,
  ];
}

class HandIn {
  /**
   * @param {HTMLDetailsElement} section
   * @param {Host} host
   */
  constructor(section, host) {
    /** @type {HandInDescription} */
    const description = readDescription(section, '.handin-description');
    this.section = section;
    this.description = description;
    this.message = find(section, '.hand-in-message');
    this.place = find(section, '.hand-in-work');
    this.code = textField(description.longest_code);
    this.name = textField(description.longest_name);
    this.work = new Work(document, description.chapter, host.urlState);
    this.done = element('ul', { class: 'hand-in-done' });
    this.output = element('div', { class: 'hand-in-output' });
    this.taken = ''; // the code whose work this is: it signs the text, whatever is in the field by then
    this.changes = 0; // of the answers, the name and the rest that a text holds
    this.again = () => {};
    this.client = new Client(
      { engine: host.engine, session: host.session('tunables.page.hand_in:HandInSession', description) },
      this.message,
      'Your answers are kept.',
      () => this.again(),
    );
    this.begin(host.urlState);
  }

  /** @param {UrlState} urlState */
  begin(urlState) {
    const linked = urlState.read(LINKED);
    this.recall(linked);
    urlState.write({ [LINKED]: null }); // a copied link must not hold the code
    this.say('');
    this.buildForm();
    this.name.addEventListener('change', () => this.changeName());
    this.work.watch(() => this.noteChange());
    addEventListener('pagehide', () => this.work.keep());
    this.section.addEventListener('toggle', () => this.open());
    if (linked === null) return;
    this.take(); // the code is kept though the reader may not open the box now
  }

  /**
   * Goes on with what the browser kept, unless a link brings another student's code.
   * @param {string | null} linked
   */
  recall(linked) {
    const { code = '', name = '', student } = recall('');
    this.code.value = linked ?? String(code);
    this.name.value = linked === null || linked === code ? String(name) : '';
    if (!student) return;
    this.taken = String(code);
    this.work.belongTo(String(student));
  }

  buildForm() {
    const form = find(this.section, '.hand-in-code');
    form.append(
      labelField('hand-in-code', 'Your code', this.code),
      labelField('hand-in-name', 'Your name', this.name),
      element('button', { type: 'submit' }, 'Use this code'),
    );
    this.code.autocapitalize = 'characters';
    this.code.spellcheck = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.take();
    });
  }

  open() {
    if (!this.section.open) return;
    this.work.keep();
    this.showDone();
    if (this.code.value && !this.place.childElementCount) this.take();
  }

  /** @param {string} sentence */
  say(sentence) {
    this.message.textContent = sentence;
    this.message.hidden = !sentence;
  }

  /**
   * Asks the engine; resolves to undefined if it fails or refuses, which is then said.
   * @param {Request} request
   * @param {() => unknown} again
   */
  async ask(request, again) {
    this.again = again;
    const reply = await this.client.ask(request);
    if (reply && 'refusal' in reply) {
      this.say(reply.refusal);
      return undefined;
    }
    return reply;
  }

  /** Takes the code that is in its field, and shows the problems that it draws. */
  async take() {
    const typed = this.code.value;
    const reply = await this.ask({ code: typed }, () => this.take());
    if (this.code.value !== typed) return;
    markInvalid(this.code, !reply && Boolean(this.message.textContent));
    if (!reply || !('problems' in reply)) return;
    this.taken = this.code.value = reply.code;
    this.work.belongTo(reply.student);
    const isKept = this.work.keep() && this.keepCode();
    this.say(isKept ? '' : NOT_KEPT);
    this.fill(reply);
  }

  keepCode() {
    return keep('', { code: this.taken, name: this.name.value, student: this.work.owner });
  }

  changeName() {
    if (!this.work.owner) return;
    this.keepCode();
    this.noteChange();
  }

  /** @param {HandInProblems} found */
  fill({ student, problems }) {
    const items = problems.map((problem, place) => this.problem(problem, place));
    this.place.replaceChildren(
      element('p', {}, `Your work on this page so far (student ${student}):`),
      this.done,
      element(
        'p', {}, 'These problems are yours alone; to practise, use the ones above. '
        + 'The text that you hand in holds your last answer to each.',
      ),
      element('ol', { class: 'hand-in-problems' }, ...items),
      element('p', {}, HOLDS),
      element('div', { class: 'hand-in-buttons' }, primaryButton('Make the text to hand in', () => this.make()),
        button('Forget my work', () => this.leave())),
      this.output,
    );
    this.output.replaceChildren();
    this.showDone();
    this.section.dataset.student = student;
  }

  /**
   * @param {HandInProblems['problems'][number]} problem
   * @param {number} place
   */
  problem({ kind, title, question, wanted }, place) {
    const field = textField(this.description.longest_answer);
    const note = element('p', { class: 'hand-in-message', role: 'status' });
    field.value = this.work.done.answers[kind] ?? '';
    field.addEventListener('change', () => this.answer(kind, field, note));
    return element(
      'li', { 'data-kind': kind },
      element('p', { class: 'problem-title' }, title),
      element('p', { class: 'problem-question' }, question),
      element('p', { class: 'problem-wanted' }, wanted),
      labelField(`hand-in-answer-${place}`, `Your answer to problem ${place + 1}`, field),
      note,
    );
  }

  /**
   * Keeps an answer, and says if it cannot be read.
   * @param {string} kind
   * @param {HTMLInputElement} field
   * @param {HTMLElement} note
   */
  async answer(kind, field, note) {
    const answer = field.value.trim();
    this.work.done.answers[kind] = answer;
    this.noteChange();
    const request = { code: this.taken, kind, answer };
    const reply = answer ? await this.client.ask(request) : undefined;
    if (field.value.trim() !== answer) return;
    const refusal = reply && 'refusal' in reply ? reply.refusal : '';
    note.textContent = refusal;
    markInvalid(field, Boolean(refusal));
  }

  /** A text made earlier does not hold what has changed since. */
  noteChange() {
    this.changes += 1;
    this.work.keep();
    this.output.replaceChildren();
    if (this.section.open) this.showDone();
  }

  showDone() {
    this.done.replaceChildren(...describeWork(this.work.record()).map((line) => element('li', {}, line)));
  }

  async make() {
    this.work.keep();
    this.showDone();
    const { changes, taken: code } = this;
    const request = { code, name: this.name.value, record: this.work.record() };
    const reply = await this.ask(request, () => this.make());
    if (code !== this.taken) return;
    if (changes !== this.changes) { // this text lacks what has changed while it was signed
      this.make();
      return;
    }
    markInvalid(this.name, !this.name.value.trim());
    if (reply && 'text' in reply) {
      this.say('');
      this.show(reply.text);
    } else {
      this.output.replaceChildren();
      this.message.scrollIntoView({ block: 'nearest' });
    }
  }

  /** @param {string} text */
  show(text) {
    const area = element('textarea', { id: 'hand-in-text', readonly: '', spellcheck: 'false' });
    const status = element('span', { role: 'status' });
    const byHand = () => {
      area.select();
      return BY_HAND;
    };
    const copy = async () => {
      status.textContent = await copyText(text, byHand);
    };
    area.value = text;
    const row = element('div', { class: 'hand-in-buttons' }, button('Copy the text', copy), status);
    this.output.replaceChildren(labelField('hand-in-text', 'The text to paste (copy all of it)', area), row);
    area.focus();
    area.select();
  }

  /** Begins again without what was done, answered or kept; of this browser's other chapters, too. */
  leave() {
    forgetAll();
    this.work.forget();
    this.taken = this.code.value = this.name.value = '';
    this.place.replaceChildren();
    delete this.section.dataset.student;
    this.say('The code, your name and your work are no longer kept in this browser.');
    this.code.focus();
  }
}

/**
 * @param {ParentNode} root
 * @param {Host} host
 */
export function mountHandIn(root, host) {
  const section = root.querySelector('.tunables-hand-in');
  if (section instanceof HTMLDetailsElement) new HandIn(section, host);
}
