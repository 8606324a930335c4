// What a page of the book does beyond text: draws its charts and wakes its live parts.
import { wakeCard } from './card.js';
import { watchCharts } from './charts.js';
import { Session } from './engine.js';
import { wake } from './explorer.js';
import { ask } from './guess.js';
import { wakeLedger } from './ledger.js';
import { practise } from './practice.js';
import { mendTheme } from './theme.js';
import { wakeMap } from './validity.js';

const LIVE = {
  '.tunables-explorer': wake,
  '.tunables-card': wakeCard,
  '.tunables-guess': ask,
  '.tunables-validity': wakeMap,
  '.tunables-ledger': wakeLedger,
  '.tunables-practice': practise,
};

// Once the page is read. The tables answer first: the charts take longer to load, and show the
// answers when they come.
function start() {
  mendTheme();
  watchCharts(document);
  for (const [selector, begin] of Object.entries(LIVE)) {
    document.querySelectorAll(selector).forEach((section) => begin(section));
  }
}

if (document.readyState === 'loading') document.addEventListener('readystatechange', start, { once: true });
else start();

export { Session };
