// Wakes one stage: it replays what a chapter's own simulator did. Settings ask for another run; the
// clock says when; what is drawn and said follows from the run and the time alone.
import { Asker, Latest } from '../asker.js';
import { button, described, element } from '../dom.js';
import { Clock, quiet } from './clock.js';
import { alike, sharing, titles } from './compare.js';
import { Deeds } from './deeds.js';
import { machines } from './machines.js';
import { Panes } from './panes.js';
import { Place } from './place.js';
import { Settings } from './settings.js';
import { Transport } from './transport.js';

const READING_MS = 330; // between two sentences while it runs
const ADVICE = 'The stage still shows the run before.';

export class Stage {
  /**
   * @param {HTMLElement & { stage?: Stage }} section
   * @param {Host} host
   */
  constructor(section, host) {
    section.stage = this; // for the curious, in the browser's console
    this.section = section;
    /** @type {Staged} */
    this.description = described(section, '.stage-description');
    const { beats: [first], deeds = [], settings, trace } = this.description;
    this.machine = machines[this.description.machine];
    this.state = first.settings;
    /** @type {State | null} */
    this.against = null; // the settings of the other run
    /** @type {Wanted} */
    this.wanted = first;
    this.said_ms = 0;
    this.place = new Place(section, this.description, host.entries, this.machine.measure);
    this.clock = new Clock(() => this.show(), () => this.keep());
    this.panes = new Panes(this.machine, this.clock);
    this.panes.give([this.machine.prepare(trace)], []);
    this.settings = new Settings(section.id, settings, (changes) => this.set(changes));
    const turn = this.settings.turn.bind(this.settings);
    this.transport = new Transport(section.id, this.clock, this.machine, turn);
    this.keeper = button('', () => this.compare());
    this.deeds = new Deeds(section.id, deeds, () => this.clock, (done, until) => this.act(done, until));
    this.told = document.createTextNode(''); // changed in place, many times a second
    this.sentence = element('p', { class: 'stage-sentence', role: 'status' }, this.told);
    this.live = this.build();
    this.engine = this.makeEngine(host);
    this.clock.wind(this.panes.begins, this.panes.timeOf(first));
    this.open();
    this.listen(host);
  }

  get trace() {
    return this.panes.all[0].trace;
  }

  build() {
    const { section, panes, transport, deeds, settings, sentence } = this;
    settings.row.append(this.keeper);
    const links = this.description.beats.map(({ name, label }) => (
      element('li', {}, element('a', { href: `#${section.id}-${name}` }, label))));
    const beats = element('ul', { class: 'stage-beats', 'aria-label': 'Moments to look at' }, ...links);
    const main = element('div', { class: 'stage-main' }, panes.box, transport.row, sentence);
    const live = element('div', { class: 'stage-live' }, main, deeds.row, settings.row, beats);
    section.prepend(live);
    section.classList.add('is-live');
    transport.setSpeed(this.machine.pace[1].each);
    transport.rule.textContent = this.machine.rule(this.trace);
    new IntersectionObserver((entries) => this.clock.seen(entries[entries.length - 1].isIntersecting)).observe(live);
    return live;
  }

  /** @param {Host} host */
  makeEngine({ engine, staging }) {
    const talk = staging(this.description);
    const asker = new Asker({ engine, talk }, this.sentence, ADVICE, () => this.go(this.wanted));
    return new Latest(asker, (/** @type {{ play: Wanted }} */ { play }, reply) => {
      if ('refusal' in reply) asker.say(reply.refusal);
      else this.turn(play, [reply.trace, reply.against].filter(Boolean).map(this.machine.prepare));
    });
  }

  /** @param {Host} host */
  listen({ follow, signal }) {
    this.live.addEventListener('keydown', (event) => {
      if (this.transport.key(event)) event.preventDefault();
    });
    document.addEventListener('click', (event) => {
      const beat = this.place.clicked(event);
      if (!beat) return;
      event.preventDefault();
      this.panes.box.scrollIntoView({ block: 'nearest' });
      this.go(beat);
    }, { signal });
    follow({ moved: () => this.open() });
  }

  open() {
    this.go(this.place.read((kept) => ({ ...this.settings.read(kept), ...this.deeds.read(kept) })));
  }

  /** What the reader did, from which the run goes on: what lay before stays the same.
   * @param {string} deeds @param {number} [until] */
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

  // Keeps this run beside what is set next, or drops the one that is kept.
  compare() {
    const { settings, against } = this.wanted, { moment } = this.panes;
    this.go({ settings, against: against ? null : settings, ...moment });
  }

  /** @param {Wanted} wanted */
  go(wanted) {
    const against = sharing(wanted.settings, wanted.against);
    this.wanted = { ...wanted, against };
    this.settings.show(wanted.settings);
    this.deeds.show(wanted.settings.deeds);
    this.keeper.textContent = against ? 'Drop the kept run' : 'Keep this run to compare';
    const same = alike(wanted.settings, this.state) && alike(against, this.against);
    if (same && !this.engine.asked) this.turn(this.wanted, this.panes.traces);
    else this.engine.ask({ play: this.wanted });
  }

  /** Other runs, at a moment of their own, or in the round that was on.
   * @param {Wanted} wanted @param {any[]} traces */
  turn({ settings, against = null, at, late, until }, traces) {
    const { clock, panes } = this, [trace] = traces;
    const round = this.machine.round(panes.all[0].stateAt(clock.t), trace);
    this.state = settings;
    this.against = against;
    panes.give(traces, titles(this.description.settings, against ? [settings, against] : [settings]));
    this.settle();
    clock.wind(panes.begins, at === undefined ? round : panes.timeOf({ at, late }));
    if (until && !quiet()) clock.play(panes.timeOf({ at: until }));
    else if (at !== undefined || !clock.playing) clock.pause();
  }

  // What two runs say stands beneath the part that stays in view on a phone, which has room for one.
  settle() {
    const { against, panes, transport, sentence } = this;
    const before = against ? panes.box.parentElement : transport.row;
    if (sentence.previousElementSibling !== before) before?.after(sentence);
  }

  show() {
    const { clock, panes, sentence } = this;
    panes.show();
    const now_ms = performance.now();
    if (clock.playing && now_ms - this.said_ms < READING_MS) return;
    this.said_ms = now_ms;
    sentence.setAttribute('aria-live', clock.playing ? 'off' : 'polite');
    this.told.data = panes.tell();
    this.transport.show();
  }

  // At rest: what the address and the links in the text say.
  keep() {
    this.place.write(this.state, this.against, this.panes.moment);
    this.place.mark(this.state, this.against);
  }
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function wakeStage(section, host) {
  return new Stage(section, host);
}
