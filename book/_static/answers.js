// The text that gives a question's answer waits until its reader has guessed, or skipped.
import { linkedTo } from './opening.js';

/**
 * The answers that follow a question, up to the next question.
 * @param {HTMLElement} section
 */
function answersTo(section) {
  /** @type {HTMLElement[]} */
  const all = Array.from(document.querySelectorAll('.tunables-guess, .answer'));
  const after = all.slice(all.indexOf(section) + 1);
  const next = after.findIndex((one) => one.matches('.tunables-guess'));
  return next < 0 ? after : after.slice(0, next);
}

export class Answers {
  /**
   * @param {HTMLElement} section the question
   * @param {() => void} wanted what to do when a link, or a search in the page, leads into one
   */
  constructor(section, wanted) {
    this.all = answersTo(section);
    this.wanted = wanted;
    for (const answer of this.all) answer.addEventListener('beforematch', wanted);
    addEventListener('hashchange', () => this.lookUp());
  }

  /** Where no answer is hidden, a link that leads into one needs nothing. */
  lookUp() {
    const target = linkedTo();
    if (!target || !this.all.some((answer) => answer.contains(target))) return;
    this.wanted();
    target.scrollIntoView();
  }

  /** @param {boolean} shown */
  show(shown) {
    for (const answer of this.all) {
      // A browser that knows "until-found" still searches it, others only hide it.
      if (shown) answer.removeAttribute('hidden');
      else answer.setAttribute('hidden', 'until-found');
      answer.dataset.asked = '';
    }
  }
}
