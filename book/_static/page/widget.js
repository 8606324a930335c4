// A live part in the output of a notebook's cell: the front end of an anywidget.
import style from '../../../_build/front/style.css';
import { element } from '../dom.js';
import { Notebook } from '../engine/notebook.js';
import { mountAll } from './live.js';

/** @param {{ model: Model, el: HTMLElement }} view */
function render({ model, el }) {
  const gone = new AbortController();
  // Keys typed here must not reach the notebook, which would move its cells. A shadow root keeps the styles apart.
  const box = element('div', { 'data-lm-suppress-shortcuts': 'true' });
  el.replaceChildren(box);
  const root = box.attachShadow({ mode: 'open' });
  root.innerHTML = model.get('markup');
  root.prepend(element('style', {}, style));
  mountAll(root, new Notebook(model, gone.signal));
  return () => gone.abort();
}

export default { render };
