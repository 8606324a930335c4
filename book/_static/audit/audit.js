// The page "Audit a table": a reader's table goes to the book's Python, and comes back with a verdict on each cell.
import { button, element, find, printAlone, readDescription } from '../dom.js';
import { Client, LatestOnly } from '../engine/client.js';
import { entriesOf, NOTHING, readChosen } from './link.js';
import { legend, TableResult } from './result.js';
import { Sources } from './sources.js';

/**
 * @typedef {import('./result.js').Chosen} Chosen
 * @typedef {import('./link.js').Request} Request
 * @typedef {ReplyOf<'tunables.audit.session:AuditSession'>} Reply
 */

const EMPTY = 'Paste a table: the page then marks every number that its own table makes impossible.';

const UNCHECKED = 'No law fits these columns, so nothing is checked. The menus in the heads say what each was read as.';

/**
 * @param {number} count
 * @param {string} word
 */
function plural(count, word) {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** Says in a sentence what was found. @param {AuditedTable[]} tables */
function verdict(tables) {
  const verdicts = tables.flatMap(({ cells }) => cells.map((cell) => cell.verdict));
  const numbers = verdicts.length;
  const impossible = verdicts.filter((each) => each === 'impossible').length;
  const where = `the ${plural(numbers, 'number')}${tables.length > 1 ? ` in ${tables.length} tables` : ''}`;
  if (!numbers) return 'There are no numbers in this, so there is nothing to judge.';
  if (verdicts.every((each) => each === 'unchecked')) return UNCHECKED;
  if (!impossible) return `Nothing is impossible among ${where}.`;
  return `${impossible} of ${where} ${impossible === 1 ? 'is' : 'are'} impossible.`;
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied.';
  } catch {
    return 'The browser does not let this page copy.';
  }
}

class Audit {
  /**
   * @param {HTMLElement} section
   * @param {Host} host
   */
  constructor(section, host) {
    /** @type {AuditDescription} */
    this.description = readDescription(section, '.audit-description');
    this.section = section;
    this.host = host;
    this.urlState = host.urlState;
    this.sample = ''; // the name of the one that is shown unchanged
    /** @type {Request} */
    this.request = { text: '', name: '', chosen: [] };
    this.markdown = '';
    this.said = find(section, '.audit-said');
    this.results = find(section, '.audit-results');
    /** @type {LatestOnly<Request, Reply>} */
    this.asking = new LatestOnly(this.client(), (request, reply) => this.answer(request, reply));
    this.sources = new Sources(section, this.description, this);
    find(section, '.audit-form').append(...this.sources.fields);
    host.follow({ moved: () => this.open() });
    this.open();
  }

  client() {
    const { host } = this;
    const message = find(this.section, '.audit-message');
    message.textContent = '';
    return new Client(
      { engine: host.engine, session: host.session('tunables.audit.session:AuditSession', {}) },
      message,
      'Your table stays as it is.',
      () => this.asking.ask(this.request),
    );
  }

  /** Opens what the address keeps. */
  open() {
    const kept = Object.fromEntries(this.urlState.readAll('audit'));
    const sample = this.description.samples.find(({ name }) => name === kept.sample);
    const text = sample?.text ?? kept.text ?? '';
    const name = sample ? `${sample.name}.csv` : kept.name ?? '';
    this.sample = sample?.name ?? '';
    this.sources.show(text, name);
    this.ask({ text, name, chosen: readChosen(kept.read) });
  }

  /** @param {string} sample its name */
  choose(sample) {
    this.write({ ...NOTHING, sample });
    this.open();
  }

  /**
   * @param {string} text
   * @param {string} name of its file
   */
  take(text, name) {
    this.sample = '';
    this.ask({ text, name, chosen: [] });
  }

  /** @param {Request} request */
  ask(request) {
    this.request = request;
    this.section.dataset.state = 'asking';
    this.keep();
    if (request.text.trim()) this.asking.ask(request);
    else this.rest('empty', EMPTY);
  }

  /** Whether a link can hold the table. */
  get fits() {
    return Boolean(this.sample) || this.request.text.length <= this.description.longest_link;
  }

  /** Keeps the table and its corrections in the address. */
  keep() {
    this.write(this.fits ? entriesOf(this.sample, this.request) : NOTHING);
  }

  /** @param {Record<string, string | null>} entries */
  write(entries) {
    const keys = Object.entries(entries).map(([name, value]) => [`audit.${name}`, value]);
    this.urlState.write(Object.fromEntries(keys));
  }

  /**
   * @param {string} state
   * @param {string} words
   */
  rest(state, words) {
    this.section.dataset.state = state;
    this.said.textContent = words;
    if (state !== 'done') this.results.replaceChildren();
  }

  /** @param {string} words */
  refuse(words) {
    this.rest('refused', words);
  }

  /**
   * @param {Request} request
   * @param {Reply} reply
   */
  answer(request, reply) {
    if (request !== this.request) return; // a later one waits
    if ('refusal' in reply) return this.refuse(reply.refusal);
    const { tables, markdown } = reply;
    this.markdown = markdown;
    const focused = this.focusedMenu();
    const some = tables.some(({ findings }) => findings.length);
    const shown = tables.map((table, index) => {
      const open = tables.length === 1 || table.findings.length > 0 || (!some && index === 0);
      const place = { index, count: tables.length, open };
      return new TableResult(table, place, this.description.menu, (change) => this.correct(index, change));
    });
    this.results.replaceChildren(legend(), ...shown.map((each) => each.element), this.buttons());
    if (focused) find(this.results, focused).focus();
    this.rest('done', verdict(tables));
  }

  /** Returns the selector of the menu or box that the reader is in, which the next answer replaces. */
  focusedMenu() {
    const root = /** @type {Document | ShadowRoot} */ (this.section.getRootNode());
    const { activeElement } = root;
    if (!activeElement || !this.results.contains(activeElement)) return '';
    return activeElement.id ? `#${activeElement.id}` : '';
  }

  /**
   * @param {number} index of the table
   * @param {Partial<Chosen>} change
   */
  correct(index, change) {
    const chosen = [...this.request.chosen];
    while (chosen.length <= index) chosen.push(null);
    const old = chosen[index] ?? { columns: {}, turned: null };
    const columns = 'turned' in change ? {} : { ...old.columns, ...change.columns };
    chosen[index] = { ...old, ...change, columns };
    this.ask({ ...this.request, chosen });
  }

  buttons() {
    const done = element('span', { role: 'status' });
    const say = async (/** @type {Promise<string>} */ words) => {
      done.textContent = await words;
    };
    const made = [];
    if (this.urlState.address) made.push(button('Copy a link that holds the table', () => say(this.copyLink())));
    made.push(button('Copy as Markdown', () => say(copy(this.markdown))));
    if (this.host.prints) made.push(button('Print this', () => printAlone(this.section)));
    return element('div', { class: 'audit-buttons quiet-buttons' }, ...made, done);
  }

  async copyLink() {
    const { request: { text }, description: { longest_link: longest } } = this;
    if (!this.fits) {
      return `The table has ${text.length} characters, and a link holds at most ${longest}. Copy it as Markdown.`;
    }
    this.keep();
    return copy(this.urlState.address?.(this.section) ?? '');
  }
}

/**
 * @param {HTMLElement & { audit?: Audit }} section
 * @param {Host} host
 */
export function mountAudit(section, host) {
  section.audit = new Audit(section, host); // for the browser's console
  return section.audit;
}
