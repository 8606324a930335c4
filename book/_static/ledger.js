// Wakes the ledger's table: filters, sorting, downloads of what is shown, all kept in the link.
import { button, element } from './controls.js';
import { readEntries, writeEntries } from './link.js';

const PREFIX = 'ledger';
const USUAL = { status: 'all', chapter: 'all', text: '', sort: '' };

function records(link) {
  const bytes = Uint8Array.from(atob(link.href.split(',')[1]), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

// As Python's csv module writes them.
function csvCell(value) {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function toCsv(rows, fields) {
  return [fields, ...rows.map((row) => fields.map((field) => row[field]))]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function compare(a, b) {
  if (typeof a === 'string') return a.localeCompare(b, 'en', { numeric: true });
  return a - b;
}

class Ledger {
  constructor(section, numbers) {
    this.section = section;
    this.count = section.querySelector('.ledger-count');
    this.body = section.querySelector('tbody');
    this.headers = [...section.querySelectorAll('thead th')];
    this.links = [...section.querySelectorAll('.ledger-downloads a')];
    this.lines = [...this.body.rows].map((row, index) => ({ row, record: numbers[index], text: row.textContent.toLowerCase() }));
    this.state = { ...USUAL };
    for (const [name, value] of readEntries(PREFIX)) if (name in USUAL) this.state[name] = value;
    const keys = this.headers.map(({ dataset }) => dataset.key);
    if (!keys.includes(this.state.sort.replace('-', ''))) this.state.sort = USUAL.sort;
    this.build();
    this.show();
  }

  build() {
    const statuses = [...new Set(this.lines.map(({ record }) => record.status))];
    const chapters = [...new Set(this.lines.map(({ record }) => String(record.chapter)))];
    this.controls = {
      status: this.menu('Status', 'status', ['all', ...statuses, 'misfits']),
      chapter: this.menu('Chapter', 'chapter', ['all', ...chapters]),
      text: element('input', { type: 'search', id: 'ledger-text' }),
    };
    this.controls.text.addEventListener('input', () => this.change({ text: this.controls.text.value }));
    const labelled = Object.entries(this.controls).map(([name, control]) => element(
      'div',
      {},
      element('label', { for: control.id }, name === 'text' ? 'Words' : control.title),
      control,
    ));
    Object.values(this.controls).forEach((control) => control.removeAttribute('title'));
    this.section.querySelector('.ledger-controls').append(...labelled, button('Show all', () => this.change(USUAL)));
    for (const header of this.headers) {
      header.replaceChildren(button(header.textContent, () => this.sort(header.dataset.key)));
    }
  }

  menu(title, name, choices) {
    const select = element('select', { id: `ledger-${name}`, title }, ...choices.map((each) => element('option', { value: each }, each)));
    if (!choices.includes(this.state[name])) this.state[name] = USUAL[name];
    select.addEventListener('input', () => this.change({ [name]: select.value }));
    return select;
  }

  change(changes) {
    this.state = { ...this.state, ...changes };
    this.show();
  }

  // Up, then down, then back to the order of the documents; an error by its size, the worst first.
  sort(key) {
    const [first, second] = key === 'error' ? [`-${key}`, key] : [key, `-${key}`];
    const { sort } = this.state;
    this.change({ sort: sort === first ? second : sort === second ? '' : first });
  }

  keeps({ record, text }) {
    const { status, chapter, text: words } = this.state;
    const of = status === 'all' || (status === 'misfits' ? record.agrees === false : record.status === status);
    return of && (chapter === 'all' || String(record.chapter) === chapter) && text.includes(words.toLowerCase());
  }

  ordered(lines) {
    const { sort } = this.state;
    if (!sort) return lines;
    const down = sort.startsWith('-');
    const key = sort.replace('-', '');
    const value = ({ record }) => (key === 'error' && record.error !== null ? Math.abs(record.error) : record[key] ?? null);
    const empty = lines.filter((line) => value(line) === null); // they stand last, either way
    const full = lines.filter((line) => value(line) !== null);
    full.sort((a, b) => (down ? -1 : 1) * compare(value(a), value(b)));
    return [...full, ...empty];
  }

  show() {
    const kept = this.ordered(this.lines.filter((line) => this.keeps(line)));
    this.body.replaceChildren(...kept.map(({ row }) => row));
    this.count.textContent = `${kept.length} of ${this.lines.length} numbers.`;
    for (const [name, control] of Object.entries(this.controls)) {
      if (control.value !== this.state[name]) control.value = this.state[name];
    }
    for (const header of this.headers) {
      const { key } = header.dataset;
      const way = { [key]: 'ascending', [`-${key}`]: 'descending' }[this.state.sort];
      if (way) header.setAttribute('aria-sort', way);
      else header.removeAttribute('aria-sort');
    }
    this.offer(kept.map(({ record }) => record));
    this.remember();
  }

  // Downloads hold what is shown, in its order.
  offer(rows) {
    const fields = Object.keys(this.lines[0].record);
    const files = { csv: [toCsv(rows, fields), 'text/csv'], json: [`${JSON.stringify(rows, null, 1)}\n`, 'application/json'] };
    for (const link of this.links) {
      if (link.href.startsWith('blob:')) URL.revokeObjectURL(link.href);
      const [text, type] = files[link.dataset.kind];
      link.href = URL.createObjectURL(new Blob([text], { type }));
    }
  }

  remember() {
    const strange = readEntries(PREFIX).map(([name]) => [`${PREFIX}.${name}`, null]);
    const present = Object.entries(this.state).map(([name, value]) => (
      [`${PREFIX}.${name}`, value === USUAL[name] ? null : value]));
    writeEntries(Object.fromEntries([...strange, ...present]));
  }
}

export function wakeLedger(section) {
  const numbers = records(section.querySelector('[data-kind="json"]'));
  section.ledger = new Ledger(section, numbers); // for the curious, in the browser's console
}
