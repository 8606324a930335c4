// Chapter 1, second animation: clients that commit, and the flushes they share.
import { withCommas } from '../quantity.js';
import { bySecond, countAt } from './events.js';
import { GROUND, HELD, HELD_GROUND, HIT, INK, SOFT, WAIT, WORK, listWords, plural, px } from './surface.js';

/**
 * Commits in the order in which their flushes end, as the chapter's `play` returns them.
 * @typedef {object} CommitColumns
 * @property {number} delay in milliseconds, as is everything that is not in microseconds
 * @property {number} flush_ms
 * @property {number} clients
 * @property {number} ms the length of the animation
 * @property {number} formula commits per second, by the closed form
 * @property {number[]} asked_us
 * @property {number[]} begun_us
 * @property {number[]} ended_us
 * @property {number[]} client
 * @property {number[]} flush
 */

/**
 * @typedef {object} SharedFlush
 * @property {number} begun in milliseconds
 * @property {number} ended
 * @property {number[]} clients whose commits it writes to the disk
 */

/**
 * @typedef {object} CommitIndex
 * @property {Float64Array} asked in milliseconds
 * @property {SharedFlush[]} flushes
 * @property {Float64Array} flushBegins
 * @property {Float64Array} flushEnds
 * @property {number[]} done commits after the first n flushes
 * @property {Float64Array} begins the times at which a step stops; the last is the end
 */
/** @typedef {CommitColumns & CommitIndex} Commits */

/**
 * @typedef {object} CommitsState
 * @property {Commits} trace
 * @property {number} t
 * @property {number} from the beginning of the time in view
 * @property {SharedFlush | null} now the flush under way
 * @property {SharedFlush[]} last up to four finished flushes
 * @property {number} held clients whose flush waits out the delay
 * @property {number} waits clients that wait for the flush under way
 * @property {number} done commits
 * @property {number | null} rate commits per second, up to the end of the last flush
 */

// ---- The trace, its state at time t, in milliseconds, and the sentence

const US = 1e-3; // ms
const VIEW_MS = 60;
const THICKEST = 24; // px, of a row
const LAST = 4; // flushes named in a sentence

/** Flushes in order: their times, and the clients whose commits they write.
 * @param {CommitColumns} columns @returns {SharedFlush[]} */
function flushesOf({ begun_us: begun, ended_us: ended, client, flush }) {
  /** @type {SharedFlush[]} */
  const flushes = [];
  flush.forEach((name, row) => {
    flushes[name] ??= { begun: begun[row] * US, ended: ended[row] * US, clients: [] };
    flushes[name].clients.push(client[row]);
  });
  return flushes;
}

/** @param {CommitColumns} columns @returns {Commits} */
function prepare(columns) {
  const flushes = flushesOf(columns), { ms } = columns, done = [0];
  const flushBegins = Float64Array.from(flushes, ({ begun }) => begun);
  const flushEnds = Float64Array.from(flushes, ({ ended }) => ended);
  for (const { clients } of flushes) done.push(done[done.length - 1] + clients.length);
  const events = new Set([0, ms, ...[...flushBegins, ...flushEnds].filter((at) => at < ms)]);
  return {
    ...columns, flushes, flushBegins, flushEnds, done,
    asked: Float64Array.from(columns.asked_us, (us) => us * US),
    begins: Float64Array.from(events).sort(),
  };
}

/** The flush that has begun and is not done, or null. @param {Commits} trace @param {number} t */
function flushUnderWay({ flushes, flushBegins }, t) {
  const flush = flushes[countAt(flushBegins, t) - 1];
  return flush && t < flush.ended ? flush : null;
}

/** @param {Commits} trace @param {number} t @returns {CommitsState} */
function stateAt(trace, t) {
  const { clients, flushes, flushEnds, ms } = trace;
  const now = flushUnderWay(trace, t), ended = countAt(flushEnds, t), done = trace.done[ended];
  const idle = clients - (now?.clients.length ?? 0);
  return {
    trace, t, now, done,
    from: Math.floor(Math.min(t, ms - 1) / VIEW_MS) * VIEW_MS,
    last: flushes.slice(Math.max(0, ended - LAST), ended),
    held: now ? 0 : idle,
    waits: now ? idle : 0,
    rate: ended ? (1000 * done) / flushEnds[ended - 1] : null,
  };
}

