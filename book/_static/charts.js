// Draws each <figure class="tunables-chart"> live from the specification that it holds.
// Without this script the figure shows the picture that the book's build put there.

const drawn = new Map(); // figure -> {spec, view}

function loadScript(path) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL(path, import.meta.url);
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${path} could not be loaded`));
    document.head.append(script);
  });
}

let vegaReady;
function loadVega() {
  vegaReady ??= loadScript('./vendor/vega.min.js').then(() => loadScript('./vendor/vega-lite.min.js'));
  return vegaReady;
}

// Text and lines take the colours of the page, which may be light or dark.
function pageColours() {
  const style = getComputedStyle(document.documentElement);
  const text = style.getPropertyValue('--pst-color-text-base').trim() || '#222';
  const line = style.getPropertyValue('--pst-color-border').trim() || '#ccc';
  return {
    axis: { labelColor: text, titleColor: text, gridColor: line, domainColor: line, tickColor: line },
    legend: { labelColor: text, titleColor: text },
    header: { labelColor: text, titleColor: text },
    title: { color: text },
    text: { color: text },
  };
}

function withColours(config = {}) {
  const merged = { ...config };
  for (const [part, colours] of Object.entries(pageColours())) {
    merged[part] = { ...merged[part], ...colours };
  }
  return merged;
}

function fitted(spec) {
  const composed = ['hconcat', 'vconcat', 'concat', 'facet', 'repeat'].some((key) => key in spec);
  const responsive = { width: 'container', autosize: { type: 'fit', contains: 'padding' } };
  return { ...spec, ...(composed ? {} : responsive), config: withColours(spec.config) };
}

async function draw(figure) {
  const { spec, view: old } = drawn.get(figure);
  const container = figure.querySelector('.chart-drawing');
  const { spec: compiled } = vegaLite.compile(fitted(spec), { logger: vega.logger(vega.Error) });
  old?.finalize();
  container.replaceChildren();
  const view = new vega.View(vega.parse(compiled), { renderer: 'svg', container, hover: true });
  drawn.set(figure, { spec, view });
  await view.runAsync();
}

export async function update(figure, datasets) {
  const entry = drawn.get(figure);
  Object.assign(entry.spec.datasets, datasets);
  if (!entry.view) return; // not drawn yet: the picture beneath still stands
  for (const [name, rows] of Object.entries(datasets)) entry.view.data(name, rows);
  await entry.view.runAsync();
}

export async function drawAll(root) {
  const figures = [...root.querySelectorAll('figure.tunables-chart')];
  if (!figures.length) return;
  for (const figure of figures) drawn.set(figure, { spec: JSON.parse(figure.querySelector('script').textContent) });
  try {
    await loadVega();
  } catch {
    return; // the pictures beneath still stand
  }
  for (const figure of figures) await draw(figure);
  const redraw = () => drawn.forEach((_, figure) => draw(figure));
  new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ['data-theme'] });
}
