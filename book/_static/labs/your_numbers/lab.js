// Lab 7 in the page: the fits of the chapters to a reader's own numbers, which never leave the page.
import { copyButton } from '../../copy-link.js';
import { element } from '../../dom.js';
import { Frame } from '../frame.js';
import { Ended } from '../turn.js';
import { Choices } from './choices.js';
import { runKeys } from './keys_run.js';
import { refused, Run } from './run.js';
import { Sources } from './source.js';
import { runTable } from './table_run.js';
import { runText } from './text_run.js';

const FIRST = 3; // the chapter that is shown at first
const ENTRY = 'lab.your_numbers'; // of the address: a result, or "made"
const READY = 'All is here: from now on the page asks for nothing. Say what you have got, and bring it.';
const FROM_LINK = 'This is a result from a link. It holds no data: bring your own, and they take its place.';
/** @type {Record<string, (run: Run) => Promise<string>>} by what a fit reads */
const RUNS = { keys: runKeys, table: runTable, text: runText };

/**
 * @typedef {import('./run.js').Report} Report
 * @typedef {import('./source.js').Source} Source
 */

/** @param {object} result */
function address(result) {
  const link = new URL(location.href);
  link.search = new URLSearchParams({ [ENTRY]: JSON.stringify(result) }).toString();
  link.hash = 'lab-your_numbers';
  return link.href;
}

export class Lab {
  /**
   * @param {HTMLElement} section
   * @param {LabTools} tools
   */
  constructor(section, tools) {
    this.section = section;
    this.talk = tools.law(); // one for all runs, so that nothing is fetched once there are data
    /** @type {Source | null} */
    this.source = null;
    this.linked = new URLSearchParams(location.search).get(ENTRY) ?? '';
    this.frame = new Frame(section, tools, (turn) => this.run(turn));
    this.sources = new Sources(section, (source) => this.take(source), () => this.leave());
    this.choices = new Choices(() => this.frame.run());
    this.frame.settings.append(...this.sources.fields);
    this.frame.settings.after(this.choices.box);
    this.frame.rest('', 'Loading.');
    this.ready = Promise.all([this.ask('offered', {}), tools.loadScript('vendor/labs/your_numbers-worker.js')]);
    this.ready.then(([offers]) => this.begin(offers), (error) => this.frame.rest('ended', error.message));
  }

  /** @param {import('./source.js').Offer[]} offers */
  begin(offers) {
    this.sources.offer(offers, FIRST);
    if (this.linked === 'made') this.sources.takeMade();
    else if (this.linked) this.frame.run();
    else this.frame.rest('ready', READY);
  }

  /**
   * @param {string} call a function of tunables/page/labs/your_numbers.py
   * @param {object} given
   */
  async ask(call, given) {
    const reply = await this.talk.ask({ call, given });
    if ('refusal' in reply) throw refused(reply.refusal);
    return reply.answer;
  }

  /** What runs ends, and what was asked of the old numbers with it. @param {string} why */
  async clear(why) {
    this.frame.turn?.stop(why);
    while (this.frame.turn) await new Promise((resolve) => setTimeout(resolve));
    this.linked = '';
    this.choices.forget();
  }

  /** Another chapter was chosen: the numbers were for the one before. */
  async leave() {
    await this.clear('Another chapter was chosen.');
    this.source = null;
    this.frame.rest('ready', READY);
  }

  /** @param {Source} source */
  async take(source) {
    await this.clear('Other numbers have come.');
    this.source = source;
    await this.frame.run();
  }

  /** @param {import('../turn.js').Turn} turn */
  async run(turn) {
    await turn.until(this.ready);
    if (this.linked && this.linked !== 'made') return this.showLinked(turn);
    if (!this.source) throw new Ended('There are no numbers yet: choose a file, drop one here, or paste.');
    const run = new Run(this, turn, this.source);
    const said = await RUNS[run.offer.wanted.kind](run);
    return `Read ${this.source.name}: ${said}`;
  }

  /** @param {import('../turn.js').Turn} turn */
  async showLinked(turn) {
    let result;
    try {
      result = JSON.parse(this.linked);
    } catch {
      throw new Ended('This link holds no result of a fit.');
    }
    const report = await turn.until(this.ask('linked', { result }));
    this.sources.choose(report.result.chapter);
    this.show(report);
    return FROM_LINK;
  }

  /**
   * @param {Report} report
   * @param {SVGElement} [drawn]
   */
  show(report, drawn) {
    const { sentences: [verdict, ...others], tables, result } = report;
    this.frame.found.replaceChildren(element('p', {}, element('strong', {}, verdict)));
    if (drawn) this.frame.found.append(drawn);
    for (const sentence of others) this.frame.tell(sentence);
    for (const [caption, heads, rows] of tables) {
      const table = this.frame.table(caption, heads);
      rows.forEach(table.row);
    }
    const link = element('div', { class: 'run-bar' }, ...copyButton(() => address(result)));
    this.frame.found.append(link, element('p', {}, 'The link holds the result in numbers, and not your data.'));
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
