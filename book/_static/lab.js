// On pages with a lab: its button. All else that the lab is made of comes when the reader runs it.
import { button, element, labelled } from './dom.js';
import { laboratory } from './engine.js';
import { fromDisk, loadScript, place } from './place.js';

// The labs that show a result that a link holds. The others measure: only their reader starts them.
const LINKED = ['your_numbers'];

/**
 * @param {string} name
 * @param {HTMLInputElement} field of the guess
 * @returns {LabTools}
 */
function tools(name, field) {
  const guess = () => (Number.isNaN(field.valueAsNumber) ? null : field.valueAsNumber);
  return { law: () => laboratory(name), loadScript, place, fromDisk, guess };
}

/**
 * The question that is asked before the lab runs, if it has one.
 * @param {HTMLElement} section
 * @param {HTMLInputElement} field
 */
function asked({ dataset: { lab, guess } }, field) {
  if (!guess) return [];
  const part = labelled(`lab-guess-${lab}`, `Your guess, if you like: ${guess}`, field);
  part.className = 'lab-guess';
  return [part];
}

/** @param {HTMLElement} section */
function wake(section) {
  const name = section.dataset.lab ?? '';
  const note = element('p', { class: 'run-note', role: 'status' });
  const field = element('input', { type: 'number', step: 'any' });
  let loading = false;
  const go = button('Run', async () => {
    if (loading) return;
    loading = true; // a button that is disabled would lose its focus
    note.textContent = 'Loading.';
    try {
      await loadScript(`vendor/labs/${name}.js`);
      tunablesLabs[name].open(section, tools(name, field));
      const next = section.querySelector('.run-bar button:not([hidden])');
      if (go.matches(':focus') && next instanceof HTMLElement) next.focus();
      note.remove();
      go.remove();
    } catch (error) {
      loading = false;
      note.textContent = `The lab could not start (${/** @type {Error} */ (error).message}).`;
    }
  });
  section.append(...asked(section, field), go, note);
  if (LINKED.includes(name) && new URLSearchParams(location.search).has(`lab.${name}`)) go.click();
}

function start() {
  for (const section of document.querySelectorAll('.tunables-lab')) wake(/** @type {HTMLElement} */ (section));
}

if (document.readyState === 'loading') document.addEventListener('readystatechange', start, { once: true });
else start();