/** @param {CommitsState} at */
function describeClients({ trace: { clients }, now, held, waits }) {
  if (held) return `${plural(held, 'client waits', 'clients wait')} out the delay`;
  const shares = now?.clients.length ?? 0;
  const flush = shares === 1 ? '1 client has a flush to itself' : `${shares} clients share a flush`;
  return waits ? `${flush}, ${plural(waits, 'waits', 'wait')} for the next` : `${clients > 1 ? 'all ' : ''}${flush}`;
}

/** @param {CommitsState} at */
function describeFlushes({ last }) {
  const sizes = last.map(({ clients }) => String(clients.length));
  return sizes.length ? ` Clients in the last ${sizes.length > 1 ? 'few flushes' : 'flush'}: ${listWords(sizes)}.` : '';
}

/** Describe the state in a sentence, for all readers. @param {CommitsState} at */
function sentence(at) {
  const { trace: { delay, formula }, t, done, rate } = at;
  const sum = rate === null ? 'no commits' : `${plural(done, 'commit')}, ${withCommas(rate)} a second`;
  return `After ${t.toFixed(1)} ms, with a delay of ${delay} ms: ${describeClients(at)}. So far ${sum} `
    + `(the formula gives ${withCommas(formula)} a second).${describeFlushes(at)}`;
}

/** The numbers above the drawing. @param {CommitsState} at @returns {Figure[]} */
function figures({ trace: { clients, formula }, now, last, rate }) {
  const latest = now ?? last[last.length - 1];
  const share = latest ? { value: String(latest.clients.length), unit: `of ${clients}` } : { value: '–' };
  return [
    { label: 'commits a second', short: 'commits/s', value: rate === null ? '–' : withCommas(rate) },
    { label: 'commits a second according to the formula', short: 'formula', value: withCommas(formula), tone: 'model' },
    { label: 'clients in the latest flush', short: 'share a flush', ...share, tone: 'work' },
  ];
}

// ---- The tape: the run from end to end, with how many clients share each flush

const NARROW = 600; // px: a phone, or one of two runs side by side
const SMALL = { 'font-size': 12 };

const PHONE_LAYOUT = {
  narrow: true, left: 60, top: 38, rows: 84, axis: 20, tape: 51, high: 33, step: 20, size: 12, count: 13, tick: 1.5,
  words: ['flush', 'delay', 'waiting', '✓ done'], places: [0, 62, 126, 204],
};
const WIDE_LAYOUT = {
  narrow: false, left: 68, top: 52, rows: 168, axis: 26, tape: 66, high: 44, step: 10, size: 13, count: 19, tick: 2,
  words: ['flush to disk', 'held by the delay', 'waiting for the next flush', '✓ answered'], places: [0, 130, 292, 520],
};

/** The sizes of all parts, in pixels; the milliseconds between two numbers on the axis; the words of the legend, and
 * their places. @param {number} width */
const layout = (width) => (width < NARROW ? PHONE_LAYOUT : WIDE_LAYOUT);

/** @param {number} width */
function heightOf(width) {
  const { top, rows, axis, tape: foot } = layout(width);
  return top + rows + axis + foot;
}

/** The size of the time axis. @param {number} width */
function tape(width) {
  return { width, height: layout(width).tape };
}

/** Draw what does not move: a bar per flush.
 * @param {Commits} trace @param {number} width @param {number} tall @param {Surface} surface */
