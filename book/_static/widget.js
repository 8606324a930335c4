// A live part of the book in the output of a notebook's cell: an anywidget's front end.
import style from '../../_build/front/style.css';
import { element } from './dom.js';
import { Kernel } from './kernel.js';
import { wakeAll } from './live.js';

/** @param {{ model: Model, el: HTMLElement }} view */
function render({ model, el }) {
  const gone = new AbortController();
  // The notebook's keys are for the notebook: what is typed here must not move its cells. And its
  // styles stay its own: the part stands in a shadow.
  const box = element('div', { 'data-lm-suppress-shortcuts': 'true' });
  el.replaceChildren(box);
  const root = box.attachShadow({ mode: 'open' });
  root.innerHTML = model.get('markup');
  root.prepend(element('style', {}, style));
  wakeAll(root, new Kernel(model, gone.signal));
  return () => gone.abort();
}

export default { render };
