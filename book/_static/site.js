// A page of the book as the place where live parts stand: its engine, its address, its scripts.
import { ENGINE, isUp, Session, simulation, staging } from './engine.js';
import * as entries from './link.js';
import { fromDisk, loadScript } from './place.js';

const ON_DISK = 'Not every browser runs it in a page opened from disk: '
  + 'serve the book with make serve, or any web server. ';

/** @type {Host} */
export const site = {
  engine: { name: ENGINE, again: 'Start it again', hint: fromDisk ? ON_DISK : '', isUp },
  session: (module, description) => new Session(module, description),
  simulation,
  // Those whose module is called ..._simulation were built for the page.
  simulates: ({ module }) => module.endsWith('simulation'),
  staging,
  entries,
  prints: true,
  signal: new AbortController().signal,
  follow() {}, // nothing but the part itself moves it
  async vega() {
    await loadScript('vendor/vega.js');
    return vega;
  },
};
