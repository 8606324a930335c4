// The script of a page of the book: draws its charts and mounts its live parts.
import { animating, ENGINE, isUp, Session, simulation } from '../engine/engine.js';
import { fromDisk, keepForLater, loadScript } from '../engine/files.js';
import { mountBar } from './bar.js';
import { mountDiagram } from './diagram.js';
import { mountSwitches, openLinkTargets } from './folds.js';
import { mountHandIn } from './hand-in.js';
import { mountAll } from './live.js';
import * as urlState from './url-state.js';

const ON_DISK = 'Not every browser runs Python in a page opened from disk, '
  + 'so serve the book with “make serve” or any web server. ';

/** The page as the host of live parts: its engine, its URL, its scripts. @type {Host} */
const site = {
  engine: { name: ENGINE, again: 'Start it again', hint: fromDisk ? ON_DISK : '', isUp },
  session: (module, description) => new Session(module, description),
  simulation,
  // Modules with such names are built for the page.
  simulates: ({ module }) => module.endsWith('simulation'),
  animating,
  urlState,
  prints: true,
  signal: new AbortController().signal,
  follow() {}, // only the part itself changes its state
  async vega() {
    await loadScript('vega.js');
    return vega;
  },
  async audit() {
    await loadScript('audit.js');
    return tunablesAudit.mount;
  },
};

const MAIN = '.animation-main, .explorer-screen';

/** @param {HTMLElement} pane */
function measurePane(pane) {
  const main = pane.querySelector(MAIN);
  if (!main?.parentElement) return null;
  const { height } = main.getBoundingClientRect();
  const passing = main.parentElement.getBoundingClientRect().bottom - pane.getBoundingClientRect().top - height;
  return { pane, height, passing, isAnimation: main.matches('.animation-main') };
}

/**
 * On a phone, and with an animation on a tablet, the main part of a pane stays in view above its text, and what is
 * below the main part scrolls away. The style sheet needs their heights.
 * @param {ParentNode} root
 */
function watchPanes(root) {
  const watcher = new ResizeObserver((entries) => {
    const panes = new Set(entries.map(({ target }) => target.closest('.pane')));
    // All panes are measured before any is changed, so that the page is laid out only once.
    for (const size of [...panes].map((pane) => measurePane(/** @type {HTMLElement} */ (pane)))) {
      size?.pane.style.setProperty('--main', `${size.height}px`);
      size?.pane.style.setProperty('--passing', `${size.passing}px`);
      size?.pane.classList.add('is-measured');
      size?.pane.classList.toggle('is-animation', size.isAnimation);
    }
  });
  for (const pane of root.querySelectorAll('.pane')) {
    watcher.observe(pane);
    for (const main of pane.querySelectorAll(MAIN)) watcher.observe(main);
  }
}

// Runs once the page is parsed.
function start() {
  mountBar();
  mountSwitches();
  mountAll(document, site);
  mountHandIn(document, site);
  mountDiagram();
  watchPanes(document);
  openLinkTargets();
  keepForLater();
}

if (document.readyState === 'loading') document.addEventListener('readystatechange', start, { once: true });
else start();

export { Session };
