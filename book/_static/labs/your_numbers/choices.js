// What the reader must say of a table: which column is which.
import { element, labelled } from '../../dom.js';

/**
 * @param {string} id
 * @param {string} text
 * @param {[string | number, string][]} options value, words
 * @param {() => void} changed
 */
function select(id, text, options, changed) {
  const made = element('select', {}, ...options.map(([value, words]) => element('option', { value }, words)));
  made.addEventListener('change', changed);
  return { made, part: labelled(id, text, made) };
}

/** @param {string[]} columns */
function numbered(columns) {
  return columns.map((cell, place) => /** @type {[number, string]} */ ([place, `${place}: ${cell}`]));
}

/** @param {string[]} columns names where they tell the columns apart, else numbers */
function named(columns) {
  const headless = columns.some((cell) => cell !== '' && !Number.isNaN(Number(cell)));
  if (headless) return numbered(columns);
  return columns.map((cell, place) => {
    return /** @type {[string | number, string]} */ ([columns.indexOf(cell) === place ? cell : place, cell]);
  });
}

export class Choices {
  /** @param {() => void} chosen all that was asked */
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

  /** The column of the keys: its heading or its number. @returns {string | null} */
  get ofKeys() {
    return this.column?.value || null;
  }

  /** What headings mean: place -> a spelling of a column. @returns {Record<string, string>} */
  get meaning() {
    return Object.fromEntries(this.lacking.map(({ place, spelling }) => [place.value, spelling.value]));
  }

  /** @param {string[]} columns of a trace */
  askKeys(columns) {
    this.forget();
    const options = /** @type {[string | number, string][]} */ ([['', 'choose'], ...named(columns)]);
    const { made, part } = select('your-numbers-column', 'Column of the keys', options, this.chosen);
    this.column = made;
    this.show([part]);
  }

  /**
   * @param {string[][]} lacking the spellings of each column that was not found
   * @param {string[]} columns of the table
   */
  askColumns(lacking, columns) {
    this.forget();
    const options = /** @type {[string | number, string][]} */ ([['', 'choose'], ...numbered(columns)]);
    const changed = () => {
      const places = this.lacking.map(({ place }) => place.value);
      if (places.every(Boolean)) this.chosen();
    };
    for (const spellings of lacking) {
      const [name] = spellings;
      const place = select(`your-numbers-${name}`, `Column of ${name}`, options, changed);
      const units = spellings.map((spelling) => /** @type {[string, string]} */ ([spelling, spelling]));
      const spelling = select(`your-numbers-${name}-unit`, 'read as', units, changed);
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
