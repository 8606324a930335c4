// The published numbers in a chart: under which conditions each holds, and its sign in ink. A ring
// is a value, a bar the interval that rounds to it, a bracket a bound. A broad bar is what the
// model may say of it, as far as the digits of the numbers go that it was fitted to.
import { valueText } from '../controls.js';
import { differing } from '../state.js';

const RING_PX = 12; // around the marker's 8, so that neither hides the other
const ARROW_PX = 30;
const FEW = 2; // settings that are told beside a curve
const SEEN_PX = 3; // half of an interval that is worth a bar
const LEAST_PX = 3; // of what the digits allow the model, so that it is seen
/** @type {Record<string, -1 | 1>} */
const WAYS = { 'at least': 1, above: 1, 'at most': -1, below: -1 };

/**
 * Settings as the reader knows them: a number that no unit tells from the others has its label.
 * @param {Pick<Parameter, 'name' | 'choices' | 'choice_texts' | 'label' | 'unit'>[]} parameters
 * @param {State} state
 */
export function settingTexts(parameters, state) {
  return parameters.map((parameter) => {
    const { name, label, unit } = parameter, value = state[name], text = valueText(parameter, value);
    const told = unit && unit !== '1' && parameters.filter((other) => other.unit === unit).length === 1;
    return typeof value !== 'number' || told ? text : `${label}: ${text}`;
  });
}

/** @param {string[]} texts @returns {string} as many of them as stand beside a curve */
export const brief = (texts) => texts.slice(0, FEW).join(', ') + (texts.length > FEW ? ', …' : '');

/**
 * What a view shows of the published numbers, at a state.
 * @param {Pick<Explored, 'rows' | 'parameters' | 'defaults'>} description
 * @param {{ x: string, y: string }} view
 * @param {State} state
 * @returns {Evidence[]}
 */
export function evidence({ rows, parameters, defaults }, { x, y }, state) {
  return rows.filter(({ output }) => output === y).map((row) => {
    const { settings, value, resolution, label, published_text: published, status } = row;
    const others = differing({ ...settings, [x]: state[x] }, state);
    const conditions = settingTexts(parameters.filter(({ name }) => others.includes(name)), settings);
    const unit = row.unit === '1' ? '' : ` ${row.unit}`;
    const elsewhere = conditions.length ? `, for ${conditions.join(', ')}` : '';
    const room = row.allowed_text ? `. The digits allow the model ${row.allowed_text}${unit}` : '';
    return {
      x: Number(settings[x] ?? defaults[x]),
      y: value,
      low: value - resolution / 2,
      high: value + resolution / 2,
      allowed: row.allowed ?? null,
      way: WAYS[row.relation] ?? 0,
      holds: others.length === 0,
      text: label,
      short: brief(conditions),
      told: `Published: ${label}, ${published}${unit} (${status})${elsewhere}${room}`,
    };
  });
}

/**
 * @param {Evidence} item
 * @param {Frame} plot
 * @returns {string} the sign's path
 */
function sign({ low, high, way }, { y }) {
  if (way) return `M-6 0h12M0 0v${-way * ARROW_PX}m-4 ${way * 5}l4 ${-way * 5}l4 ${way * 5}`;
  const half = (y(low) - y(high)) / 2;
  if (half < SEEN_PX) return '';
  return `M-5 ${-half}h10M-5 ${half}h10M0 ${-half}V${half}`;
}

/**
 * Draws the signs, and returns for each the places where its words may stand.
 * @param {Plotted} shown
 * @param {Frame} plot
 * @param {Surface} surface
 */
export function drawEvidence({ evidence: items }, plot, surface) {
  const seen = items.filter(({ y }) => plot.y(y) >= plot.top - 1 && plot.y(y) <= plot.bottom + 1);
  for (const item of seen) {
    const x = plot.x(item.x), y = plot.y(item.y);
    const name = item.holds ? 'evidence' : 'evidence is-faded';
    if (!item.way) surface.put('circle', { class: name, r: RING_PX, cx: x, cy: y });
    if (item.allowed) {
      const [top, bottom] = item.allowed.map((end) => plot.y(end)).reverse();
      surface.put('path', { class: 'allowed', d: `M${x} ${top}V${Math.max(bottom, top + LEAST_PX)}` });
    }
    const d = sign(item, plot);
    if (d) surface.put('path', { class: name, d, transform: `translate(${x} ${y})` });
  }
  return seen;
}

/**
 * The places for the words of a published number, the best first.
 * @param {Evidence} item
 * @param {Frame} plot
 * @returns {Word[]}
 */
export function evidenceWords(item, plot) {
  const x = plot.x(item.x), y = plot.y(item.y);
  const texts = item.holds ? [item.text, item.short] : [item.short];
  return texts.filter(Boolean).flatMap((text) => /** @type {Word[]} */ ([
    { x: x + 16, y: y + 4, anchor: 'start', text },
    { x: x - 16, y: y + 4, anchor: 'end', text },
    { x: x + 9, y: y - 13, anchor: 'start', text },
    { x: x - 9, y: y - 13, anchor: 'end', text },
    { x: x + 9, y: y + 22, anchor: 'start', text },
    { x: x - 9, y: y + 22, anchor: 'end', text },
  ]));
}
