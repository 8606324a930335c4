// A live part in the output of a notebook's cell: the front end of an anywidget.
import style from '../../../_build/front/style.css';
import { element } from '../dom.js';
import { Notebook } from '../engine/notebook.js';
import { mountAll } from './live.js';

/**
 * Tells the styles whether the notebook is dark, as JupyterLab or VS Code says it, also when this changes.
 * @param {HTMLElement} box @param {AbortSignal} signal
 */
function followColours(box, signal) {
  const follow = () => {
    const { classList, dataset } = document.body;
    const dark = dataset.jpThemeLight === 'false' || classList.contains('vscode-dark');
    box.dataset.theme = dark ? 'dark' : 'light';
  };
  const observer = new MutationObserver(follow);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-jp-theme-light'] });
  signal.addEventListener('abort', () => observer.disconnect());
  follow();
}

/** @param {{ model: Model, el: HTMLElement }} view */
function render({ model, el }) {
  const gone = new AbortController();
  // Keys typed here must not reach the notebook, which would move its cells. A shadow root keeps the styles apart.
  const box = element('div', { 'data-lm-suppress-shortcuts': 'true' });
  el.replaceChildren(box);
  followColours(box, gone.signal);
  const root = box.attachShadow({ mode: 'open' });
  root.innerHTML = model.get('markup');
  root.prepend(element('style', {}, style));
  mountAll(root, new Notebook(model, gone.signal));
  return () => gone.abort();
}

export default { render };
