// Draws chapter 1's second stage: a row a client, and along it, by the clock, what its commits wait
// for; over each flush, how many share it. It knows no time: the state says all.
import { HIT, INK, MISS, MODEL, SOFT } from './colours.js';
import { VIEW_MS } from './committers-state.js';
import { TAPE_HEIGHT } from './committers-tape.js';
import { px } from './surface.js';
import { grouped } from '../quantity.js';

const TOP = 54, ROWS = 160, AXIS = 28, LEFT = 20, COLUMN = 126; // px
const SMALL = { 'font-size': 12 };
const NARROW = 400; // px, as a phone is
const LOOKS = [
  { key: 'flush', word: 'a flush', left: 0, stroke: MODEL, width: 0.8, dash: 'none' },
  { key: 'held', word: 'the delay', left: 0.3, stroke: MISS, width: 0.8, dash: '1.6 1.6' },
  { key: 'waits', word: 'waits for it', left: 0.66, stroke: SOFT, width: 0.2, dash: 'none' },
];

export function height() {
  return TOP + ROWS + AXIS + TAPE_HEIGHT;
}

/** @param {number} width @param {Commits} trace @param {number} from */
function plan(width, { clients }, from = 0) {
  const right = width - COLUMN, pitch = ROWS / clients;
  const x = (/** @type {number} */ ms) => LEFT + ((ms - from) / VIEW_MS) * (right - LEFT);
  const y = (/** @type {number} */ client) => TOP + (client + 0.5) * pitch;
  return { right, pitch, x, y };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** What does not move. @param {Commits} trace @param {number} width @param {Surface} surface */
export function axes(trace, width, surface) {
  const { right, x, y } = plan(width, trace), { delay, flush_ms: flush, clients } = trace;
  surface.put('text', { ...SMALL, x: 0, y: 11, fill: SOFT }, `D ${delay} ms, F ${flush} ms`);
  surface.put('text', { ...SMALL, x: right + 8, y: 11, fill: SOFT }, 'a row: a client');
  for (const { word, left, stroke, dash, width: share } of LOOKS) {
    const look = { stroke, 'stroke-width': share * 5, 'stroke-dasharray': dash };
    surface.put('path', { d: `M${px(left * right)} 25.5h12`, ...look });
    surface.put('text', { ...SMALL, x: px(left * right + 16), y: 29, fill: INK }, word);
  }
  let grid = `M${LEFT} ${TOP + ROWS + 0.5}H${right}`;
  for (let ms = 0; ms <= VIEW_MS; ms += 10) grid += `M${px(x(ms))} ${TOP}v${ROWS + 3}`;
  surface.put('path', { d: grid, stroke: SOFT, 'stroke-opacity': 0.25 });
  const name = { ...SMALL, x: LEFT - 4, 'text-anchor': 'end', fill: SOFT };
  for (const client of new Set([1, clients])) {
    surface.put('text', { ...name, y: px(y(client - 1) + 4) }, String(client));
  }
  surface.put('text', { ...SMALL, x: right + 14, y: TOP + ROWS + 18, fill: SOFT }, 'ms of the run');
}

/** @param {number} x @param {number} y @param {number} high */
const tick = (x, y, high) => `M${px(x)} ${px(y)}l${high / 2} ${high / 2}l${high / 2} ${-high}`;

/** The lines of all commits in view, by what they wait for, and a tick at the end of each that is done.
 * @param {CommitsState} state @param {Plan} at */
function lines({ trace, t, from }, { x, y, pitch }) {
  const to = Math.min(t, from + VIEW_MS), { delay, asked, flush, client, flushes } = trace;
  /** @type {Record<string, string>} */
  const made = { flush: '', held: '', waits: '', ticks: '' };
  const add = (/** @type {string} */ key, /** @type {number[]} */ [begins, ends], /** @type {number} */ row) => {
    const left = Math.max(begins, from), right = Math.min(ends, to);
    if (left < right) made[key] += `M${px(x(left))} ${px(y(client[row]))}H${px(x(right))}`;
  };
  asked.forEach((since, row) => {
    const { begun, ended } = flushes[flush[row]], leads = Math.max(since, begun - delay);
    if (since >= to || ended <= from) return;
    add('waits', [since, leads], row);
    add('held', [leads, begun], row);
    add('flush', [begun, ended], row);
    if (ended <= to) made.ticks += tick(x(ended), y(client[row]), px(Math.min(8, pitch) / 2));
  });
  return made;
}

/** How many share each flush in view, over it. @param {CommitsState} state @param {Plan} at @param {Surface} surface */
function sizes({ trace: { flushes }, t, from }, { x }, surface) {
  const to = Math.min(t, from + VIEW_MS - 1);
  for (const { begun, ended, clients } of flushes) {
    const middle = (begun + ended) / 2;
    if (begun > to || middle < from || middle > from + VIEW_MS) continue;
    const look = { ...SMALL, 'text-anchor': 'middle', 'font-weight': 600, fill: INK };
    surface.put('text', { ...look, x: px(x(middle)), y: TOP - 6 }, String(clients.length));
  }
}

/** The statistic: commits a second so far, and by the closed form.
 * @param {CommitsState} state @param {Plan} at @param {Surface} surface */
function column({ trace: { formula }, rate, now }, { right }, surface) {
  const bold = { 'font-weight': 600 };
  /** @type {[string, Record<string, string | number>][]} */
  const texts = [
    ['commits a second', { fill: SOFT }],
    [rate === null ? 'none yet' : `so far ${grouped(rate)}`, { fill: INK, ...bold }],
    [`formula ${grouped(formula)}`, { fill: MODEL, ...bold }],
    ['✓ is answered', { fill: HIT }],
    [now ? `flush: ${now.clients.length}` : 'no flush now', { fill: INK }],
  ];
  texts.forEach(([text, look], n) => {
    surface.put('text', { ...SMALL, x: right + 8, y: TOP + 10 + 18 * n, ...look }, text);
  });
}

/** What a frame changes. @param {CommitsState} state @param {number} width @param {Surface} surface */
export function machine(state, width, surface) {
  const at = plan(width, state.trace, state.from), drawn = lines(state, at), thick = Math.min(8, at.pitch);
  for (const { key, stroke, width: share, dash } of LOOKS) {
    const look = { stroke, 'stroke-width': px(share * thick), 'stroke-dasharray': dash };
    surface.put('path', { d: drawn[key] || 'M0 0', fill: 'none', ...look });
  }
  surface.put('path', { d: drawn.ticks || 'M0 0', fill: 'none', stroke: HIT, 'stroke-width': 1.4 });
  const step = width < NARROW ? 20 : 10, label = { ...SMALL, 'text-anchor': 'middle', fill: SOFT };
  for (let ms = 0; ms <= VIEW_MS; ms += step) {
    surface.put('text', { ...label, x: px(at.x(state.from + ms)), y: TOP + ROWS + 18 }, String(state.from + ms));
  }
  column(state, at, surface);
  sizes(state, at, surface);
}
