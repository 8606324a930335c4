// The lab Your numbers in the page: the chapters' fits applied to a reader's own numbers, which never leave the page.
import { copyButtons } from '../../copying.js';
import { element } from '../../dom.js';
import { LabFrame, LabStopped, Plot } from '../frame.js';
import { Choices, Sources } from './form.js';

/**
 * @typedef {[string, string[], [string, ...string[]][]]} Rows caption, heads, rows
 * @typedef {{ sentences: string[], tables: Rows[], result: any }} Report
 */

/** Makes an error of a refusal by the page's Python. @param {string} words */
function refusal(words) {
  const end = /[.?!]$/.test(words) ? '' : '.';
  return new LabStopped(words.charAt(0).toUpperCase() + words.slice(1) + end);
}

/** What one fit may ask and do. */
class FitRun {
  /**
   * @param {Lab} lab
   * @param {import('../frame.js').LabRun} labRun
   * @param {import('./form.js').Source} source
   */
  constructor(lab, labRun, source) {
    this.lab = lab;
    this.labRun = labRun;
    this.source = source;
    this.choices = lab.choices;
    this.offer = lab.sources.chosenOffer;
    this.worker = labRun.worker();
    this.worker.catch(() => {}); // reported when something is read
  }

  /**
   * Asks the chapter's Python.
   * @param {string} name a function of tunables/page/labs/your_numbers.py
   * @param {object} given
   */
  ask(name, given) {
    const { chapter } = this.offer;
    const context = ['patterns', 'find_separators'].includes(name) ? {} : { chapter };
    return this.labRun.until(this.lab.ask(name, { ...context, ...given }));
  }

  /**
   * Asks the worker to read the reader's numbers.
   * @param {string} act
   * @param {object} request
   */
  async read(act, request) {
    const { worker, wasm } = await this.labRun.until(this.worker);
    const { chapter, wanted } = this.offer;
    const { blob, made } = this.source;
    const onNote = (/** @type {{ share: number }} */ { share }) => this.lab.frame.progress(share, 1, 'Reading.');
    return this.labRun.ask(worker, { act, blob, made, chapter, wanted, wasm, ...request }, { onNote });
  }

  fitting() {
    this.lab.frame.progress(1, 1, 'Fitting.');
  }

  /**
   * @param {Report} report
   * @param {SVGElement} [drawn]
   */
  show(report, drawn) {
    this.lab.show(report, drawn);
  }

  /** @param {number} measured */
  guessText(measured) {
    return this.lab.frame.guessText(measured, 0);
  }
}

/** @typedef {{ name: string, misses: number[] }} Line */

/** @param {Line[]} lines */
function describeLines(lines) {
  const parts = lines.map(({ name, misses }) => {
    const [first, last] = [misses[0], misses[misses.length - 1]].map((ratio) => ratio.toFixed(2));
    return `${name}, from ${first} to ${last}`;
  });
  return `Miss ratio against cache size in keys: ${parts.join('; ')}. The table has the numbers.`;
}

/**
 * @param {number[]} at capacities, in keys
 * @param {Line[]} lines
 */
function plotCurve(at, lines) {
  const plot = new Plot(at[at.length - 1], 'keys', lines.map(({ name }) => name));
  plot.describe(describeLines(lines));
  lines.forEach(({ misses }, number) => {
    misses.forEach((ratio, place) => plot.point(number, at[place], ratio));
  });
  return plot.drawn;
}

const POINTS = 60;

/**
 * @typedef {{ half: object, distinct: number, misses: Int32Array, later: number }} Counted
 * @typedef {Counted & { requests: number, keys: number, read_ms: number, count_ms: number }} Found
 */

/** Fits a trace of keys, and plots its miss-ratio curve beside the model's. @param {FitRun} run */
async function runKeys(run) {
  const found = await run.read('keys', { column: run.choices.keyColumn });
  if (found.columns && !run.choices.keyColumn) run.choices.askKeys(found.columns);
  if (found.refusal) throw new LabStopped(found.refusal);
  return fitKeys(run, found);
}

/**
 * @param {FitRun} run
 * @param {Found} found
 */
