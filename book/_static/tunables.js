// What a page of the book does beyond text: draws its charts, wakes its explorers and practice boxes.
import { drawAll } from './charts.js';
import { wake } from './explorer.js';
import { practise } from './practice.js';
import { mendTheme } from './theme.js';

// The tables answer first: the charts take longer to load, and show the answers when they come.
function start() {
  mendTheme();
  drawAll(document);
  document.querySelectorAll('.tunables-explorer').forEach(wake);
  document.querySelectorAll('.tunables-practice').forEach(practise);
}

start();
