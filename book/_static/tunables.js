// What a page of the book does beyond text: draws its charts and wakes its explorers.
import { drawAll } from './charts.js';
import { wake } from './explorer.js';
import { mendTheme } from './theme.js';

async function start() {
  mendTheme();
  await drawAll(document);
  await Promise.all([...document.querySelectorAll('.tunables-explorer')].map(wake));
}

start();
