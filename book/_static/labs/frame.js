// The frame of a lab in the page: a button that runs it and one that stops it, how far it is, what
// it found, and a sentence where it cannot run.
import { button, element } from '../dom.js';
import { Turn } from './turn.js';

/** @typedef {(turn: Turn) => Promise<string>} Act resolves to the sentence at the end */

export class Frame {
  /**
   * @param {HTMLElement} section
   * @param {LabTools} tools
   * @param {Act} act
   */
  constructor(section, tools, act) {
    this.section = section;
    this.tools = tools;
    this.act = act;
    /** @type {Turn | null} */
    this.turn = null; // the one that runs
    this.go = button('Run', () => this.run());
    this.stop = button('Stop', () => this.turn?.stop('Stopped.'));
    this.bar = element('progress', { 'aria-label': 'How far the lab is', max: 1, value: 0 });
    this.told = element('span', { class: 'run-progress' });
    this.said = element('p', { class: 'lab-said', role: 'status' });
    this.found = element('div', { class: 'lab-found' });
    this.settings = element('div', { class: 'run-bar' });
    const row = element('div', { class: 'run-bar' }, this.go, this.stop, this.bar, this.told);
    section.append(this.settings, row, this.said, this.found);
    this.rest('ready', '');
    Object.assign(section, { frame: this });
  }

  /**
   * What the section shows when nothing runs.
   * @param {string} state
   * @param {string} words
   */
  rest(state, words) {
    this.section.dataset.state = state;
    this.told.textContent = '';
    this.said.textContent = words;
    this.bar.hidden = true;
    this.swap(this.stop, this.go);
  }

  begin() {
    this.section.dataset.state = 'running';
    this.found.replaceChildren();
    this.said.textContent = 'Running.';
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
    this.told.textContent = words;
  }

  async run() {
    if (this.turn) return;
    const turn = new Turn(this.section.dataset.lab ?? '', this.tools);
    this.turn = turn;
    this.begin();
    const ended = await turn.until(this.act(turn)).then(
      (words) => ({ state: 'done', words }),
      (error) => ({ state: 'ended', words: error.message }),
    );
    await turn.end();
    this.turn = null;
    this.rest(ended.state, ended.words);
  }

  /**
   * One takes the place of the other, and its focus.
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
   * A table among what was found, which grows by its rows.
   * @param {string} caption
   * @param {string[]} heads
   */
  table(caption, heads) {
    const body = element('tbody');
    const head = element('tr', {}, ...heads.map((text) => element('th', { scope: 'col' }, text)));
    const table = element('table', { class: 'explorer-table' }, element('caption', {}, caption));
    table.append(element('thead', {}, head), body);
    const region = { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': caption };
    this.found.append(element('div', region, table));
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
   * What the reader guessed, beside what was found: a sentence for the end, or none.
   * @param {number} measured
   * @param {number} digits
   */
  guessed(measured, digits) {
    const guess = this.tools.guess();
    return guess === null ? '' : ` You guessed ${guess}; it is ${measured.toFixed(digits)}.`;
  }

  /** @param {string} sentence among what was found */
  tell(sentence) {
    this.found.append(element('p', {}, sentence));
  }
}
