// Chapter 1, second animation: clients that commit, and the flushes they share.
import { withCommas } from '../quantity.js';
import { bySecond, countAt } from './events.js';
import { GROUND, HIT, INK, MISS, MODEL, SOFT, listWords, plural, px } from './surface.js';

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
  const flush = shares === 1 ? '1 client has a flush alone' : `${shares} clients share a flush`;
  return waits ? `${flush}, ${plural(waits, 'waits', 'wait')} for the next` : `${clients > 1 ? 'all ' : ''}${flush}`;
}

/** @param {CommitsState} at */
function describeFlushes({ last }) {
  const sizes = last.map(({ clients }) => String(clients.length));
  return sizes.length ? ` The last ${sizes.length > 1 ? 'flushes' : 'flush'}: ${listWords(sizes)}.` : '';
}

/** Describe the state in a sentence, for all readers. @param {CommitsState} at */
function sentence(at) {
  const { trace: { delay, formula }, t, done, rate } = at;
  const sum = rate === null ? 'no commit yet' : `${plural(done, 'commit')}, ${withCommas(rate)} a second`;
  return `After ${t.toFixed(1)} ms, delay ${delay} ms: ${describeClients(at)}. So far ${sum} `
    + `(formula ${withCommas(formula)}).${describeFlushes(at)}`;
}

// ---- The tape: the run from end to end, with how many clients share each flush

const HIGH = 40;
const COLUMN = 126; // px beside the rows and the tape, for words
const TAPE_HEIGHT = 46;

/** The size of the time axis. @param {number} width */
function tape(width) {
  return { width: width - COLUMN, height: TAPE_HEIGHT };
}

/** Draw what does not move: a bar per flush.
 * @param {Commits} trace @param {number} width @param {number} tall @param {Surface} surface */
function drawTape({ flushes, clients: all, ms }, width, tall, surface) {
  const plot = tape(width).width, base = tall - 2, x = (/** @type {number} */ at) => px((Math.min(at, ms) / ms) * plot);
  const bars = flushes.filter(({ begun }) => begun < ms).map(({ begun, ended, clients }) => (
    `M${x(begun)} ${base}V${px(base - (clients.length / all) * HIGH)}H${x(ended)}V${base}z`));
  surface.put('path', { d: bars.join(''), fill: MODEL });
  surface.put('path', { d: `M0 ${base + 0.5}H${plot}`, stroke: SOFT });
  const words = { x: plot + 8, 'font-size': 12, fill: SOFT };
  surface.put('text', { ...words, y: base - 24 }, 'clients a flush,');
  surface.put('text', { ...words, y: base - 6 }, `${ms} ms in all`);
}

/** Draw the current time.
 * @param {CommitsState} state @param {number} width @param {number} tall @param {Surface} surface */
function drawNow({ trace: { ms }, t }, width, tall, surface) {
  const plot = tape(width).width, here = px((t / ms) * plot), top = tall - TAPE_HEIGHT;
  const veil = { x: here, y: top, width: px(plot - here), height: HIGH + 3 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.7 });
  surface.put('path', { d: `M${here} ${top}V${tall}`, stroke: INK, 'stroke-width': 1.5 });
}

// ---- The drawing: a row per client, and along it, by the clock, what its commits wait for

const TOP = 54, ROWS = 160, AXIS = 28, LEFT = 20; // px
const SMALL = { 'font-size': 12 };
const NARROW = 400; // px: a phone
const LOOKS = [
  { key: 'flush', word: 'a flush', left: 0, stroke: MODEL, width: 0.8, dash: 'none' },
  { key: 'held', word: 'the delay', left: 0.3, stroke: MISS, width: 0.8, dash: '1.6 1.6' },
  { key: 'waits', word: 'waits for it', left: 0.66, stroke: SOFT, width: 0.2, dash: 'none' },
];

function heightOf() {
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

/** Draw what does not move. @param {Commits} trace @param {number} width @param {Surface} surface */
function drawAxes(trace, width, surface) {
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
    if (ended <= to) paths.ticks += tickPath(x(ended), y(client[row]), px(Math.min(8, pitch) / 2));
  });
  return paths;
}

/** Draw above each flush in view the number of clients that share it.
 * @param {CommitsState} state @param {Plan} at @param {Surface} surface */
function drawSizes({ trace: { flushes }, t, from }, { x }, surface) {
  const to = Math.min(t, from + VIEW_MS - 1);
  for (const { begun, ended, clients } of flushes) {
    const middle = (begun + ended) / 2;
    if (begun > to || middle < from || middle > from + VIEW_MS) continue;
    const look = { ...SMALL, 'text-anchor': 'middle', 'font-weight': 600, fill: INK };
    surface.put('text', { ...look, x: px(x(middle)), y: TOP - 6 }, String(clients.length));
  }
}

/** Draw the statistics: commits per second so far, and by the closed form.
 * @param {CommitsState} state @param {Plan} at @param {Surface} surface */
function drawStatistics({ trace: { formula }, rate, now }, { right }, surface) {
  const bold = { 'font-weight': 600 };
  /** @type {[string, Record<string, string | number>][]} */
  const texts = [
    ['commits a second', { fill: SOFT }],
    [rate === null ? 'none yet' : `so far ${withCommas(rate)}`, { fill: INK, ...bold }],
    [`formula ${withCommas(formula)}`, { fill: MODEL, ...bold }],
    ['✓ is answered', { fill: HIT }],
    [now ? `flush: ${now.clients.length}` : 'no flush now', { fill: INK }],
  ];
  texts.forEach(([text, look], n) => {
    surface.put('text', { ...SMALL, x: right + 8, y: TOP + 10 + 18 * n, ...look }, text);
  });
}

/** Draw what changes with each frame. @param {CommitsState} state @param {number} width @param {Surface} surface */
function drawCommits(state, width, surface) {
  const at = plan(width, state.trace, state.from), paths = linePaths(state, at), thick = Math.min(8, at.pitch);
  for (const { key, stroke, width: share, dash } of LOOKS) {
    const look = { stroke, 'stroke-width': px(share * thick), 'stroke-dasharray': dash };
    surface.put('path', { d: paths[key] || 'M0 0', fill: 'none', ...look });
  }
  surface.put('path', { d: paths.ticks || 'M0 0', fill: 'none', stroke: HIT, 'stroke-width': 1.4 });
  const step = width < NARROW ? 20 : 10, label = { ...SMALL, 'text-anchor': 'middle', fill: SOFT };
  for (let ms = 0; ms <= VIEW_MS; ms += step) {
    surface.put('text', { ...label, x: px(at.x(state.from + ms)), y: TOP + ROWS + 18 }, String(state.from + ms));
  }
  drawStatistics(state, at, surface);
  drawSizes(state, at, surface);
}

/** @type {Renderer<Commits, CommitsState>} */
export const committers = {
  prepare, state: stateAt, sentence, height: heightOf, tape,
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
  words: { start: 'To the start, when all commit', event: 'flush' },
  begins: ({ begins }) => begins,
  round: ({ t }) => t,
  rule: () => '',
  pace: [2, 10, 50].map((each) => ({ each, words: `${each} ms a second` })),
};
