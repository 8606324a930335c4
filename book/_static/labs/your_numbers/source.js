// Where the reader's numbers come from: a file chosen or dropped, a paste, or made-up ones. A paste
// never reaches the box: a million lines in it would freeze the page.
import { button, element, labelled } from '../../dom.js';

/**
 * @typedef {{ blob?: Blob, made?: string, name: string }} Source made: a chapter
 * @typedef {{ chapter: string, number: number, bring: string, columns: string, wanted: any }} Offer
 */

export class Sources {
  /**
   * @param {HTMLElement} section
   * @param {(source: Source) => void} take
   * @param {() => void} changed another chapter
   */
  constructor(section, take, changed) {
    this.take = take;
    /** @type {Offer[]} */
    this.offers = [];
    this.chapter = element('select');
    this.wants = element('p', { class: 'run-note' });
    this.file = element('input', { type: 'file', accept: '.csv,.txt,.tsv,.log' });
    this.box = element('textarea', { rows: 1, placeholder: 'Paste here' });
    this.chapter.addEventListener('change', () => {
      this.tellColumns();
      changed();
    });
    this.file.addEventListener('change', () => this.takeFile(this.file.files?.[0]));
    this.box.addEventListener('paste', (event) => this.paste(event));
    this.box.addEventListener('change', () => this.takeText(this.box.value));
    section.addEventListener('dragover', (event) => event.preventDefault());
    section.addEventListener('drop', (event) => this.drop(event));
  }

  get fields() {
    return [
      labelled('your-numbers-chapter', 'What have you got?', this.chapter),
      this.wants,
      labelled('your-numbers-file', 'A file, chosen or dropped here', this.file),
      labelled('your-numbers-paste', 'or pasted', this.box),
      button('Try made-up numbers', () => this.takeMade()),
    ];
  }

  /**
   * @param {Offer[]} offers
   * @param {number} first the chapter that is shown
   */
  offer(offers, first) {
    this.offers = offers;
    this.chapter.replaceChildren(...offers.map(({ chapter, number, bring }) => {
      return element('option', { value: chapter }, `${bring} (chapter ${number})`);
    }));
    this.choose(offers.find(({ number }) => number === first)?.chapter);
  }

  /** @param {string | undefined} chapter */
  choose(chapter) {
    if (this.offers.some((offer) => offer.chapter === chapter)) this.chapter.value = chapter ?? '';
    this.tellColumns();
  }

  tellColumns() {
    const { columns, wanted } = this.offered;
    this.wants.textContent = `${wanted.kind === 'text' ? 'Bring' : 'Columns:'} ${columns}.`;
  }

  /** @returns {Offer} of the chapter that is chosen */
  get offered() {
    return this.offers[this.chapter.selectedIndex];
  }

  takeMade() {
    this.take({ made: this.offered.chapter, name: `made-up numbers: ${this.offered.bring}` });
  }

  /** @param {File | undefined} file */
  takeFile(file) {
    if (file) this.take({ blob: file, name: file.name });
    this.file.value = ''; // the same one may be chosen again
  }

  /** @param {string} text */
  takeText(text) {
    if (text) this.take({ blob: new Blob([text]), name: 'what was pasted' });
    this.box.value = '';
  }

  /** @param {DataTransfer | null} brought @param {Event} event */
  takeBrought(brought, event) {
    event.preventDefault();
    const file = brought?.files[0];
    if (file) this.takeFile(file);
    else this.takeText(brought?.getData('text') ?? '');
  }

  /** @param {ClipboardEvent} event */
  paste(event) {
    this.takeBrought(event.clipboardData, event);
  }

  /** @param {DragEvent} event */
  drop(event) {
    this.takeBrought(event.dataTransfer, event);
  }
}
