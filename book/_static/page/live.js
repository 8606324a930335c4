// The live parts of the book, in a page or in a notebook.
import { mountAnimation } from '../animation/animation.js';
import { watchCharts } from '../chart/vega.js';
import { find } from '../dom.js';
import { mountComparison } from '../explorer/comparison.js';
import { mountCard, mountExplorer } from '../explorer/explorer.js';
import { mountMap } from '../explorer/validity.js';
import { mountLedger } from '../ledger/ledger.js';
import { mountGuess } from './guess.js';
import { mountHero } from './hero.js';
import { mountPractice } from './practice.js';

/**
 * Mounts the audit, whose script only its page loads.
 * @param {HTMLElement} section
 * @param {Host} host
 */
async function openAudit(section, host) {
  try {
    const mount = await host.audit();
    mount(section, host);
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    find(section, '.audit-message').textContent = `The audit could not start (${reason}).`;
  }
}

/** @type {Record<string, (section: HTMLElement, host: Host) => unknown>} */
const LIVE = {
  '.tunables-explorer': mountExplorer,
  '.tunables-card': mountCard,
  '.plays-once > .tunables-animation': mountHero,
  '.tunables-animation:not(.plays-once > *)': mountAnimation,
  '.tunables-guess': mountGuess,
  '.tunables-validity': mountMap,
  '.tunables-practice': mountPractice,
  '.tunables-comparing': mountComparison,
  '.tunables-ledger': mountLedger,
  '.tunables-audit': openAudit,
};

/**
 * Mounts all live parts. The tables ask first, because animations and charts take longer to load.
 * @param {ParentNode} root
 * @param {Host} host
 */
export function mountAll(root, host) {
  for (const [selector, begin] of Object.entries(LIVE)) {
    for (const section of root.querySelectorAll(selector)) begin(/** @type {HTMLElement} */ (section), host);
  }
  watchCharts(root, host.vega.bind(host));
}
