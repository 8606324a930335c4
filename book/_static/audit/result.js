// What the audit says of one table: its findings, and its cells with a mark each.
import { button, element } from '../dom.js';

/** @type {Record<AuditVerdict, { mark: string, words: string }>} */
const STATES = {
  follows: { mark: '=', words: 'the other cells give exactly this' },
  possible: { mark: '~', words: 'possible' },
  impossible: { mark: '✗', words: 'impossible' },
  unchecked: { mark: '·', words: 'not checked' },
};

/** @type {Record<string, { down: number, right: number } | undefined>} by key */
const STEPS = {
  ArrowDown: { down: 1, right: 0 },
  ArrowUp: { down: -1, right: 0 },
  ArrowRight: { down: 0, right: 1 },
  ArrowLeft: { down: 0, right: -1 },
};

const MARGIN_PX = 24; // beside a number that is brought into view

/** @typedef {{ columns: Record<string, string>, turned: boolean | null }} Chosen the reader's corrections of a table */

/** Says what the marks mean that occur. @param {AuditedTable[]} tables */
export function legend(tables) {
  const known = new Set(tables.flatMap(({ cells }) => cells.map(({ verdict }) => verdict)));
  const states = Object.entries(STATES).filter(([state]) => known.has(/** @type {AuditVerdict} */ (state)));
  const parts = states.map(([, { mark, words }]) => (
    element('span', {}, element('span', { class: 'audit-mark', 'aria-hidden': 'true' }, mark), ` ${words}`)));
  return element('p', { class: 'audit-legend' }, ...parts);
}

export class TableResult {
  /**
   * @param {AuditedTable} table
   * @param {{ index: number, count: number, open: boolean }} place among the tables of the text
   * @param {[string, string][]} menu of meanings
   * @param {(change: Partial<Chosen>) => void} correct
   */
  constructor(table, { index, count, open }, menu, correct) {
    this.table = table;
    this.index = index;
    this.menu = menu;
    this.correct = correct;
    /** @type {Map<string, AuditedCell>} by row and column as printed, from 1 */
    this.known = new Map(table.cells.map((cell) => [`${cell.row} ${cell.column}`, cell]));
    /** @type {Map<string, number>} the number of the finding that blames a cell */
    this.blamed = new Map(table.findings.flatMap(({ cells }, number) => (
      cells.map(([row, column]) => /** @type {[string, number]} */ ([`${row} ${column}`, number + 1])))));
    /** @type {HTMLElement[][]} the cells that hold numbers, row by row */
    this.grid = [];
    this.detail = element('p', { class: 'audit-detail', role: 'status' });
    const name = element('strong', {}, this.nameOf(count));
    const summary = element('summary', {}, name, ` ${table.summary}`);
    this.element = element('details', { class: 'audit-table' }, summary, this.cells(), this.detail);
    this.element.append(...this.findings(), ...this.remarks(), this.turnedField());
    this.element.open = open;
    this.tellNone();
  }

  /** @param {number} count */
  nameOf(count) {
    const { title, kind, line } = this.table;
    const place = count > 1 ? `Table ${this.index + 1} of ${count}` : 'The table';
    return `${place}${title ? `, “${title}”` : ''} (${kind}, line ${line}).`;
  }

  findings() {
    const { findings } = this.table;
    if (!findings.length) return [];
    return [element('ol', { class: 'audit-findings' }, ...findings.map((finding) => this.finding(finding)))];
  }

  /** @param {AuditedTable['findings'][number]} finding */
  finding({ cells, sentences: [first, ...others], other_ways: ways, laws }) {
    const [[row, column]] = cells;
    const show = button(`Show row ${row}`, () => this.at(row, column)?.focus());
    const formulas = laws.map(({ name, formula, source }) => element('p', {}, `${name}: ${formula} (${source}).`));
    const why = element('details', {}, element('summary', {}, 'The law, and other possible explanations'), ...formulas);
    if (ways) why.append(element('p', {}, ways));
    return element('li', {}, element('strong', {}, first), ` ${others.join(' ')} `, show, why);
  }

  remarks() {
    return this.table.remarks.map((remark) => element('p', { class: 'audit-remark' }, `Note: ${remark}`));
  }

  turnedField() {
    const { turned } = this.table;
    const box = element('input', { type: 'checkbox', id: `audit-turned-${this.index}` });
    box.checked = turned;
    box.addEventListener('change', () => this.correct({ turned: box.checked, columns: {} }));
    const words = 'Each column, not each row, is one run';
    return element('p', { class: 'audit-turned' }, box, element('label', { for: box.id }, words));
  }

