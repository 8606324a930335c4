// Where a table comes from: a paste, a file chosen or dropped, or a sample.
import { button, element, labelField } from '../dom.js';
import { InputError, pieces } from '../labs/your_numbers/text.js';

const LARGEST_MIB = 1; // of a file; the page says of a smaller one whether it is short enough
const PAUSE_MS = 300; // after the last key

/** Reads a file as text. @param {File} file */
async function textOf(file) {
  if (file.size > LARGEST_MIB * 2 ** 20) {
    throw new InputError(
      `${file.name} is larger than ${LARGEST_MIB} MiB. To audit it, run python -m tunables audit FILE.`);
  }
  let text = '';
  for await (const [piece] of pieces(file)) text += piece;
  return text;
}

/**
 * @typedef {object} Audit
 * @property {(text: string, name: string, whole: boolean) => void} take
 * @property {(sample: string) => void} choose called with the name of a sample
 * @property {(words: string) => void} refuse
 */

export class Sources {
  /**
   * @param {HTMLElement} section
   * @param {AuditDescription} description
   * @param {Audit} audit
   */
  constructor(section, description, audit) {
    this.audit = audit;
    this.longest = description.longest_paste;
    this.name = ''; // of the file that the text is from
    const box = { rows: 6, spellcheck: 'false', autocomplete: 'off', dir: 'auto', wrap: 'off' };
    this.box = element('textarea', { ...box, placeholder: 'Markdown, HTML, CSV, wrk…' });
    this.file = element('input', { type: 'file', accept: '.md,.csv,.tsv,.txt,.html,.htm,.log' });
    const samples = description.samples.map(({ name, title }) => button(title, () => audit.choose(name)));
    this.pasted = false; // what the box holds since the last key
    this.field = labelField('audit-text', 'Paste a table, or a page that contains tables', this.box);
    const name = element('span', {}, 'Or try a published table');
    this.samples = element('p', { class: 'audit-samples quiet-buttons' }, name, ...samples);
    /** The other way to bring a table, which folds once there is one. */
    this.others = element(
      'details',
      { class: 'audit-others', open: '' },
      element('summary', {}, 'Or open a file'),
      labelField('audit-file', 'Choose a file, or drop one here', this.file),
    );
    this.listen(section);
  }

  /** @param {HTMLElement} section */
  listen(section) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let waiting;
    this.box.addEventListener('input', () => {
      clearTimeout(waiting);
      const whole = this.pasted;
      this.pasted = false;
      waiting = setTimeout(() => this.audit.take(this.box.value, this.name, whole), PAUSE_MS);
    });
    this.box.addEventListener('paste', (event) => this.paste(event));
    this.file.addEventListener('change', () => this.takeFile(this.file.files?.[0]));
    section.addEventListener('dragover', (event) => event.preventDefault());
    section.addEventListener('drop', (event) => this.drop(event));
  }

  /**
   * Shows a text in the box. A text too long to be judged is left out, because it would slow down the page.
   * @param {string} text
   * @param {string} name of its file, if it has one
   */
  show(text, name) {
    this.name = name;
    if (text.length <= this.longest) this.box.value = text;
  }

  /**
   * @param {string} text
   * @param {string} name
   */
  take(text, name) {
    this.show(text, name);
    this.audit.take(text, name, true);
  }

  /**
   * A long paste never gets into the box; any other one is put there by the browser.
   * @param {ClipboardEvent} event
   */
  paste(event) {
    const text = event.clipboardData?.getData('text') ?? '';
    this.name = '';
    this.pasted = text.length <= this.longest;
    if (text.length <= this.longest) return;
    event.preventDefault();
    this.audit.take(text, '', true);
  }

  /** @param {DragEvent} event */
  drop(event) {
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData('text') ?? '';
    if (!file && event.target === this.box) return; // the browser puts the text where it falls
    event.preventDefault();
    if (file) this.takeFile(file);
    else if (text) this.take(text, '');
  }

  /** @param {File | undefined} file */
  async takeFile(file) {
    if (!file) return;
    try {
      this.take(await textOf(file), file.name);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.audit.refuse(error.message);
    }
    this.file.value = ''; // so that the same file can be chosen again
  }
}
