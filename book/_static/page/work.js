// What a student has done on a chapter's page: the guesses, the steps reached, the map, the card's own numbers, and
// the answers to the problems of the hand-in.
import { readDescription } from '../dom.js';
import { keep, recall } from './kept.js';

const LONGEST_GUESS = 60;

/** Text by name, of what may be anything. @param {unknown} kept @returns {Record<string, string>} */
function texts(kept) {
  if (!(kept instanceof Object)) return {};
  return Object.fromEntries(Object.entries(kept).map(([name, text]) => [name, String(text)]));
}

/**
 * How many steps of some animations were reached, and how many there are. An animation begins at its first step, which
 * so counts as reached once another is.
 * @param {string[][]} animations the links of each animation's steps
 * @param {Set<string>} reached
 * @returns {[number, number]}
 */
export function countSteps(animations, reached) {
  const counts = animations.map((links) => {
    const others = links.slice(1).filter((link) => reached.has(link)).length;
    return others + Number(links.length > 0 && (others > 0 || reached.has(links[0])));
  });
  const add = (/** @type {number} */ sum, /** @type {number} */ count) => sum + count;
  return [counts.reduce(add, 0), animations.map(({ length }) => length).reduce(add, 0)];
}

/**
 * What is kept of a student's work; parts of it may be missing or damaged.
 * @param {Record<string, any>} kept
 */
function readKept({ guesses, steps, map, own_numbers: own, answers }) {
  return {
    guesses: texts(guesses),
    steps: new Set(Array.isArray(steps) ? steps.map(String) : []),
    map: map === true,
    own_numbers: own === true,
    answers: texts(answers),
  };
}

export class Work {
  /**
   * @param {ParentNode} root
   * @param {string} chapter
   * @param {UrlState} urlState
   */
  constructor(root, chapter, urlState) {
    this.root = root;
    this.chapter = chapter;
    this.urlState = urlState;
    this.owner = ''; // the student for whom it is kept, once there is a code
    this.done = readKept({});
  }

  get key() {
    return `${this.owner}.${this.chapter}`;
  }

  /**
   * From now on the work is a student's: it goes on from what was kept. What was done before there was any code counts,
   * and what another student has done does not.
   * @param {string} student
   */
  belongTo(student) {
    if (student === this.owner) return;
    const before = this.owner ? readKept({}) : this.done;
    this.owner = student;
    const { guesses, steps, map, own_numbers: own, answers } = readKept(recall(this.key));
    this.done = {
      guesses: { ...guesses, ...before.guesses },
      steps: new Set([...steps, ...before.steps]),
      map: map || before.map,
      own_numbers: own || before.own_numbers,
      answers,
    };
  }

  forget() {
    this.owner = '';
    this.done = readKept({});
  }

  /** Notes what the address has of the guesses, and keeps all of it; returns whether the browser did. */
  keep() {
    const { done } = this;
    for (const name of this.questions()) {
      const guess = this.urlState.read(`guess.${name}`);
      if (guess !== null) done.guesses[name] = guess.slice(0, LONGEST_GUESS);
    }
    return this.owner === '' || keep(this.key, { ...done, steps: [...done.steps] });
  }

  /** @returns {string[]} the names of the page's questions to guess */
  questions() {
    const sections = Array.from(this.root.querySelectorAll('.tunables-guess'));
    return sections.map((section) => readDescription(section, '.guess-description').name);
  }

  /** @returns {HandInRecord} */
  record() {
    const steps = Array.from(this.root.querySelectorAll('.animation-steps'), (box) => (
      Array.from(box.querySelectorAll('a.step'), (link) => link.getAttribute('href') ?? '')));
    const { guesses, steps: reached, ...rest } = this.done;
    return {
      ...rest,
      guesses: this.questions().map((name) => [name, guesses[name] ?? '']),
      steps: countSteps(steps, reached),
    };
  }

  /** Notes what the reader does on the page. @param {() => void} changed */
  watch(changed) {
    const note = (/** @type {() => void} */ act) => {
      act();
      changed();
    };
    this.root.addEventListener('step', (event) => {
      note(() => this.done.steps.add(/** @type {CustomEvent} */ (event).detail));
    });
    this.root.addEventListener('input', ({ target }) => {
      if (within(target, '.tunables-card')) note(() => (this.done.own_numbers = true));
      if (within(target, '.tunables-validity')) note(() => (this.done.map = true));
    });
    for (const type of ['click', 'keydown']) {
      this.root.addEventListener(type, (event) => {
        if (within(event.target, '.validity-grid') && isMove(event)) note(() => (this.done.map = true));
      });
    }
  }
}

/** @param {EventTarget | null} target @param {string} part */
function within(target, part) {
  return target instanceof Element && target.closest(part) !== null;
}

/** Whether an event does something in the map; Tab only passes through. @param {Event} event */
function isMove(event) {
  return !(event instanceof KeyboardEvent) || event.key.startsWith('Arrow');
}
