// An operator's card: an explorer whose outputs stand in sentences, and that prints on one page.
import { button } from './controls.js';
import { wake } from './explorer.js';

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

export function wakeCard(section) {
  const card = wake(section);
  section.querySelector('.explorer-buttons').append(button('Print this card', () => printAlone(section)));
  return card;
}
