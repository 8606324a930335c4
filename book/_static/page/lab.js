// The button of a lab. Everything else of the lab is loaded when the reader runs it.
import { element, labelField, primaryButton, whenSeen } from '../dom.js';
import { laboratory } from '../engine/engine.js';
import { fromDisk, loadScript, place } from '../engine/files.js';

// Labs that measure nothing: they open by themselves once they are in view, or at once with a result from a link.
const FORMS = ['your_numbers'];

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
 * Makes the field for a guess before the lab runs, if the lab asks for one.
 * @param {HTMLElement} section
 * @param {HTMLInputElement} field
 */
function guessField({ dataset: { lab, guess } }, field) {
  if (!guess) return [];
  const question = element('p', { class: 'lab-question', id: `lab-question-${lab}` }, guess);
  field.setAttribute('aria-describedby', question.id);
  const part = labelField(`lab-guess-${lab}`, 'Your guess (optional)', field);
  part.className = 'lab-guess';
  return [question, part];
}

/** @param {HTMLElement} section */
function mount(section) {
  const name = section.dataset.lab ?? '';
  const note = element('p', { class: 'run-note', role: 'status' });
  const field = element('input', { type: 'number', step: 'any' });
  let loading = false;
  const go = primaryButton('Run', async () => {
    if (loading) return;
    loading = true; // a disabled button would lose its focus
    note.textContent = 'Loading.';
    try {
      await loadScript(`labs/${name}.js`);
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
  section.append(...guessField(section, field), go, note);
  if (!FORMS.includes(name)) return;
  if (new URLSearchParams(location.search).has(`lab.${name}`)) go.click();
  else whenSeen(section, () => go.click());
}

function start() {
  for (const section of document.querySelectorAll('.tunables-lab')) mount(/** @type {HTMLElement} */ (section));
}

if (document.readyState === 'loading') document.addEventListener('readystatechange', start, { once: true });
else start();
