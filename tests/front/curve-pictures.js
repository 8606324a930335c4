// What the charts of an explorer show, one state after another, each beside the curves kept before:
// reads {description, replies} as JSON, a line each; writes for each a list of [state, view, words,
// fingerprint on a phone, fingerprint on a wide page].
import { createHash } from 'node:crypto';
import readline from 'node:readline';
import { Axis } from '../../book/_static/curve/axis.js';
import { Chart } from '../../book/_static/curve/chart.js';
import { draw } from '../../book/_static/curve/draw.js';
import { Kept } from '../../book/_static/curve/kept.js';
import { read } from '../../book/_static/curve/lines.js';

const WIDTHS = [300, 640], HEIGHT = 260;

/** A chart without its elements.
 * @param {Explored} description @param {number} index */
function chartOf(description, index) {
  const { parameters, outputs, views } = description, view = views[index];
  return Object.assign(Object.create(Chart.prototype), {
    description,
    view,
    parameter: parameters.find(({ name }) => name === view.x),
    output: outputs.find(({ name }) => name === view.y),
    axis: new Axis(view.domain),
    kept: new Kept(parameters, view.x),
    screen: { awake: false },
  });
}

/** Points of a curve, as if they had been simulated.
 * @param {Sampled} curve */
function simulated(curve) {
  const places = [0, Math.floor(curve.length / 3), curve.length - 1].map((place) => curve[place]);
  return places.flatMap(({ x, y }) => (y === null ? [] : [{ x, y, low: 0.9 * y, high: 1.1 * y, text: '' }]));
}

/** @param {Chart} chart @param {number} width */
function shapes(chart, width) {
  /** @type {[string, object, string][]} */
  const made = [];
  const put = (/** @type {string} */ tag, /** @type {object} */ attributes, text = '') => (
    void made.push([tag, attributes, text]));
  const plot = draw(chart.plotted(), width, HEIGHT, { put });
  const values = chart.curves().map((points) => read(points, chart.reading ?? chart.x(), plot.x));
  return [made, plot, values, chart.axis.isOwn, chart.axis.isLeft(chart.curve), chart.published()];
}

/** @param {Chart} chart @param {{ state: State, outputs: any, views: any[] }} reply @param {number} index */
function next(chart, { state, outputs, views }, index, place = 0) {
  const { curve } = views[index], middle = curve[Math.floor(curve.length * 0.4)].x;
  if (place) chart.kept.add(chart.state, chart.curve);
  chart.curve = curve;
  chart.show(state, outputs);
  chart.showSimulated(place % 2 ? simulated(curve) : []);
  chart.reading = place % 3 ? middle : null;
  if (place % 4 === 2) chart.rescale();
  const [phone, wide] = WIDTHS.map((width) => shapes(chart, width));
  const words = /** @type {[string, object, string][]} */ (wide[0]).map(([, , text]) => text).filter(Boolean);
  const prints = [phone, wide].map((all) => (
    createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 12)));
  return [place, chart.view.y, words.join(' | '), ...prints];
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { description, replies } = JSON.parse(line);
  const rows = description.views.flatMap((/** @type {object} */ _, /** @type {number} */ index) => {
    const chart = chartOf(description, index);
    return replies.map((/** @type {any} */ reply, /** @type {number} */ place) => next(chart, reply, index, place));
  });
  process.stdout.write(`${JSON.stringify(rows)}\n`);
});
