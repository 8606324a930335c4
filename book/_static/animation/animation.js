// An animation on a page: it replays a run of the chapter's own simulator. A change of the settings asks for another
// run; the clock has the time; the drawing and the sentence are functions of the run and the time alone.
import { Client, LatestOnly } from '../engine/client.js';
import { linkButtons } from '../copying.js';
import { button, readDescription, element } from '../dom.js';
import { renderers } from './renderers.js';
import { Clock, Transport, quiet } from './clock.js';
import { alike, heading, sharing, shortTitles, titles } from './compare.js';
import { Panes } from './panes.js';
import { Place } from './place.js';
import { Interventions, Settings } from './settings.js';
import { Steps } from './steps.js';

const READING_MS = 330; // between two sentences while the run is playing
const ADVICE = 'The animation still shows the previous run.';

export class Animation {
  /**
   * @param {HTMLElement & { animation?: Animation }} section
   * @param {Host} host
   */
  constructor(section, host) {
    section.animation = this; // for readers who are curious, in the browser's console
    this.section = section;
    /** @type {Animated} */
    this.description = readDescription(section, '.animation-description');
    const { bookmarks: [first], deeds: interventions = [], settings, trace } = this.description;
    this.renderer = renderers[this.description.renderer];
    this.state = first.settings;
    /** @type {State | null} */
    this.against = null; // the settings of the other run
    /** @type {Wanted} */
    this.wanted = first;
    this.last_ms = 0;
    this.place = new Place(section, this.description, host.urlState, this.renderer.measure);
    this.clock = new Clock(() => this.show(), () => this.keep());
    this.panes = new Panes(this.renderer, this.clock);
    this.panes.give([this.renderer.prepare(trace)]);
    const inView = interventions.length ? 0 : 1;
    this.settings = new Settings(section.id, settings, (changes) => this.set(changes), inView);
    this.transport = new Transport(section.id, this.clock, this.renderer, this.settings.turn.bind(this.settings));
    this.keeper = button('', () => this.compare());
    this.steps = new Steps(section, this.description.bookmarks, (bookmark) => this.take(bookmark));
    this.interventions = new Interventions(section.id, interventions, () => this.clock, this.act.bind(this));
    this.words = document.createTextNode(''); // changed in place, many times per second
    this.sentence = element('p', { class: 'animation-sentence', role: 'status' }, this.words);
    this.live = this.build();
    this.engine = this.makeEngine(host);
    this.open();
    this.listen(host);
  }

  get trace() {
    return this.panes.all[0].trace;
  }

  build() {
    const { section, panes, transport, interventions, settings, sentence, keeper, steps } = this;
    keeper.className = 'animation-keep';
    const main = element('div', { class: 'animation-main' }, panes.box, transport.row);
    const controls = element('div', { class: 'animation-controls' }, interventions.row, settings.row, keeper);
    const links = linkButtons(section, this.place.urlState, this.place.key);
    if (links.length) controls.append(element('div', { class: 'animation-links quiet-buttons' }, ...links));
    const live = element('div', { class: 'animation-live' }, main, sentence, controls);
    section.prepend(live);
    section.classList.add('is-live');
    const beside = section.closest('.one-screen')?.querySelector('.beside');
    const whole = section.querySelector('.animation-overview');
    if (beside) beside.append(steps.box, ...whole ? [whole] : []);
    else live.after(steps.box);
    transport.setSpeed(this.renderer.pace[1].each);
    transport.rule.textContent = this.renderer.rule(this.trace);
    this.clock.wind(panes.begins, panes.timeOf(this.description.bookmarks[0]));
    panes.measure();
    new IntersectionObserver((seen) => this.clock.setInView(seen[seen.length - 1].isIntersecting)).observe(live);
    return live;
  }

  /** @param {Host} host */
  makeEngine(host) {
    const session = host.animating(this.description);
    const client = new Client({ engine: host.engine, session }, this.sentence, ADVICE, () => this.go(this.wanted));
    return new LatestOnly(client, (/** @type {{ play: Wanted }} */ { play }, reply) => {
      if ('refusal' in reply) client.say(reply.refusal);
      else this.turn(play, [reply.trace, reply.against].filter(Boolean).map(this.renderer.prepare));
    });
  }

  /** @param {Host} host */
  listen(host) {
    this.live.addEventListener('keydown', (event) => {
      if (this.transport.key(event)) event.preventDefault();
    });
    document.addEventListener('click', (event) => {
      const bookmark = this.place.clicked(event);
      if (!bookmark) return;
      event.preventDefault();
      this.take(bookmark);
    }, { signal: host.signal });
    host.follow({ moved: () => this.open() });
  }

