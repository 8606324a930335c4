// Wakes the ledger's table: filters, sorting, downloads of what is shown, all kept in the link.
import { toCsv } from './csv.js';
import { button, described, element, find } from './dom.js';
import { LedgerSimulate } from './ledger-simulate.js';
import { nextSort, shownLines, USUAL } from './ledger-view.js';
import { readEntries, writeEntries } from './link.js';
import { site } from './site.js';

/**
 * @typedef {import('./ledger-view.js').View} View
 * @typedef {import('./ledger-view.js').Choice} Choice
 */

const PREFIX = 'ledger';
const CHOICES = /** @type {Choice[]} */ (Object.keys(USUAL));

/**
 * @param {HTMLAnchorElement} link that holds the records as a data address
 * @returns {LedgerRecord[]}
 */
function records(link) {
  const bytes = Uint8Array.from(atob(link.href.split(',')[1]), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/**
 * @param {string} label
 * @param {string} name
 * @param {string[]} choices
 */
function menu(label, name, choices) {
  const options = choices.map((each) => element('option', { value: each }, each));
  return { label, input: element('select', { id: `ledger-${name}` }, ...options) };
}

class Ledger {
  /** @param {HTMLElement & { ledger?: Ledger }} section */
  constructor(section) {
    section.ledger = this; // for the curious, in the browser's console
    this.count = find(section, '.ledger-count');
    this.body = find(section, 'tbody');
    this.headers = [...section.querySelectorAll('th')].filter(({ dataset }) => dataset.key);
    this.links = [...section.querySelectorAll('a')].filter(({ dataset }) => dataset.kind);
    const numbers = this.links.filter(({ dataset }) => dataset.kind === 'json').flatMap(records);
    this.fields = Object.keys(numbers[0]);
    this.lines = [...this.body.querySelectorAll('tr')].map((row, index) => (
      { row, record: numbers[index], text: (row.textContent ?? '').toLowerCase() }));
    const column = this.headers.findIndex(({ dataset }) => dataset.key === 'simulated');
    const cells = this.lines.map(({ row }) => row.cells[column]);
    this.simulating = new LedgerSimulate(described(section, '.ledger-simulations'), cells, site);
    section.append(this.simulating.said);
    this.controls = this.makeControls();
    this.view = this.linkedView();
    this.build(find(section, '.ledger-controls'));
    this.show();
  }

  makeControls() {
    /** @param {string} key */
    const each = (key) => [...new Set(this.lines.map(({ record }) => String(record[key])))];
    return {
      status: menu('Status', 'status', ['all', ...each('status'), 'misfits']),
      chapter: menu('Chapter', 'chapter', ['all', ...each('chapter')]),
      text: { label: 'Words', input: element('input', { type: 'search', id: 'ledger-text' }) },
    };
  }

  // What the address asks for, where there is such a thing.
  linkedView() {
    const asked = { ...USUAL, ...Object.fromEntries(readEntries(PREFIX)) };
    const keys = this.headers.map(({ dataset }) => dataset.key);
    /** @param {'status' | 'chapter'} name */
    const known = (name) => [...this.controls[name].input.options].some(({ value }) => value === asked[name]);
    return {
      status: known('status') ? asked.status : USUAL.status,
      chapter: known('chapter') ? asked.chapter : USUAL.chapter,
      text: asked.text,
      sort: keys.includes(asked.sort.replace('-', '')) ? asked.sort : USUAL.sort,
    };
  }

  /** @param {HTMLElement} place */
  build(place) {
    for (const [name, { label, input }] of Object.entries(this.controls)) {
      input.addEventListener('input', () => this.change({ [name]: input.value }));
      place.append(element('div', {}, element('label', { for: input.id }, label), input));
    }
    place.append(button('Show all', () => this.change(USUAL)));
    for (const header of this.headers) {
      const sort = () => this.change({ sort: nextSort(this.view.sort, header.dataset.key ?? '') });
      header.replaceChildren(button(header.textContent ?? '', sort));
    }
  }

  /** @param {Partial<View>} changes */
  change(changes) {
    this.view = { ...this.view, ...changes };
    this.show();
  }

  show() {
    const kept = shownLines(this.lines, this.view);
    this.body.replaceChildren(...kept.map(({ row }) => row));
    this.count.textContent = `${kept.length} of ${this.lines.length} numbers.`;
    for (const name of /** @type {const} */ (['status', 'chapter', 'text'])) {
      const { input } = this.controls[name];
      if (input.value !== this.view[name]) input.value = this.view[name];
    }
    this.headers.forEach((header) => this.markSorted(header));
    this.offer(kept.map(({ record }) => record));
    this.remember();
  }

  /** @param {HTMLElement} header */
  markSorted(header) {
    const { key } = header.dataset;
    const { sort } = this.view;
    header.removeAttribute('aria-sort');
    if (sort === key) header.setAttribute('aria-sort', 'ascending');
    if (sort === `-${key}`) header.setAttribute('aria-sort', 'descending');
  }

  /**
   * Downloads hold what is shown, in its order.
   * @param {LedgerRecord[]} rows
   */
  offer(rows) {
    for (const link of this.links) {
      if (link.href.startsWith('blob:')) URL.revokeObjectURL(link.href);
      const file = link.dataset.kind === 'csv'
        ? new Blob([toCsv(rows, this.fields)], { type: 'text/csv' })
        : new Blob([`${JSON.stringify(rows, null, 1)}\n`], { type: 'application/json' });
      link.href = URL.createObjectURL(file);
    }
  }

  // The address keeps what is not as usual, and nothing that the ledger does not know.
  remember() {
    const strange = readEntries(PREFIX).map(([name]) => [`${PREFIX}.${name}`, null]);
    const present = CHOICES.map((name) => (
      [`${PREFIX}.${name}`, this.view[name] === USUAL[name] ? null : this.view[name]]));
    writeEntries(Object.fromEntries([...strange, ...present]));
  }
}

/** @param {HTMLElement} section */
export function wakeLedger(section) {
  return new Ledger(section);
}
