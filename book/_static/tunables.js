// What a page of the book does beyond text: draws its charts and wakes its explorers.
import { drawAll } from './charts.js';
import { wake } from './explorer.js';
import { wakeLedger } from './ledger.js';
import { mendTheme } from './theme.js';
import { wakeMap } from './validity.js';

// The tables answer first: the charts take longer to load, and show the answers when they come.
function start() {
  mendTheme();
  drawAll(document);
  document.querySelectorAll('.tunables-explorer').forEach(wake);
  document.querySelectorAll('.tunables-validity').forEach(wakeMap);
  document.querySelectorAll('.tunables-ledger').forEach(wakeLedger);
}

start();