function drawTape({ flushes, clients: all, ms }, width, tall, surface) {
  const base = tall - 1, { high } = layout(width);
  const x = (/** @type {number} */ at) => px((Math.min(at, ms) / ms) * width);
  const bars = flushes.filter(({ begun }) => begun < ms).map(({ begun, ended, clients }) => {
    const left = x(begun), right = px(Math.max(left + 1, x(ended) - 1)), top = px(base - (clients.length / all) * high);
    return `M${left} ${base}V${top}H${right}V${base}z`;
  });
  surface.put('path', { d: bars.join(''), fill: WORK });
  surface.put('path', { d: `M0 ${base + 0.5}H${width}`, stroke: SOFT });
  const words = { ...SMALL, y: base - high - 6, fill: SOFT };
  surface.put('text', { ...words, x: 0 }, 'How many clients share each flush');
  surface.put('text', { ...words, x: width, 'text-anchor': 'end' }, `${ms} ms`);
}

/** Draw the current time.
 * @param {CommitsState} state @param {number} width @param {number} tall @param {Surface} surface */
function drawNow({ trace: { ms }, t }, width, tall, surface) {
  const here = px((t / ms) * width), { high } = layout(width), top = tall - high - 1;
  surface.put('rect', { x: here, y: top, width: px(width - here), height: high, fill: GROUND, 'fill-opacity': 0.7 });
  surface.put('path', { d: `M${here} ${top - 2}V${tall}`, stroke: INK, 'stroke-width': 2 });
}

// ---- The drawing: a row per client, and along it, by the clock, what its commits wait for

const LOOKS = [
  { key: 'flush', stroke: WORK, width: 1, dash: 'none', under: 'none' },
  { key: 'held', stroke: HELD, width: 1, dash: '1.5 2.5', under: HELD_GROUND },
  { key: 'waits', stroke: WAIT, width: 0.3, dash: 'none', under: 'none' },
];

