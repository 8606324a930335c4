// An operator's card: an explorer whose outputs stand in sentences, and that prints on one page.
import { button, find } from './dom.js';
import { wake } from './explorer.js';

/** @param {HTMLElement} section */
function printAlone(section) {
  const root = document.documentElement;
  section.classList.add('is-printed');
  root.classList.add('prints-a-card');
  addEventListener('afterprint', () => {
    section.classList.remove('is-printed');
    root.classList.remove('prints-a-card');
  }, { once: true });
  print();
}

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function wakeCard(section, host) {
  wake(section, host);
  if (!host.prints) return;
  find(section, '.explorer-buttons').append(button('Print this card', () => printAlone(section)));
}
