// What a page of the book does beyond text: draws its charts, wakes its explorers and cards, and
// asks its questions.
import { wakeCard } from './card.js';
import { watchCharts } from './charts.js';
import { Session } from './engine.js';
import { wake } from './explorer.js';
import { ask } from './guess.js';
import { mendTheme } from './theme.js';

// The tables answer first: the charts take longer to load, and show the answers when they come.
function start() {
  mendTheme();
  watchCharts(document);
  document.querySelectorAll('.tunables-explorer').forEach(wake);
  document.querySelectorAll('.tunables-card').forEach(wakeCard);
  document.querySelectorAll('.tunables-guess').forEach(ask);
}

start();

export { Session };