/** @param {number} width @param {Commits} trace @param {number} from */
function plan(width, { clients }, from = 0) {
  const at = layout(width), { left, rows, top } = at, right = width - 8;
  const pitch = Math.min(THICKEST, rows / clients), thick = px(pitch - (pitch > 4 ? 1 : 0.5));
  const x = (/** @type {number} */ ms) => left + ((ms - from) / VIEW_MS) * (right - left);
  const y = (/** @type {number} */ client) => top + (client + 0.5) * pitch;
  return { ...at, width, right, pitch, thick, foot: top + rows, x, y };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** Draw a path in one of the looks, as thick as its row.
 * @param {typeof LOOKS[number]} look @param {string} d @param {number} thick @param {Surface} surface */
function drawLook({ stroke, dash, width: share, under }, d, thick, surface) {
  const line = { d, fill: 'none', 'stroke-width': px(share * thick) };
  if (under !== 'none') surface.put('path', { ...line, stroke: under });
  surface.put('path', { ...line, stroke, 'stroke-dasharray': dash });
}

/** Draw what each look means. @param {Plan} at @param {Surface} surface */
function drawLegend({ words, places, size }, surface) {
  words.forEach((word, n) => {
    const sampled = n < LOOKS.length, text = { 'font-size': size, y: 12, fill: sampled ? INK : HIT };
    if (sampled) drawLook(LOOKS[n], `M${places[n]} 8h14`, 10, surface);
    surface.put('text', { ...text, x: places[n] + (sampled ? 19 : 0) }, word);
  });
}

/** Draw what does not move. @param {Commits} trace @param {number} width @param {Surface} surface */
function drawAxes(trace, width, surface) {
  const at = plan(width, trace), { left, right, top, rows, foot, x, y } = at, { clients } = trace;
  drawLegend(at, surface);
  let grid = `M${left} ${foot + 0.5}H${right}`;
  for (let ms = 0; ms <= VIEW_MS; ms += 10) grid += `M${px(x(ms))} ${top}v${rows + 3}`;
  surface.put('path', { d: grid, stroke: SOFT, 'stroke-opacity': 0.25 });
  const name = { ...SMALL, x: 0, fill: SOFT };
  surface.put('text', { ...name, y: px(Math.max(top + 9, y(0) + 4)) }, 'client 1');
  if (clients > 2) surface.put('text', { ...name, y: px(y(clients - 1) + 4) }, `client ${clients}`);
}

/** @param {number} x @param {number} y @param {number} high */
const tickPath = (x, y, high) => `M${px(x)} ${px(y)}l${high / 2} ${high / 2}l${high / 2} ${-high}`;

/** The lines of all commits in view, by what they wait for, with a tick at the end of each finished one.
 * @param {CommitsState} state @param {Plan} at */
function linePaths({ trace, t, from }, { x, y, pitch }) {
  const to = Math.min(t, from + VIEW_MS), { delay, asked, flush, client, flushes } = trace;
  /** @type {Record<string, string>} */
  const paths = { flush: '', held: '', waits: '', ticks: '' };
  const add = (/** @type {string} */ key, /** @type {number[]} */ [begins, ends], /** @type {number} */ row) => {
    const left = Math.max(begins, from), right = Math.min(ends, to);
    if (left < right) paths[key] += `M${px(x(left))} ${px(y(client[row]))}H${px(x(right))}`;
  };
  asked.forEach((since, row) => {
    const { begun, ended } = flushes[flush[row]], leads = Math.max(since, begun - delay);
    if (since >= to || ended <= from) return;
    add('waits', [since, leads], row);
    add('held', [leads, begun], row);
    add('flush', [begun, ended], row);
    if (ended <= to) paths.ticks += tickPath(x(ended) + 1, y(client[row]), px(Math.min(10, pitch) / 2));
  });
  return paths;
}

/** Draw above each flush in view the number of clients that share it.
 * @param {CommitsState} state @param {Plan} at @param {Surface} surface */
function drawSizes({ trace: { flushes }, t, from }, { count, top, x }, surface) {
  const to = Math.min(t, from + VIEW_MS - 1), size = { 'font-size': count, 'font-weight': 600, fill: INK };
  for (const { begun, ended, clients } of flushes) {
    const middle = (begun + ended) / 2;
    if (begun > to || middle < from || middle > from + VIEW_MS) continue;
    const where = { x: px(x(middle)), y: top - 6, 'text-anchor': 'middle' };
    surface.put('text', { ...size, ...where }, String(clients.length));
  }
}

/** Draw the times in view. @param {CommitsState} state @param {Plan} at @param {Surface} surface */
function drawTimes({ from }, { step, foot, width, x }, surface) {
  const time = { ...SMALL, y: foot + 15, fill: SOFT };
  for (let ms = 0; ms < VIEW_MS; ms += step) {
    surface.put('text', { ...time, x: px(x(from + ms)), 'text-anchor': 'middle' }, String(from + ms));
  }
  surface.put('text', { ...time, x: width, 'text-anchor': 'end' }, `${from + VIEW_MS} ms`);
}

/** Draw what changes with each frame. @param {CommitsState} state @param {number} width @param {Surface} surface */
function drawCommits(state, width, surface) {
  const at = plan(width, state.trace, state.from), paths = linePaths(state, at);
  for (const look of LOOKS) drawLook(look, paths[look.key] || 'M0 0', at.thick, surface);
  surface.put('path', { d: paths.ticks || 'M0 0', fill: 'none', stroke: HIT, 'stroke-width': at.tick });
  drawTimes(state, at, surface);
  drawSizes(state, at, surface);
}

/** @type {Renderer<Commits, CommitsState>} */
export const committers = {
  prepare, state: stateAt, sentence, figures, height: heightOf, tape,
  backdrop(trace, width, tall, surface) {
    drawAxes(trace, width, surface);
    drawTape(trace, width, tall, surface);
  },
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawCommits(at, width, surface);
  },
  scene() {}, // everything moves
  ...bySecond,
  measure: 'ms', // as the clock counts
  words: { start: 'Back to the start: all clients commit', event: 'flush' },
  begins: ({ begins }) => begins,
  round: ({ t }) => t,
  rule: () => '',
  pace: [2, 10, 50].map((each) => ({ each, words: `${each} ms a second` })),
};
