// The live parts of the book, in a page or in a notebook.
import { wakeCard } from './card.js';
import { watchCharts } from './charts.js';
import { wakeComparison } from './comparing.js';
import { wake } from './explorer.js';
import { ask } from './guess.js';
import { practise } from './practice.js';
import { wakeStage } from './stage/stage.js';
import { wakeMap } from './validity.js';

/** @type {Record<string, (section: HTMLElement, host: Host) => unknown>} */
const LIVE = {
  '.tunables-explorer': wake,
  '.tunables-card': wakeCard,
  '.tunables-stage': wakeStage,
  '.tunables-guess': ask,
  '.tunables-validity': wakeMap,
  '.tunables-practice': practise,
  '.tunables-comparing': wakeComparison,
};

/**
 * The tables ask first: stages and charts take longer to load, and show the answers when they come.
 * @param {ParentNode} root
 * @param {Host} host
 */
export function wakeAll(root, host) {
  for (const [selector, begin] of Object.entries(LIVE)) {
    for (const section of root.querySelectorAll(selector)) begin(/** @type {HTMLElement} */ (section), host);
  }
  watchCharts(root, host.vega.bind(host));
}
