// Draws each chart whose <figure> holds a Vega specification, its words fitted to the page's width. Without this
// script the figure shows its static picture. Both take their colours from the page's CSS.
import { find, whenNear } from '../dom.js';

const LETTER_PX = 7.2; // average width
const FEWEST_LETTERS = 12; // per line
const BESIDE_PX = 90; // width of the y-axis and its labels
const SYMBOL_PX = 34; // width of a legend's symbol and gaps
const LINE_PX = 16; // height of a legend's row

/**
 * Breaks a text into lines, if it needs several.
 * @param {string} text
 * @param {number} room_px
 */
export function lines(text, room_px) {
  const most = Math.max(FEWEST_LETTERS, Math.floor(room_px / LETTER_PX));
  const [first, ...words] = text.split(' ');
  const made = [first];
  for (const word of words) {
    const longer = `${made[made.length - 1]} ${word}`;
    if (longer.length <= most) made[made.length - 1] = longer;
    else made.push(word);
  }
  return made.length > 1 ? made : text;
}

/**
 * Fits an axis. The end labels stay at their ticks, because moved inwards they might touch the next ones.
 * @param {SpecAxis} entry
 * @param {number} width_px
 * @param {number} height_px
 */
function axis(entry, width_px, height_px) {
  const upright = ['left', 'right'].includes(entry.orient);
  const room_px = upright ? height_px : width_px - BESIDE_PX;
  const placed = 'labelFlush' in entry ? { ...entry, labelFlush: false } : entry;
  return typeof entry.title === 'string' ? { ...placed, title: lines(entry.title, room_px) } : placed;
}

/**
 * Returns the legend with as many columns as there is room for, and its number of rows.
 * @param {SpecLegend} entry
 * @param {Spec['scales']} scales
 * @param {number} width_px
 */
function legend(entry, scales, width_px) {
  const named = entry.stroke ?? entry.fill ?? entry.shape ?? entry.strokeDash;
  const labels = scales.find(({ name }) => name === named)?.domain;
  if (!Array.isArray(labels)) return { entry, rows: 1 };
  const longest = Math.max(...labels.map((label) => String(label).length));
  const room = Math.max(1, Math.floor((width_px - BESIDE_PX) / (longest * LETTER_PX + SYMBOL_PX)));
  const columns = Math.min(room, entry.columns || labels.length);
  return { entry: { ...entry, columns }, rows: Math.ceil(labels.length / columns) };
}

/**
 * Stacks several legends, because there may be no room for them side by side.
 * @param {Spec} spec
 */
function stackLegends({ config = {} }) {
  return { ...config, legend: { ...config.legend, layout: { top: { direction: 'vertical' } } } };
}

/**
 * Returns the specification with its words fitted to a width.
 * @param {Spec} spec
 * @param {number} width_px
 */
export function wrapSpec(spec, width_px) {
  const { title, axes = [], scales, height } = spec;
  const height_px = typeof height === 'number' ? height : undefined;
  const legends = (spec.legends ?? []).map((entry) => legend(entry, scales, width_px));
  const made = { ...spec, legends: legends.map(({ entry }) => entry) };
  made.axes = axes.map((entry) => axis(entry, width_px, height_px ?? width_px));
  if (typeof title?.text === 'string') made.title = { ...title, text: lines(title.text, width_px) };
  if (legends.length > 1) made.config = stackLegends(spec);
  // Additional rows of a legend add to the height of the chart.
  const more = legends.reduce((sum, { rows }) => sum + rows, 0) - 1;
  if (height_px !== undefined) made.height = height_px + LINE_PX * Math.max(0, more);
  return made;
}

const REST_MS = 100; // from the last change of width until the words are fitted again

const FONT = 'Roboto, sans-serif'; // of the static pictures; live charts use the page's font

/**
 * @typedef {object} VegaChart
 * @property {() => Promise<Vega>} load loads its library
 * @property {Datasets} rows new rows
 * @property {Spec} [spec] once it is needed
 * @property {boolean} waits whether new rows wait for the next frame
 * @property {VegaView} [view] once it is drawn
 * @property {number} width_px the width that its words are fitted to
 * @property {ReturnType<typeof setTimeout>} [refitting]
 */

