// What a page of the book does beyond text: draws its charts and wakes its explorers.
import { watchCharts } from './charts.js';
import { Session } from './engine.js';
import { wake } from './explorer.js';
import { mendTheme } from './theme.js';

// The tables answer first: the charts take longer to load, and show the answers when they come.
function start() {
  mendTheme();
  watchCharts(document);
  document.querySelectorAll('.tunables-explorer').forEach(wake);
}

start();

export { Session };
