// The ledger's table: filters, sorting, downloads of the lines shown, all kept in the URL; and simulations.
import { button, element, find, readDescription } from '../dom.js';
import { NotSimulated, runsText, Simulation } from '../explorer/simulation.js';
import { differing } from '../explorer/state.js';
import { nextSort, selectLines, toCsv, USUAL } from './view.js';

/**
 * @typedef {import('./view.js').View} View
 * @typedef {import('./view.js').Choice} Choice
 */

const PREFIX = 'ledger';
const CHOICES = /** @type {Choice[]} */ (Object.keys(USUAL));

/**
 * @param {HTMLAnchorElement} link whose data URL holds the records
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
  /**
   * @param {HTMLElement & { ledger?: Ledger }} section
   * @param {Host} host
   */
  constructor(section, host) {
    section.ledger = this; // for the browser's console
    this.urlState = host.urlState;
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
    this.simulator = new LedgerSimulator(readDescription(section, '.ledger-simulations'), cells, host);
    section.append(this.simulator.announcement);
    this.controls = this.makeControls();
    this.view = this.viewOfUrl();
    this.build(find(section, '.ledger-controls'));
    this.show();
  }

  makeControls() {
    /** @param {string} key */
    const each = (key) => [...new Set(this.lines.map(({ record }) => String(record[key])))];
    return {
      status: menu('Status', 'status', ['all', ...each('status'), 'misfits']),
      chapter: menu('Chapter', 'chapter', ['all', ...each('chapter')]),
      text: { label: 'Search', input: element('input', { type: 'search', id: 'ledger-text' }) },
    };
  }

  // The view that the URL asks for, as far as it exists.
  viewOfUrl() {
    const wanted = { ...USUAL, ...Object.fromEntries(this.urlState.readAll(PREFIX)) };
    const keys = this.headers.map(({ dataset }) => dataset.key);
    /** @param {'status' | 'chapter'} name */
    const isKnown = (name) => [...this.controls[name].input.options].some(({ value }) => value === wanted[name]);
    return {
      status: isKnown('status') ? wanted.status : USUAL.status,
      chapter: isKnown('chapter') ? wanted.chapter : USUAL.chapter,
      text: wanted.text,
      sort: keys.includes(wanted.sort.replace('-', '')) ? wanted.sort : USUAL.sort,
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
    const kept = selectLines(this.lines, this.view);
    this.body.replaceChildren(...kept.map(({ row }) => row));
    this.count.textContent = `${kept.length} of ${this.lines.length} numbers.`;
    for (const name of /** @type {const} */ (['status', 'chapter', 'text'])) {
      const { input } = this.controls[name];
      if (input.value !== this.view[name]) input.value = this.view[name];
    }
    this.headers.forEach((header) => this.markSorted(header));
    this.offer(kept.map(({ record }) => record));
    this.writeUrl();
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
   * Makes the downloads hold the lines shown, in their order.
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

  // Writes what differs from the usual view, and removes what the ledger does not know.
  writeUrl() {
    const unknown = this.urlState.readAll(PREFIX).map(([name]) => [`${PREFIX}.${name}`, null]);
    const present = CHOICES.map((name) => (
      [`${PREFIX}.${name}`, this.view[name] === USUAL[name] ? null : this.view[name]]));
    this.urlState.write(Object.fromEntries([...unknown, ...present]));
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function mountLedger(section, host) {
  return new Ledger(section, host);
}

// "Simulate" in the ledger runs the published experiment at a line's settings, and shows the result below the
// printed number in every line with these settings.

/** @typedef {NonNullable<LedgerSimulations['rows'][number]> & { press: HTMLButtonElement, place: HTMLElement }} Line */

class LedgerSimulator {
  /**
   * @param {LedgerSimulations} description
   * @param {HTMLElement[]} cells of the simulated numbers
   * @param {Host} host
   */
  constructor({ cases, rows }, cells, host) {
    const simulated = Object.entries(cases).map(([name, each]) => [name, new Simulation(host, each)]);
    /** @type {Record<string, Simulation>} */
    this.simulations = Object.fromEntries(simulated);
    /** @type {{ line: Line } | null} */
    this.running = null;
    this.announcement = element('p', { class: 'visually-hidden', role: 'status' });
    const isSimulated = (/** @type {string} */ name) => host.simulates(cases[name].simulation);
    this.lines = rows.map((row, index) => (row && isSimulated(row.case) ? this.makeLine(row, cells[index]) : null));
  }

  /**
   * @param {NonNullable<LedgerSimulations['rows'][number]>} row
   * @param {HTMLElement} cell
   * @returns {Line}
   */
  makeLine(row, cell) {
    const label = cell.closest('tr')?.querySelector('th')?.textContent;
    const place = element('span', { class: 'simulated' });
    /** @type {Line} */
    const line = { ...row, place, press: button('Simulate', () => this.press(line)) };
    line.press.setAttribute('aria-label', `Simulate ${label}`);
    cell.append(line.press, place);
    return line;
  }

  /** @param {Line} line */
  press(line) {
    if (this.running?.line === line) this.simulations[line.case].cancel();
    else this.run(line).catch(() => {}); // the reader has been told
  }

  /**
   * Resolves to {output: [mean, half-width]} at the settings of a line, counted from 0.
   * @param {number} index
   */
  async simulate(index) {
    const line = this.lines[index];
    if (!line) throw new NotSimulated('This number has no simulation.');
    return this.run(line);
  }

  /** @param {Line} line */
  async run(line) {
    if (this.running) this.simulations[this.running.line.case].cancel();
    const running = { line };
    this.running = running;
    const simulation = this.simulations[line.case];
    const experiment = { state: line.state, seed: simulation.description.simulation.seed };
    this.mark(line, 'Cancel', 'Simulating.');
    try {
      const { intervals } = await simulation.run(experiment, (...progress) => this.show(line, ...progress));
      this.end(running, line.place.textContent);
      return intervals;
    } catch (error) {
      this.end(running, /** @type {Error} */ (error).message);
      throw error;
    }
  }

  /**
   * @param {{ line: Line }} running
   * @param {string} words
   */
  end(running, words) {
    const again = this.running !== running && this.running?.line === running.line;
    if (!again) this.mark(running.line, 'Simulate', words);
    if (this.running === running) this.running = null;
  }

  /**
   * @param {Line} line
   * @param {string} name
   * @param {string} words
   */
  mark({ press, place }, name, words) {
    const label = press.getAttribute('aria-label') ?? '';
    press.textContent = name;
    press.setAttribute('aria-label', label.replace(/^\w+/, name));
    place.textContent = words;
    this.announcement.textContent = words;
  }

  /**
   * @param {Line} line
   * @param {ReplicationReport} reply
   * @param {number} done
   * @param {number} count
   */
  show(line, { texts }, done, count) {
    const progress = done < count ? `${done} of ${runsText(count)}` : runsText(count);
    for (const each of this.lines) {
      const same = each?.case === line.case && !differing(each.state, line.state).length;
      if (each && same) each.place.textContent = `${texts[each.output]}, ${progress}`;
    }
  }
}