/** @type {WeakMap<Element, VegaChart>} */
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
 * Returns the specification that a figure holds, in the page's own font.
 * @param {HTMLElement} figure
 * @returns {Spec}
 */
function specOf(figure) {
  const font = JSON.stringify(getComputedStyle(figure).fontFamily).slice(1, -1);
  return JSON.parse((find(figure, 'script').textContent ?? '').replaceAll(FONT, font));
}

/**
 * Returns the specification fitted to the chart's width, and makes its place as high as its drawing will be, so that
 * nothing moves when it is drawn.
 * @param {HTMLElement} figure
 * @param {VegaChart} chart
 */
function fit(figure, chart) {
  chart.spec ??= specOf(figure);
  const spec = wrapSpec(chart.spec, chart.width_px);
  if (typeof spec.height === 'number') figure.style.setProperty('--chart-height', `${spec.height}px`);
  return spec;
}

/**
 * @param {HTMLElement} figure
 * @param {VegaChart} chart
 */
async function draw(figure, chart) {
  const vega = await chart.load().catch(() => null);
  if (!vega) { // the static picture stays
    figure.style.removeProperty('--chart-height');
    return;
  }
  const container = find(figure, '.chart-drawing');
  chart.width_px = container.clientWidth;
  const spec = withData(fit(figure, chart), chart.rows);
  chart.view?.finalize();
  container.replaceChildren();
  chart.view = vega.view(spec, { renderer: 'svg', container, hover: true });
  await chart.view.runAsync();
  figure.dataset.drawn = '';
}

/** @param {VegaChart} chart */
function redraw(chart) {
  chart.waits = false;
  for (const [name, rows] of Object.entries(chart.rows)) chart.view?.data(name, rows);
  return chart.view?.runAsync();
}

/**
 * Gives a chart new rows, {dataset: rows}, which it shows in the next frame.
 * @param {Element} figure
 * @param {Datasets} datasets
 */
export function update(figure, datasets) {
  const chart = charts.get(figure);
  if (!chart) return;
  Object.assign(chart.rows, datasets);
  if (!chart.view || chart.waits) return; // a chart that is not drawn yet takes the rows later
  chart.waits = true;
  requestAnimationFrame(() => redraw(chart));
}

/**
 * Fits the words of a chart to its new width once it stops changing.
 * @param {HTMLElement} figure
 * @param {VegaChart} chart
 */
function refit(figure, chart) {
  clearTimeout(chart.refitting);
  const width_px = chart.view && find(figure, '.chart-drawing').clientWidth;
  if (!width_px || width_px === chart.width_px) return;
  delete figure.dataset.drawn;
  chart.refitting = setTimeout(() => draw(figure, chart), REST_MS);
}

/**
 * @param {ParentNode} root
 * @param {VegaChart['load']} load
 */
export function watchCharts(root, load) {
  /** @param {(figure: HTMLElement, chart: VegaChart) => void} act */
  const each = (act) => (/** @type {{target: Element}} */ { target }) => {
    const chart = charts.get(target);
    if (chart) act(/** @type {HTMLElement} */ (target), chart);
  };
  const wide = new ResizeObserver((entries) => entries.forEach(each(refit)));
  const figures = /** @type {HTMLElement[]} */ ([...root.querySelectorAll('figure.tunables-chart[data-spec]')]);
  for (const figure of figures) { // all widths before any height, so that the page is laid out once
    charts.set(figure, { load, rows: {}, waits: false, width_px: find(figure, '.chart-drawing').clientWidth });
  }
  for (const figure of figures) {
    const chart = /** @type {VegaChart} */ (charts.get(figure));
    if (chart.width_px) fit(figure, chart); // a chart in a closed fold has none
    whenNear(figure, () => draw(figure, chart));
    wide.observe(figure);
  }
}
