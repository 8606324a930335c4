// The form of the lab Your numbers: where the reader's numbers come from, and which column of a table is which.
import { button, element, labelField } from '../../dom.js';

// Numbers come from a file chosen or dropped, a paste, or a sample. A short paste stays in the text box, to be mended
// if it is refused; a long one never gets there: a million lines in it would freeze the page.

const KEPT = 20_000; // characters at most

/**
 * @typedef {{ blob?: Blob, made?: string, name: string }} Source made: a chapter, for its sample
 * @typedef {{ chapter: string, number: number, bring: string, columns: string, reads: string, wanted: any }} Offer
 * reads: what else than such a table is understood
 */

/** @param {string} text @returns {Source | null} */
function pasted(text) {
  return text ? { blob: new Blob([text]), name: 'the pasted text' } : null;
}

export class Sources {
  /**
   * @param {HTMLElement} section
   * @param {(source: Source) => void} take
   * @param {() => void} changed called when another chapter is chosen
   */
  constructor(section, take, changed) {
    this.take = take;
    /** @type {Offer[]} */
    this.offers = [];
    this.chapter = element('select');
    this.wants = element('p');
    this.file = element('input', { type: 'file', accept: '.csv,.txt,.tsv,.log' });
    this.box = element('textarea', { rows: 3, placeholder: 'Paste here' });
    this.chapter.addEventListener('change', () => {
      this.showColumns();
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
      labelField('your-numbers-chapter', 'What kind of data do you have?', this.chapter),
      this.wants,
      labelField('your-numbers-file', 'Choose a file or drop it here', this.file),
      labelField('your-numbers-paste', 'or paste your numbers', this.box),
      button('Try made-up numbers', () => this.takeSample()),
    ];
  }

  /**
   * @param {Offer[]} offers
   * @param {number} first the chapter shown at first
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
    this.showColumns();
  }

  showColumns() {
    const { columns, reads, wanted } = this.chosenOffer;
    const also = reads && ` Or bring ${reads}.`;
    this.wants.textContent = `${wanted.kind === 'text' ? 'Bring' : 'Columns:'} ${columns}.${also}`;
  }

  /** @returns {Offer} of the chosen chapter */
  get chosenOffer() {
    return this.offers[this.chapter.selectedIndex];
  }

  takeSample() {
    this.box.value = '';
    this.take({ made: this.chosenOffer.chapter, name: `the made-up numbers (${this.chosenOffer.bring})` });
  }

  /** @param {File | undefined} file */
  takeFile(file) {
    if (file) {
      this.box.value = '';
      this.take({ blob: file, name: file.name });
    }
    this.file.value = ''; // so that the same file can be chosen again
  }

  /** What the text box holds. @returns {Source | null} */
  get pasted() {
    return pasted(this.box.value);
  }

  /** @param {string} text in the place of what was pasted before */
  takeText(text) {
    const source = pasted(text);
    if (source) this.take(source);
    this.box.value = text.length > KEPT ? '' : text;
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

/**
 * @param {string} id
 * @param {string} text
 * @param {[string | number, string][]} options value, words
 * @param {() => void} changed
 */
function select(id, text, options, changed) {
  const made = element('select', {}, ...options.map(([value, words]) => element('option', { value }, words)));
  made.addEventListener('change', changed);
  return { made, part: labelField(id, text, made) };
}

/** @param {string[]} columns */
function numberOptions(columns) {
  return columns.map((cell, place) => /** @type {[number, string]} */ ([place, `${place}: ${cell}`]));
}

/** Returns options by name if the names identify the columns, else by number. @param {string[]} columns */
function nameOptions(columns) {
  const headless = columns.some((cell) => cell !== '' && !Number.isNaN(Number(cell)));
  if (headless) return numberOptions(columns);
  return columns.map((cell, place) => {
    return /** @type {[string | number, string]} */ ([columns.indexOf(cell) === place ? cell : place, cell]);
  });
}

/** Asks which column of a table is which. */
export class Choices {
  /** @param {() => void} chosen called when everything is chosen */
  constructor(chosen) {
    this.chosen = chosen;
    this.box = element('div', { class: 'run-bar' });
    this.forget();
  }

  forget() {
    this.box.replaceChildren();
    this.box.hidden = true;
    /** @type {HTMLSelectElement | null} */
    this.column = null; // of the keys
    /** @type {{ place: HTMLSelectElement, spelling: HTMLSelectElement }[]} */
    this.lacking = [];
  }

  /** The heading or the number of the column of keys. @returns {string | null} */
  get keyColumn() {
    return this.column?.value || null;
  }

  /** The meaning of columns: index -> a spelling. @returns {Record<string, string>} */
  get meaning() {
    return Object.fromEntries(this.lacking.map(({ place, spelling }) => [place.value, spelling.value]));
  }

  /** The columns that were asked for and are not chosen yet. */
  get unchosen() {
    return this.lacking.filter(({ place }) => !place.value).map(({ spelling }) => spelling.options[0].value);
  }

  /** @param {string[]} columns of a trace */
  askKeys(columns) {
    this.forget();
    const options = /** @type {[string | number, string][]} */ ([['', 'choose'], ...nameOptions(columns)]);
    const { made, part } = select('your-numbers-column', 'Column that holds the keys', options, this.chosen);
    this.column = made;
    this.show([part]);
  }

  /**
   * @param {string[][]} lacking the spellings of each column that was not found
   * @param {string[]} columns of the table
   */
  askColumns(lacking, columns) {
    this.forget();
    const options = /** @type {[string | number, string][]} */ ([['', 'choose'], ...numberOptions(columns)]);
    const changed = () => {
      const places = this.lacking.map(({ place }) => place.value);
      if (places.every(Boolean)) this.chosen();
    };
    for (const spellings of lacking) {
      const [name] = spellings;
      const place = select(`your-numbers-${name}`, `Column that holds ${name}`, options, changed);
      const units = spellings.map((spelling) => /** @type {[string, string]} */ ([spelling, spelling]));
      const spelling = select(`your-numbers-${name}-unit`, `Unit of ${name}`, units, changed);
      this.lacking.push({ place: place.made, spelling: spelling.made });
      this.show(spellings.length > 1 ? [place.part, spelling.part] : [place.part]);
    }
  }

  /** @param {HTMLElement[]} parts */
  show(parts) {
    this.box.append(...parts);
    this.box.hidden = false;
  }
}