  /** Bring the animation into view for a reader who came by a link to a bookmark. After a reload the browser does. */
  arrive() {
    const [came] = performance.getEntriesByType('navigation');
    const first = came instanceof PerformanceNavigationTiming && came.type === 'navigate' && scrollY === 0;
    if (first) (this.section.closest('.one-screen') ?? this.section).scrollIntoView();
  }

  /** Tell the page which step the reader has reached. @param {Bookmark} bookmark */
  tellStep({ name }) {
    this.section.dispatchEvent(new CustomEvent('step', { bubbles: true, detail: `#${this.section.id}-${name}` }));
  }

  /** Go to a bookmark, and show where. @param {Bookmark} bookmark */
  take(bookmark) {
    this.taken = bookmark;
    this.tellStep(bookmark);
    this.panes.box.scrollIntoView({ block: 'nearest' });
    this.go(this.runInto(bookmark));
  }

  /** The run into a bookmark, where it rests: from the time shown, if the reader is on the way to it.
   * @param {Bookmark} bookmark @returns {Wanted} */
  runInto({ settings, against, at, since }) {
    if (since === null || quiet()) return { settings, against, at };
    const here = alike(settings, this.state) && alike(against, this.against) ? this.panes.moment.at : since;
    return { settings, against, at: since < here && here < at ? here : since, until: at };
  }

  open() {
    this.taken = this.place.bookmark(location.hash);
    if (this.taken) {
      this.tellStep(this.taken);
      this.arrive();
    }
    this.go(this.place.read((kept) => ({ ...this.settings.read(kept), ...this.interventions.read(kept) })));
  }

  /** Go on from an intervention of the reader: the run before it stays the same.
   * @param {string} deeds all interventions @param {number} [until] */
  act(deeds, until) {
    const { settings, against } = this.wanted, { moment } = this.panes;
    this.clock.pause();
    this.go({ settings: { ...settings, deeds }, against, ...moment, until });
  }

  /** @param {State} changes */
  set(changes) {
    const { settings, against } = this.wanted;
    this.go({ settings: { ...settings, ...changes }, against });
  }

  // Keep this run beside the next settings, or drop the run that is kept.
  compare() {
    const { settings, against } = this.wanted, { moment } = this.panes;
    this.go({ settings, against: against ? null : settings, ...moment });
  }

  /** @param {Wanted} wanted */
  go(wanted) {
    const against = sharing(wanted.settings, wanted.against);
    this.wanted = { ...wanted, against };
    this.settings.show(wanted.settings);
    this.interventions.show(wanted.settings.deeds);
    this.keeper.textContent = against ? 'Drop the saved run' : 'Save run to compare';
    const same = alike(wanted.settings, this.state) && alike(against, this.against);
    if (same && !this.engine.current) this.turn(this.wanted, this.panes.traces);
    else this.engine.ask({ play: this.wanted });
  }

  /** Turn to other runs, at a moment of their own, or in the current round.
   * @param {Wanted} wanted @param {any[]} traces */
  turn({ settings, against = null, at, late, until }, traces) {
    const { clock, panes } = this, [trace] = traces;
    const round = this.renderer.round(panes.all[0].stateAt(clock.t), trace);
    this.state = settings;
    this.against = against;
    const known = this.description.settings, states = against ? [settings, against] : [settings];
    panes.give(traces, {
      heading: heading(known, states), titles: titles(known, states), shortTitles: shortTitles(known, states),
    });
    clock.wind(panes.begins, at === undefined ? round : panes.timeOf({ at, late }));
    if (until !== undefined && !quiet()) clock.play(panes.timeOf({ at: until }));
    else if (at !== undefined || !clock.playing) clock.pause();
    this.mark();
  }

  show() {
    const { clock, panes, sentence } = this;
    panes.show();
    const now_ms = performance.now();
    if (clock.playing && now_ms - this.last_ms < READING_MS) return;
    this.last_ms = now_ms;
    sentence.setAttribute('aria-live', clock.playing ? 'off' : 'polite');
    this.words.data = panes.describe();
    this.transport.show();
  }

  // At rest, write the address.
  keep() {
    this.place.write(this.state, this.against, this.panes.moment);
  }

  // Mark the links in the text, the step, and the animation itself for a link to the step.
  mark() {
    const here = this.place.at(this.state, this.against, this.taken);
    this.section.dataset.step = here?.name ?? '';
    this.place.mark(here);
    this.steps.mark(here);
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function mountAnimation(section, host) {
  return new Animation(section, host);
}