  cells() {
    const { heads, rows, turned } = this.table;
    const top = heads.map((head, index) => element('th', { scope: 'col' }, head, ...this.menuOf(turned ? -1 : index)));
    const body = rows.map((row, number) => this.row(row, number));
    const table = element('table', { class: 'explorer-table audit-cells', dir: 'auto' });
    const caption = 'The table with its marks. The arrow keys move from number to number.';
    table.append(
      element('caption', { class: 'visually-hidden' }, caption),
      element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'Row'), ...top)),
      element('tbody', {}, ...body),
    );
    table.addEventListener('keydown', (event) => this.move(event));
    table.addEventListener('focusin', ({ target }) => this.tell(/** @type {HTMLElement} */ (target)));
    this.grid = this.grid.filter((cells) => cells.length);
    if (this.grid.length) this.grid[0][0].tabIndex = 0;
    const region = { class: 'table-scroll', role: 'region', tabindex: 0, 'aria-label': this.nameOf(2) };
    const scroll = element('div', region, table);
    scroll.addEventListener('scroll', () => scroll.toggleAttribute('data-moved', scroll.scrollLeft > 0));
    requestAnimationFrame(() => this.reveal(scroll));
    return scroll;
  }

  /**
   * Moves the table so that its first impossible number is in view, and no column is cut at the left.
   * @param {HTMLElement} scroll
   */
  reveal(scroll) {
    const wrong = this.grid.flat().find(({ dataset }) => dataset.verdict === 'impossible');
    if (!wrong) return;
    const least = wrong.offsetLeft + wrong.offsetWidth + MARGIN_PX - scroll.clientWidth;
    const [first, ...heads] = /** @type {HTMLElement[]} */ ([...scroll.querySelectorAll('thead th')]);
    const starts = heads.map(({ offsetLeft }) => offsetLeft - first.offsetWidth);
    scroll.scrollLeft = starts.find((start) => start >= least) ?? least;
    scroll.scrollTop = wrong.offsetTop + wrong.offsetHeight * 2 - scroll.clientHeight;
  }

  /**
   * @param {string[]} texts
   * @param {number} number
   */
  row(texts, number) {
    const { turned } = this.table;
    /** @type {HTMLElement[]} */
    const numeric = [];
    this.grid.push(numeric);
    const cells = texts.map((text, column) => {
      const cell = this.known.get(`${number + 1} ${column + 1}`);
      if (!cell) return element('td', {}, text, ...this.menuOf(turned && column === 0 ? number + 1 : -1));
      const made = this.numeric(text, cell);
      numeric.push(made);
      return made;
    });
    return element('tr', {}, element('th', { scope: 'row' }, String(number + 1)), ...cells);
  }

  /**
   * Makes a cell that holds a number.
   * @param {string} text
   * @param {AuditedCell} cell
   */
  numeric(text, { row, column, verdict }) {
    const { mark, words } = STATES[verdict];
    const number = this.blamed.get(`${row} ${column}`) ?? '';
    const made = element('td', { 'data-verdict': verdict, 'data-cell': `${row} ${column}`, tabindex: -1 }, `${text} `);
    made.append(
      element('span', { class: 'audit-mark', 'aria-hidden': 'true' }, `${mark}${number}`),
      element('span', { class: 'visually-hidden' }, `, ${words}${number && `, finding ${number}`}`),
    );
    return made;
  }

  /** Makes the menu of a column's meaning, or nothing. @param {number} index as the audit counts columns, or -1 */
  menuOf(index) {
    const column = this.table.columns[index];
    if (!column) return [];
    const value = column.meaning === 'percentile' ? `percentile:${column.p}` : column.meaning;
    const known = this.menu.some(([meaning]) => meaning === value);
    const menu = known ? this.menu : [...this.menu, [value, `p${100 * (column.p ?? 0)}`]];
    const label = `What ${column.head || `column ${index + 1}`} means`;
    const id = `audit-meaning-${this.index}-${index}`;
    const select = element('select', { id, 'aria-label': label, title: label });
    select.append(...menu.map(([meaning, words]) => element('option', { value: meaning }, words)));
    select.value = value;
    select.addEventListener('change', () => this.correct({ columns: { [index]: select.value } }));
    return [select];
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  at(row, column) {
    return this.grid.flat().find(({ dataset }) => dataset.cell === `${row} ${column}`);
  }

  /** Moves from number to number by the arrow keys. @param {KeyboardEvent} event */
  move(event) {
    const step = STEPS[event.key];
    const target = /** @type {HTMLElement} */ (event.target);
    const row = this.grid.findIndex((cells) => cells.includes(target));
    if (!step || row < 0) return;
    const cells = this.grid[row + step.down];
    const next = cells?.[Math.min(this.grid[row].indexOf(target) + step.right, cells.length - 1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  tellNone() {
    this.detail.textContent = 'Press a number to see what the other cells say about it.';
  }

  /** Says what is known of a number. @param {HTMLElement} target */
  tell(target) {
    const cell = this.known.get(target.dataset.cell ?? '');
    if (!cell) return;
    for (const each of this.grid.flat()) each.tabIndex = each === target ? 0 : -1;
    const { row, printed, verdict, disputed, sentence, laws } = cell;
    const state = `${printed}${verdict === 'follows' ? ':' : ' is'} ${STATES[verdict].words}`;
    const words = disputed ? [`Row ${row}: ${sentence}`] : [`Row ${row}: ${state}.`, sentence];
    if (laws.length) words.push(`Checked with: ${laws.join(', ')}.`);
    this.detail.textContent = words.filter(Boolean).join(' ');
  }
}
