// The page "Audit a table": a reader's table goes to the book's Python, and comes back with a verdict on each cell.
import { copyText } from '../copying.js';
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

const EMPTY = 'Paste a table, and the page marks each number that can’t be true if the others are.';

/** @param {string} text */
const copy = (text) => copyText(text, () => 'The browser blocks copying from this page. Allow it, then try again.');

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
    /** @type {Request | null} */
    this.own = null; // the reader's table while a sample is shown
    this.reveals = false; // whether the next verdict is brought into view
    this.said = find(section, '.audit-said');
    this.results = find(section, '.audit-results');
    /** @type {LatestOnly<Request, Reply>} */
    this.asking = new LatestOnly(this.client(), (request, reply) => this.answer(request, reply));
    this.sources = new Sources(section, this.description, this);
    const { field, samples, others } = this.sources;
    find(section, '.audit-form').append(field, samples, others);
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
    this.setAside(sample);
    const text = sample?.text ?? kept.text ?? '';
    const name = sample ? `${sample.name}.csv` : kept.name ?? '';
    this.sample = sample?.name ?? '';
    this.sources.show(text, name);
    this.ask({ text, name, chosen: readChosen(kept.read) });
  }

  /** @param {string} sample its name */
  choose(sample) {
    this.write({ ...NOTHING, sample });
    this.reveals = true;
    this.open();
  }

  /**
   * @param {string} text
   * @param {string} name of its file
   * @param {boolean} whole whether it came as a whole, and was not typed
   */
  take(text, name, whole) {
    this.sample = '';
    this.reveals = whole;
    this.ask({ text, name, chosen: [] });
  }

  /**
   * Keeps the reader's own table while a sample is shown.
   * @param {AuditDescription['samples'][number] | undefined} sample
   */
  setAside(sample) {
    if (sample && !this.sample && this.request.text.trim()) this.own = this.request;
  }

  /** Shows the reader's own table again, as it was. */
  back() {
    const { own } = this;
    if (!own) return;
    this.sample = '';
    this.sources.show(own.text, own.name);
    this.ask(own);
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
    const { tables, headline, markdown } = reply;
    this.markdown = markdown;
    const focused = this.focusedMenu();
    const some = tables.some(({ findings }) => findings.length);
    const shown = tables.map((table, index) => {
      const open = tables.length === 1 || table.findings.length > 0 || (!some && index === 0);
      const place = { index, count: tables.length, open };
      return new TableResult(table, place, this.description.menu, (change) => this.correct(index, change));
    });
    this.results.replaceChildren(legend(tables), ...shown.map((each) => each.element), this.buttons());
    if (focused) find(this.results, focused).focus();
    this.rest('done', headline);
    this.reveal();
  }

  /** Brings the verdict on a table into view, and folds the other way to bring one. */
  reveal() {
    if (!this.reveals) return;
    this.reveals = false;
    this.sources.others.open = false;
    this.said.scrollIntoView({ block: 'nearest' });
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
    if (this.sample && this.own) made.push(button('Back to your table', () => this.back()));
    if (this.urlState.address) made.push(button('Copy a link that holds the table', () => say(this.copyLink())));
    made.push(button('Copy as Markdown', () => say(this.copyMarkdown())));
    if (this.host.prints) made.push(button('Print this', () => printAlone(this.section)));
    return element('div', { class: 'audit-buttons quiet-buttons' }, ...made, done);
  }

  copyMarkdown() {
    const address = this.urlState.address?.(this.section, 'audit');
    return copy(address ? `${this.markdown}\n\n[This table in Tunables](${address})` : this.markdown);
  }

  async copyLink() {
    const { request: { text }, description: { longest_link: longest } } = this;
    if (!this.fits) {
      return `The table has ${text.length} characters, but a link holds at most ${longest}. `
        + 'Copy the table as Markdown instead.';
    }
    this.keep();
    return copy(this.urlState.address?.(this.section, 'audit') ?? '');
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
