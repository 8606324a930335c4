// Links in the text that set an explorer: <a href="#explore-rdu?max_delay_s=0.025">, and with
// "&chart=2" its second chart. What a link does not name stands as it did at the start, so that its
// words hold wherever it is opened.
import { hashOf, markCurrent } from './dom.js';
import { isAt, readState } from './state.js';

export class Setters {
  /** @param {import('./explorer.js').Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.section = explorer.section;
    this.description = explorer.description;
    /** @type {State | null} */
    this.followed = null; // what a link asked for
    document.addEventListener('click', (event) => {
      const said = this.clicked(event);
      if (!said) return;
      event.preventDefault();
      this.follow(said);
    }, { signal: explorer.host.signal });
  }

  /**
   * What an address within a page says of this explorer.
   * @param {string} hash
   */
  read(hash) {
    const [to, query] = hash.split('?');
    if (to !== `#${this.section.id}` || query === undefined) return null;
    const named = new URLSearchParams(query), chart = Number(named.get('chart'));
    named.delete('chart');
    return { ...readState([...named], this.description), chart };
  }

  // Where the explorer is to stand: as the address keeps it, or by the link that opened the page.
  kept() {
    const entries = this.explorer.host.entries.readEntries(this.description.name);
    const opened = this.opened();
    return opened && !entries.length ? opened : readState(entries, this.description);
  }

  // From now on the query says where the explorer stands.
  opened() {
    const said = this.read(location.hash);
    if (!said) return null;
    history.replaceState(null, '', `${location.pathname}${location.search}#${this.section.id}`);
    this.section.scrollIntoView();
    this.explorer.layout?.reveal(Object.keys(said.state), said.chart);
    return said;
  }

  /**
   * What a click on such a link sets.
   * @param {MouseEvent} event
   */
  clicked(event) {
    return this.read(hashOf(event));
  }

  /** @param {{ state: State, chart: number }} said */
  follow({ state, chart }) {
    const { explorer, description } = this;
    this.section.scrollIntoView({ block: 'nearest' });
    explorer.change({ ...description.defaults, ...state });
    this.followed = explorer.wanted;
    explorer.layout?.reveal(Object.keys(state), chart);
  }

  /**
   * Tells what a link has set; marks the links whose words are true of a state.
   * @param {State} state
   * @param {State} asked for it
   * @param {Record<string, string>} texts of the outputs
   */
  show(state, asked, texts) {
    this.explorer.layout?.tell(asked === this.followed ? state : null, texts);
    for (const link of document.querySelectorAll(`a[href^="#${this.section.id}?"]`)) {
      const said = this.read(/** @type {HTMLAnchorElement} */ (link).hash)?.state;
      markCurrent(link, isAt(state, { ...this.description.defaults, ...said }));
    }
  }
}