async function fitKeys(run, { misses, later, requests, keys, read_ms, count_ms, half, distinct }) {
  run.fitting();
  const missesAt = (/** @type {number[]} */ at) => at.map((room) => misses[room] / later);
  const held = await run.ask('capacities', { keys: distinct });
  const counted = { ...half, measured: missesAt(held).map((ratio, place) => [held[place], ratio]) };
  const report = await run.ask('finish_fit', { counted });
  const shares = Array.from({ length: POINTS }, (_, point) => (point + 1) / POINTS);
  const at = await run.ask('capacities', { keys, shares });
  const model = await run.ask('curve', { counted, at });
  const lines = [{ name: 'measured', misses: missesAt(at) }, { name: 'model', misses: model }];
  run.show({ ...report, requests, keys, read_ms, count_ms }, plotCurve(at, lines));
  const { n, cliff } = report.result;
  const [many, different, known] = [requests, keys, distinct].map((number) => number.toLocaleString('en'));
  return `${many} requests for ${different} keys were read. The model’s parameters come from the first half of `
    + `the requests, which are for ${known} keys, and the model was tested on the second half. Counting the exact `
    + `misses at every cache size took ${Math.ceil(count_ms)} ms. Nothing was sent.`
    + (n ? run.guessText(cliff) : '');
}

/** @param {FitRun} run */
async function columnsOf(run) {
  const { unchosen } = run.choices;
  const holding = unchosen.join(' and the one that holds ');
  if (unchosen.length) throw new LabStopped(`Choose the column that holds ${holding}.`);
  const { refusal: reason, line, first } = await run.read('first', {});
  if (reason) throw new LabStopped(reason);
  const found = await run.ask('places', { line, first, named: run.choices.meaning });
  if (!found.refusal) return found.columns;
  if (found.lacking.length) {
    run.choices.askColumns(found.lacking, first);
    throw refusal(`${found.refusal}, or choose the columns here`);
  }
  const { reads } = run.offer;
  throw refusal(reads ? `${found.refusal}. Or bring ${reads}` : found.refusal);
}

/** Fits a table, which the worker reads and counts. @param {FitRun} run */
async function runTable(run) {
  const request = { columns: await columnsOf(run), patterns: await run.ask('patterns', {}) };
  let found = await run.read('table', request);
  if (found.doubt) {
    const separators = await run.ask('find_separators', found.doubt);
    found = await run.read('table', { ...request, separators });
  }
  if (found.refusal) throw new LabStopped(found.refusal);
  await run.ask('check_numbers', found.checked);
  run.fitting();
  run.show(await run.ask('finish_fit', { counted: found.counted }));
  return `${found.checked.rows.toLocaleString('en')} rows were read. Nothing was sent.`;
}

/** Fits text that is not a table, which the page's Python reads. @param {FitRun} run */
async function runText(run) {
  const { rows } = run.offer.wanted;
  const { refusal: reason, text } = await run.read('text', {});
  if (reason) throw new LabStopped(reason);
  run.fitting();
  const counted = await run.ask('read', { text });
  run.show(await run.ask('finish_fit', { counted }));
  return `${counted.rows.length} ${rows} were read. Nothing was sent.`;
}

const FIRST = 3; // the chapter shown at first
const ASKED = 'keys'; // the kind of data that the page's question is about
const ENTRY = 'lab.your_numbers'; // in the URL: a result, or "made"
const DATA = 'lab.your_numbers.data'; // in the URL: the chapter whose kind of data is chosen at first
const LONGEST_RUNS = 2 ** 18; // bytes of what load tools print
const READY = 'Everything has loaded; the page makes no more network requests. Choose your kind of data, then add it.';
const FROM_LINK = 'This result was opened from a link, which holds no data. Add your own data to replace it.';
/** @type {Record<string, (run: FitRun) => Promise<string>>} by the kind of a fit's data */
const RUNS = { keys: runKeys, table: runTable, text: runText };

/** @typedef {import('./form.js').Source} Source */

/** @param {object} result */
function address(result) {
  const link = new URL(location.href);
  link.search = new URLSearchParams({ [ENTRY]: JSON.stringify(result) }).toString();
  link.hash = 'lab-your_numbers';
  return link.href;
}

class Lab {
  /**
   * @param {HTMLElement} section
   * @param {LabTools} tools
   */
  constructor(section, tools) {
    this.section = section;
    this.session = tools.law(); // one for all runs, so that nothing is fetched after the reader brings numbers
    /** @type {Source | null} */
    this.source = null;
    const asked = new URLSearchParams(location.search);
    this.linked = asked.get(ENTRY) ?? '';
    this.chapter = asked.get(DATA) ?? '';
    this.frame = new LabFrame(section, tools, (labRun) => this.run(labRun));
    this.sources = new Sources(section, (source) => this.take(source), () => this.leave());
    this.choices = new Choices(() => this.frame.run());
    this.frame.settings.append(...this.sources.fields);
    this.frame.settings.after(this.choices.box);
    this.frame.rest('', 'Loading.');
    this.ready = Promise.all([this.ask('list_fits', {}), tools.loadScript('labs/your_numbers-worker.js')]);
    this.ready.then(([offers]) => this.begin(offers), (error) => this.frame.rest('ended', error.message));
  }

