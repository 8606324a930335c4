// Draws each <figure class="tunables-chart"> live from the Vega specification that it holds.
// Without this script the figure shows the picture that stands there. Both take their colours
// from the page by CSS.
import { loadScript } from './place.js';
import { wrapped } from './wrap.js';

const SPACE_AHEAD = '800px'; // a chart this near to the window is drawn

const FONT = 'Roboto, sans-serif'; // of the pictures; live charts measure and take the page's own

const charts = new Map(); // figure -> {spec, view, changes}

function withData(spec, datasets) {
  const data = spec.data.map((entry) => (
    entry.name in datasets ? { ...entry, values: datasets[entry.name] } : entry));
  return { ...spec, data };
}

async function draw(figure) {
  const chart = charts.get(figure);
  try {
    await loadScript('vendor/vega.js');
  } catch {
    return; // the picture beneath still stands
  }
  const container = figure.querySelector('.chart-drawing');
  const runtime = vega.parse(wrapped(withData(chart.spec, chart.changes), container.clientWidth));
  chart.changes = {};
  container.replaceChildren();
  chart.view = new vega.View(runtime, { renderer: 'svg', container, hover: true });
  await chart.view.runAsync();
}

async function redraw(chart) {
  const { view, changes } = chart;
  chart.changes = {};
  for (const [name, rows] of Object.entries(changes)) view.data(name, rows);
  await view.runAsync();
}

// Gives a chart new rows, {dataset: rows}; it shows them with the next frame.
export function update(figure, datasets) {
  const chart = charts.get(figure);
  const waits = Object.keys(chart.changes).length > 0;
  Object.assign(chart.changes, datasets);
  // Not drawn yet: the changes wait for that.
  if (chart.view && !waits) requestAnimationFrame(() => redraw(chart));
}

export function watchCharts(root) {
  const near = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      draw(target);
    }
  }, { rootMargin: SPACE_AHEAD });
  const font = JSON.stringify(getComputedStyle(document.body).fontFamily).slice(1, -1);
  for (const figure of root.querySelectorAll('figure.tunables-chart')) {
    const text = figure.querySelector('script').textContent.replaceAll(FONT, font);
    charts.set(figure, { spec: JSON.parse(text), changes: {} });
    near.observe(figure);
  }
}
