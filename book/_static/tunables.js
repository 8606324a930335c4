// What a page of the book does beyond text: draws its charts, wakes its explorers and practice boxes.
import { watchCharts } from './charts.js';
import { Session } from './engine.js';
import { wake } from './explorer.js';
import { practise } from './practice.js';
import { mendTheme } from './theme.js';

// The tables answer first: the charts take longer to load, and show the answers when they come.
function start() {
  mendTheme();
  watchCharts(document);
  document.querySelectorAll('.tunables-explorer').forEach(wake);
  document.querySelectorAll('.tunables-practice').forEach(practise);
}

start();

export { Session };