  /** @param {import('./form.js').Offer[]} offers */
  begin(offers) {
    this.sources.offer(offers, FIRST);
    if (this.chapter) this.sources.choose(this.chapter);
    this.showQuestion();
    if (this.linked === 'made') this.sources.takeSample();
    else if (this.linked) this.frame.run();
    else this.frame.rest('ready', READY);
  }

  /** Shows the question before the form only where it is one of the chosen chapter. */
  showQuestion() {
    const other = this.sources.chosenOffer.wanted.kind !== ASKED;
    for (const part of this.section.querySelectorAll('.lab-question, .lab-guess')) {
      /** @type {HTMLElement} */ (part).hidden = other;
    }
  }

  /**
   * @param {string} name a function of tunables/page/labs/your_numbers.py
   * @param {object} given
   */
  async ask(name, given) {
    const reply = await this.session.ask({ function: name, arguments: given });
    if ('refusal' in reply) throw refusal(reply.refusal);
    return reply.answer;
  }

  /** Stops the run, and forgets the choices for the old numbers. @param {string} why */
  async clear(why) {
    this.frame.labRun?.stop(why);
    while (this.frame.labRun) await new Promise((resolve) => setTimeout(resolve));
    this.linked = '';
    this.choices.forget();
  }

  /** Forgets the numbers, because another chapter was chosen; a paste that is still there may be meant for it. */
  async leave() {
    this.showQuestion();
    await this.clear('You chose another kind of data.');
    this.source = this.sources.pasted;
    this.frame.rest('ready', READY);
  }

  /** @param {Source} source */
  async take(source) {
    await this.clear('You added other numbers.');
    this.source = source;
    await this.frame.run();
  }

  /** @param {import('../frame.js').LabRun} labRun */
  async run(labRun) {
    await labRun.until(this.ready);
    if (this.linked && this.linked !== 'made') return this.showLinked(labRun);
    if (!this.source) {
      throw new LabStopped('There are no numbers yet. Choose a file, drop one here, or paste your numbers.');
    }
    const run = new FitRun(this, labRun, await this.asTable(labRun, this.source));
    const sentence = await RUNS[run.offer.wanted.kind](run);
    return `From ${this.source.name}, ${sentence}`;
  }

  /**
   * Returns what load tools print as a table of their runs, and any other source as it is.
   * @param {import('../frame.js').LabRun} labRun
   * @param {Source} source
   * @returns {Promise<Source>}
   */
  async asTable(labRun, source) {
    const { blob } = source;
    const mayBeRuns = blob && blob.size <= LONGEST_RUNS && this.sources.chosenOffer.wanted.kind === 'table';
    const table = mayBeRuns && await labRun.until(this.ask('table_of_runs', { text: await blob.text() }));
    return table ? { ...source, blob: new Blob([table]) } : source;
  }

  /** @param {import('../frame.js').LabRun} labRun */
  async showLinked(labRun) {
    let result;
    try {
      result = JSON.parse(this.linked);
    } catch {
      throw new LabStopped('This link doesn’t hold the result of a fit.');
    }
    const report = await labRun.until(this.ask('link_result', { result }));
    this.sources.choose(report.result.chapter);
    this.showQuestion();
    this.show(report);
    return FROM_LINK;
  }

  /**
   * @param {Report} report
   * @param {SVGElement} [drawn]
   */
  show(report, drawn) {
    const { sentences: [verdict, ...others], tables, result } = report;
    this.frame.results.replaceChildren(element('p', {}, element('strong', {}, verdict)));
    if (drawn) this.frame.results.append(drawn);
    for (const sentence of others) this.frame.tell(sentence);
    const all = element('details', {}, element('summary', {}, 'All numbers from the fit'));
    this.frame.results.append(all);
    for (const [caption, heads, rows] of tables) {
      const table = this.frame.table(caption, heads, all);
      rows.forEach(table.row);
    }
    const link = element('div', { class: 'run-bar' }, ...copyButtons({ 'Copy link': () => address(result) }));
    this.frame.results.append(link, element('p', {}, 'The link holds only the numbers in the result, not your data.'));
    Object.assign(this.section, { results: report });
  }
}

/**
 * @param {HTMLElement} section
 * @param {LabTools} tools
 */
export function open(section, tools) {
  new Lab(section, tools);
}
