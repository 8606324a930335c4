// What a page of the book does beyond text: draws its charts and wakes its live parts.
import { wakeDiagram } from './diagram.js';
import { Session } from './engine.js';
import { wakeLedger } from './ledger.js';
import { wakeAll } from './live.js';
import { openWhatIsLinkedTo } from './opening.js';
import { watchPanes } from './pane.js';
import { site } from './site.js';
import { wakeSwitches } from './switches.js';
import { mendTheme } from './theme.js';

// Once the page is read.
function start() {
  mendTheme();
  wakeSwitches();
  wakeAll(document, site);
  wakeDiagram();
  watchPanes(document);
  for (const section of document.querySelectorAll('.tunables-ledger')) {
    wakeLedger(/** @type {HTMLElement} */ (section));
  }
  openWhatIsLinkedTo();
}

if (document.readyState === 'loading') document.addEventListener('readystatechange', start, { once: true });
else start();

export { Session };
