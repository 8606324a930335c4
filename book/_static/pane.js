// On a phone the main part of a pane stays in view above its text; what stands beneath it leaves
// with the page. The style needs to know how high that is.
const MAIN = '.stage-main, .explorer-screen';

/** @param {HTMLElement} pane */
function measured(pane) {
  const main = pane.querySelector(MAIN);
  if (!main?.parentElement) return null;
  const { height } = main.getBoundingClientRect();
  const passing = main.parentElement.getBoundingClientRect().bottom - pane.getBoundingClientRect().top - height;
  return { pane, height, passing };
}

/** @param {ParentNode} root */
export function watchPanes(root) {
  const watcher = new ResizeObserver((entries) => {
    const panes = new Set(entries.map(({ target }) => target.closest('.pane')));
    // All are measured before one is told: the page is laid out once.
    for (const size of [...panes].map((pane) => measured(/** @type {HTMLElement} */ (pane)))) {
      size?.pane.style.setProperty('--main', `${size.height}px`);
      size?.pane.style.setProperty('--passing', `${size.passing}px`);
      size?.pane.classList.add('is-measured');
    }
  });
  for (const pane of root.querySelectorAll('.pane')) {
    watcher.observe(pane);
    for (const main of pane.querySelectorAll(MAIN)) watcher.observe(main);
  }
}
