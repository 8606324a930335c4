// Draws each chart live whose <figure> holds a Vega specification.
// Without this script the figure shows the picture that stands there. Both take their colours
// from the page by CSS.
import { find } from './dom.js';
import { wrapped } from './wrap.js';

const SPACE_AHEAD = '800px'; // a chart this near to the window is drawn
const REST_MS = 100; // after the last change of its width, when its words are fitted anew

const FONT = 'Roboto, sans-serif'; // of the pictures; live charts measure and take the page's own

/**
 * @typedef {object} Chart
 * @property {() => Promise<Vega>} load its library
 * @property {Datasets} rows that it was given since
 * @property {Spec} [spec] once it was needed
 * @property {boolean} waits with rows that are not yet drawn
 * @property {VegaView} [view] once it is drawn
 * @property {number} [width_px] that its words are fitted to
 * @property {ReturnType<typeof setTimeout>} [turning]
 */

/** @type {WeakMap<Element, Chart>} */
const charts = new WeakMap(); // by figure

/**
 * @param {Spec} spec
 * @param {Datasets} datasets
 * @returns {Spec}
 */
function withData(spec, datasets) {
  const data = spec.data.map((entry) => (
    entry.name in datasets ? { ...entry, values: datasets[entry.name] } : entry));
  return { ...spec, data };
}

/**
 * The specification that a figure holds, in the page's own font.
 * @param {HTMLElement} figure
 * @returns {Spec}
 */
function specOf(figure) {
  const font = JSON.stringify(getComputedStyle(figure).fontFamily).slice(1, -1);
  return JSON.parse((find(figure, 'script').textContent ?? '').replaceAll(FONT, font));
}

/**
 * @param {HTMLElement} figure
 * @param {Chart} chart
 */
async function draw(figure, chart) {
  const vega = await chart.load().catch(() => null);
  if (!vega) return; // the picture beneath still stands
  const container = find(figure, '.chart-drawing');
  chart.width_px = container.clientWidth;
  chart.spec ??= specOf(figure);
  chart.view?.finalize();
  container.replaceChildren();
  const spec = wrapped(withData(chart.spec, chart.rows), chart.width_px);
  chart.view = vega.view(spec, { renderer: 'svg', container, hover: true });
  await chart.view.runAsync();
  figure.dataset.drawn = '';
}

/** @param {Chart} chart */
function redraw(chart) {
  chart.waits = false;
  for (const [name, rows] of Object.entries(chart.rows)) chart.view?.data(name, rows);
  return chart.view?.runAsync();
}

/**
 * Gives a chart new rows, {dataset: rows}; it shows them with the next frame.
 * @param {Element} figure
 * @param {Datasets} datasets
 */
export function update(figure, datasets) {
  const chart = charts.get(figure);
  if (!chart) return;
  Object.assign(chart.rows, datasets);
  if (!chart.view || chart.waits) return; // one that is not drawn yet takes the rows when it is
  chart.waits = true;
  requestAnimationFrame(() => redraw(chart));
}

/**
 * Fits the words of a chart to its new width, once that rests.
 * @param {HTMLElement} figure
 * @param {Chart} chart
 */
function turn(figure, chart) {
  clearTimeout(chart.turning);
  const width_px = chart.view && find(figure, '.chart-drawing').clientWidth;
  if (!width_px || width_px === chart.width_px) return;
  delete figure.dataset.drawn;
  chart.turning = setTimeout(() => draw(figure, chart), REST_MS);
}

/**
 * @param {ParentNode} root
 * @param {Chart['load']} load
 */
export function watchCharts(root, load) {
  /** @param {(figure: HTMLElement, chart: Chart) => void} act */
  const each = (act) => (/** @type {{target: Element}} */ { target }) => {
    const chart = charts.get(target);
    if (chart) act(/** @type {HTMLElement} */ (target), chart);
  };
  const near = new IntersectionObserver((entries) => {
    entries.filter(({ isIntersecting }) => isIntersecting).forEach(each((figure, chart) => {
      near.unobserve(figure);
      draw(figure, chart);
    }));
  }, { rootMargin: SPACE_AHEAD });
  const wide = new ResizeObserver((entries) => entries.forEach(each(turn)));
  for (const figure of root.querySelectorAll('figure.tunables-chart[data-spec]')) {
    charts.set(figure, { load, rows: {}, waits: false });
    near.observe(figure);
    wide.observe(figure);
  }
}
