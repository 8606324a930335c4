// Chapter 1: fifty clients, and what each has done since it asked.
import { withCommas } from '../quantity.js';
import { bySecond, countAt } from './events.js';
import { FORMULA_LINE, GROUND, HIT, INK, MISS, MODEL, SOFT, plural, px } from './surface.js';

/**
 * A run as `play` in the chapter's simulation.py returns it. A row is what a client begins to do, and
 * does until its next row; rows are in order of time.
 * @typedef {object} BatchColumns
 * @property {string} hypothesis
 * @property {number} clients
 * @property {number} max_delay_s
 * @property {number} timeout_s
 * @property {number} retries
 * @property {number} base_s differs between hypotheses
 * @property {number} think_s
 * @property {number} pool_threads
 * @property {number} commit_threads
 * @property {number} seconds the length of the animation
 * @property {number} formula_s the response time by the closed form
 * @property {boolean} exact whether the closed form is exact or an approximation
 * @property {number} mean_s over all batches, including those not shown
 * @property {number[]} begin_us
 * @property {number[]} client
 * @property {number[]} does 0 in a lease query, 1 waits for a thread, 2 works, 3 is held, 4 is answered
 * @property {number[]} flush the flush that ends a hold, or -1
 */

/**
 * @typedef {object} Flush
 * @property {number} at_s
 * @property {number[]} clients the clients it freed
 */

/**
 * @typedef {object} BatchIndex
 * @property {number[][]} rows of each client
 * @property {Float64Array[]} begins of each client's rows, in seconds
 * @property {Float64Array} begin_s of each row
 * @property {Float64Array} end_s of each row
 * @property {Int32Array} previous the row before, of the same client; the first row is its own
 * @property {Int32Array} asked the row with which the client's batch began
 * @property {Float64Array} took_s the response time of the client's last answer, NaN before the first
 * @property {Float64Array} answered_s the time of each answer
 * @property {Float64Array} sum_s the sum of the response times of the first n answers
 * @property {Flush[]} flushes
 * @property {Float64Array} flushed_s the time of each flush
 * @property {Uint8Array} counts after each row, the number of clients in each of the five activities
 * @property {Float64Array} watched_s the events of client 1, and the end
 */
/** @typedef {BatchColumns & BatchIndex} Batches */

/**
 * @typedef {object} BatchesState
 * @property {Batches} trace
 * @property {number} t in seconds
 * @property {number[]} counts clients in each activity
 * @property {number[]} rows the current row of each client
 * @property {number} answers the number of answers so far
 * @property {number | null} mean_s of all answers
 * @property {number | null} recent_s of the last fifty
 * @property {Flush | null} flush the last one
 */

const US = 1e-6, WATCHED = 0;
const QUERIES = 0, WAITS = 1, WORKS = 2, HELD = 3, ANSWERED = 4;
const ACTIVITIES = 5;

/** The rows of each client. For each row: the client's row before it, its end, the row with which its batch began, and
 * the response time of the client's last answer, NaN before the first.
 * @param {BatchColumns} columns @param {Float64Array} begin_s */
function byClient({ clients, client, does, seconds }, begin_s) {
  /** @type {number[][]} */
  const rows = Array.from({ length: clients }, () => []);
  const length = client.length, asked = new Int32Array(length), previous = new Int32Array(length);
  const end_s = new Float64Array(length).fill(seconds), took_s = new Float64Array(length).fill(NaN);
  for (let row = 0; row < length; row += 1) {
    const mine = rows[client[row]], before = mine[mine.length - 1];
    asked[row] = before === undefined || does[before] === ANSWERED ? row : asked[before];
    if (does[row] === ANSWERED) took_s[row] = begin_s[row] - begin_s[asked[row]];
    else if (before !== undefined) took_s[row] = took_s[before];
    if (before !== undefined) end_s[before] = begin_s[row];
    previous[row] = before ?? row;
    mine.push(row);
  }
  const begins = rows.map((mine) => Float64Array.from(mine, (row) => begin_s[row]));
  return { rows, begins, previous, end_s, asked, took_s };
}

/** Answers in order: their times, and the sums of the response times so far.
 * @param {number[]} does @param {Float64Array} begin_s @param {Float64Array} took_s */
function answersOf(does, begin_s, took_s) {
  const rows = does.flatMap((activity, row) => (activity === ANSWERED ? [row] : []));
  const sum_s = new Float64Array(rows.length + 1);
  rows.forEach((row, n) => {
    sum_s[n + 1] = sum_s[n] + took_s[row];
  });
  return { answered_s: Float64Array.from(rows, (row) => begin_s[row]), sum_s };
}

/** Flushes in order: their times, and the clients they freed.
 * @param {BatchColumns} columns @param {Float64Array} end_s */
function flushesOf({ client, flush }, end_s) {
  /** @type {Map<number, Flush>} */
  const found = new Map();
  flush.forEach((name, row) => {
    if (name < 0) return;
    const one = found.get(name) ?? { at_s: end_s[row], clients: [] };
    one.clients.push(client[row]);
    found.set(name, one);
  });
  const flushes = [...found.values()].sort((a, b) => a.at_s - b.at_s);
  return { flushes, flushed_s: Float64Array.from(flushes, ({ at_s }) => at_s) };
}

/** The number of clients in each activity, after each row. @param {BatchColumns} columns */
function countsOf({ client, clients, does }) {
  const counts = new Uint8Array((does.length + 1) * ACTIVITIES), activity = new Int8Array(clients).fill(-1);
  does.forEach((now, row) => {
    const after = (row + 1) * ACTIVITIES, was = activity[client[row]];
    counts.copyWithin(after, after - ACTIVITIES, after);
    if (was >= 0) counts[after + was] -= 1;
    counts[after + now] += 1;
    activity[client[row]] = now;
  });
  return counts;
}

/** @param {BatchColumns} columns @returns {Batches} */
function prepare(columns) {
  const begin_s = Float64Array.from(columns.begin_us, (us) => us * US);
  const mine = byClient(columns, begin_s);
  return {
    ...columns, ...mine, begin_s,
    ...answersOf(columns.does, begin_s, mine.took_s),
    ...flushesOf(columns, mine.end_s),
    counts: countsOf(columns),
    watched_s: Float64Array.of(...mine.begins[WATCHED], columns.seconds),
  };
}

// ---- The state at time t, in seconds, and its sentence

const RECENT = 50; // answers

/** The number of clients in each activity at t. @param {Batches} trace @param {number} t */
function countsAt({ begin_s, counts }, t) {
  const after = countAt(begin_s, t) * ACTIVITIES;
  return [...counts.subarray(after, after + ACTIVITIES)];
}

/** The current row of each client. @param {Batches} trace @param {number} t */
function rowsAt({ rows, begins }, t) {
  return rows.map((mine, client) => mine[countAt(begins[client], t) - 1]);
}

/** @param {Batches} trace @param {number} t @returns {BatchesState} */
export function stateAt(trace, t) {
  const { answered_s, flushed_s, flushes, sum_s } = trace;
  const answers = countAt(answered_s, t), before = answers - RECENT;
  return {
    trace, t, answers,
    counts: countsAt(trace, t),
    rows: rowsAt(trace, t),
    mean_s: answers ? sum_s[answers] / answers : null,
    recent_s: before >= 0 ? (sum_s[answers] - sum_s[before]) / RECENT : null,
    flush: flushes[countAt(flushed_s, t) - 1] ?? null,
  };
}

/** A time in milliseconds, rounded: 8,072 ms. @param {number} seconds */
export const ms = (seconds) => `${withCommas(1000 * seconds)} ms`;

/** The closed form, marked if it is an approximation. @param {Batches} trace */
function formulaText({ formula_s, exact }) {
  return `${exact ? '' : '≈ '}${ms(formula_s)}`;
}

const ACTIVITY_WORDS = {
  [QUERIES]: 'in the lease query', [WAITS]: 'waiting for a thread', [WORKS]: 'working', [HELD]: 'held',
  [ANSWERED]: 'between calls',
};

/** @param {BatchesState} at */
function describeClients({ counts }) {
  const words = (/** @type {number} */ activity) => ACTIVITY_WORDS[/** @type {0} */ (activity)];
  return counts.flatMap((count, activity) => (count ? [`${count} ${words(activity)}`] : [])).join(', ');
}

/** @param {BatchesState} at */
function describeFlush({ flush }) {
  return flush && flush.clients.length > 1 ? ` The last flush freed ${flush.clients.length} at once.` : '';
}

/** @param {BatchesState} at */
function describeMean({ trace, answers, mean_s }) {
  if (mean_s === null) return 'Nobody has an answer yet.';
  const count = plural(withCommas(answers), 'answer');
  return `${count}: mean ${ms(mean_s)} (formula ${formulaText(trace)}).`;
}

/** Describe the state in a sentence, for all readers. @param {BatchesState} at */
function sentence(at) {
  const { trace, t, rows: [watched] } = at;
  const since = (t - trace.begin_s[watched]).toFixed(1);
  const first = `Client 1: ${ACTIVITY_WORDS[/** @type {0} */ (trace.does[watched])]} for ${since} s.`;
  const now = `At ${t.toFixed(1)} s, ${trace.hypothesis}: ${describeClients(at)}.`;
  return `${now} ${first} ${describeMean(at)}${describeFlush(at)}`;
}

// ---- The tape: the run from end to end, with how many clients ask, wait for a thread, and are held

const HIGH = 44;
const COLUMN = 120; // px beside the rows and the tape, for words
const TAPE_HEIGHT = 48;

/** The size of the time axis. @param {number} width */
function tape(width) {
  return { width: width - COLUMN, height: TAPE_HEIGHT };
}

/** The paths of a stack of three activities, one column per pixel, as high as the number of clients in each. Held
 * clients are hatched: only every third column is drawn.
 * @param {Batches} trace @param {number} plot @param {number} bottom */
function stackPaths(trace, plot, bottom) {
  const { seconds, clients } = trace, stack = [QUERIES, WAITS, HELD].map((activity) => ({ activity, d: '' }));
  for (let x = 0; x < plot; x += 1) {
    const counts = countsAt(trace, ((x + 0.5) / plot) * seconds);
    let y = bottom;
    for (const one of stack) {
      const high = (counts[one.activity] / clients) * HIGH, seen = one.activity !== HELD || x % 3 === 0;
      one.d += high && seen ? `M${x + 0.5} ${px(y)}v${px(-high)}` : '';
      y -= high;
    }
  }
  return stack.map(({ d }) => d || 'M0 0');
}

/** Draw what does not move.
 * @param {Batches} trace @param {number} width @param {number} tall @param {Surface} surface */
function drawTape(trace, width, tall, surface) {
  const { width: plot } = tape(width), bottom = tall - 2;
  const [queries, waits, held] = stackPaths(trace, plot, bottom);
  surface.put('path', { d: queries, stroke: MODEL, 'stroke-width': 1.05 });
  surface.put('path', { d: waits, stroke: SOFT, 'stroke-opacity': 0.35, 'stroke-width': 1.05 });
  surface.put('path', { d: held, stroke: MISS, 'stroke-width': 1.5 });
  surface.put('path', { d: `M0 ${bottom + 0.5}H${plot}`, stroke: SOFT });
  const words = { x: plot + 14, 'font-size': 12, fill: SOFT };
  surface.put('text', { ...words, y: bottom - 26 }, `all ${trace.clients} clients,`);
  surface.put('text', { ...words, y: bottom - 8 }, `${trace.seconds} s of the run`);
}

/** Draw the current time.
 * @param {BatchesState} state @param {number} width @param {number} tall @param {Surface} surface */
function drawNow({ trace, t }, width, tall, surface) {
  const { width: plot } = tape(width), here = px((Math.min(t, trace.seconds) / trace.seconds) * plot);
  const top = tall - TAPE_HEIGHT, veil = { x: here, y: top, width: px(plot - here), height: HIGH + 2 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.7 });
  surface.put('path', { d: `M${here} ${top - 2}V${tall}`, stroke: INK, 'stroke-width': 1.5 });
}

// ---- The drawing: a row per client, and along it what it has done since it asked; below, the mean response time

const LONGEST_S = 13; // since a client asked
const TOP = 40, AXIS = 30, LEFT = 20; // px
const THICKEST = 8;
const NARROW = 450; // px: a phone
const SMALL = { 'font-size': 12 };

// How each activity looks, in their order: never by its colour alone.
export const LOOKS = [
  { word: 'in a lease query', room: 142, short: 'ask', stroke: MODEL, width: 0.8, dash: 'none' },
  { word: 'wait for a thread', room: 148, short: 'wait', stroke: SOFT, width: 0.25, dash: 'none' },
  { word: 'at work', room: 92, short: 'work', stroke: INK, width: 1, dash: 'none' },
  { word: 'held', room: 60, short: 'held', stroke: MISS, width: 0.9, dash: '1.6 1.6' },
];

/** @param {number} width */
function frame(width) {
  const narrow = width < NARROW, right = width - COLUMN;
  const x = (/** @type {number} */ s) => LEFT + (s / LONGEST_S) * (right - LEFT);
  return { narrow, right, foot: TOP + (narrow ? 150 : 180), x };
}

/** @param {number} width @param {Batches} trace */
function plan(width, { clients }) {
  const at = frame(width), pitch = Math.min(THICKEST, (at.foot - TOP) / clients);
  return { ...at, pitch, y: (/** @type {number} */ client) => px(TOP + (client + 0.5) * pitch) };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** @param {number} width */
function heightOf(width) {
  return frame(width).foot + AXIS + TAPE_HEIGHT;
}

/** The settings of this run in words. @param {Batches} trace @param {string} comma */
function settingsText({ max_delay_s, timeout_s, retries, base_s, hypothesis, commit_threads, pool_threads }, comma) {
  const delay = max_delay_s < 1 ? ms(max_delay_s) : `${max_delay_s} s`;
  const threads = { 'commit stage': commit_threads, 'thread pool': pool_threads }[hypothesis];
  const parts = [`D ${delay}`, `T ${timeout_s} s`, `r ${retries}`, `b ${ms(base_s)}`];
  return [...parts, ...(threads ? [`${threads} threads`] : [])].join(comma);
}

/** Draw what does not move. @param {Batches} trace @param {number} width @param {Surface} surface */
function drawAxes(trace, width, surface) {
  const { narrow, right, foot, x, y } = plan(width, trace), step = narrow ? 4 : 2;
  surface.put('text', { ...SMALL, x: 0, y: 11, fill: SOFT }, settingsText(trace, narrow ? ' ' : ', '));
  let grid = `M${LEFT} ${foot + 0.5}H${right}`;
  for (let s = 0; s < LONGEST_S; s += step) {
    grid += `M${px(x(s))} ${TOP - 2}V${foot + 3}`;
    surface.put('text', { ...SMALL, x: px(x(s)), y: foot + 23, 'text-anchor': 'middle', fill: SOFT }, String(s));
  }
  surface.put('path', { d: grid, stroke: SOFT, 'stroke-opacity': 0.25 });
  const words = { ...SMALL, x: right + 14, fill: SOFT };
  surface.put('text', { ...words, x: width, y: 11, 'text-anchor': 'end' }, 'a row: a client');
  surface.put('text', { ...words, y: foot + 23 }, 's since it asked');
  const name = { ...SMALL, x: LEFT - 4, 'text-anchor': 'end', fill: SOFT };
  for (const client of [1, trace.clients]) surface.put('text', { ...name, y: y(client - 1) + 4 }, String(client));
}

/** A path per activity, with the lines of all clients. @param {BatchesState} state @param {Plan} at */
function linePaths({ trace, rows, t }, { x, y }) {
  const { asked, begin_s, end_s, does, previous } = trace;
  const paths = LOOKS.map(() => '');
  rows.forEach((now, client) => {
    const first = asked[now];
    const place = (/** @type {number} */ s) => px(x(s - begin_s[first]));
    for (let row = now, on = true; on; on = row !== first, row = previous[row]) {
      const line = `M${place(begin_s[row])} ${y(client)}H${place(Math.min(t, end_s[row]))}`;
      if (does[row] in paths) paths[does[row]] += line;
    }
  });
  return paths;
}

/** Draw the number of clients in each activity beside a sample of its line.
 * @param {BatchesState} state @param {Plan} at @param {Surface} surface */
function drawLegend({ counts }, { narrow }, surface) {
  let left = 0;
  for (const [activity, { word, short, room, stroke, width, dash }] of LOOKS.entries()) {
    const line = { stroke, 'stroke-width': px(width * 3.6), 'stroke-dasharray': dash };
    surface.put('path', { d: `M${left} 25.5h12`, ...line });
    surface.put('text', { ...SMALL, x: left + 16, y: 29, fill: INK }, `${counts[activity]} ${narrow ? short : word}`);
    left += narrow ? 67 : room;
  }
}

/** Draw the statistics: response times so far, and by the closed form.
 * @param {BatchesState} state @param {Plan} at @param {Surface} surface */
function drawStatistics({ trace, answers: count, mean_s, recent_s, flush }, { right }, surface) {
  const freed = flush?.clients.length ?? 0, recent = recent_s !== null;
  const texts = [
    { fill: SOFT, text: mean_s === null ? 'no answer yet' : `mean of ${withCommas(count)}:` },
    { fill: INK, text: mean_s === null ? '' : `▴ ${ms(mean_s)}`, 'font-weight': 600 },
    { fill: SOFT, text: recent ? 'last 50:' : '' },
    { fill: INK, text: recent ? ms(recent_s) : '' },
    { fill: SOFT, text: 'formula:' },
    { fill: MODEL, text: `┆ ${formulaText(trace)}`, 'font-weight': 600 },
    { fill: HIT, text: '• last answer' },
    { fill: INK, text: freed ? `flush: ${plural(freed, 'client')}` : '' },
  ];
  texts.forEach(({ text, ...look }, n) => {
    surface.put('text', { ...SMALL, 'font-weight': 400, x: right + 14, y: TOP + 10 + 18 * n, ...look }, text);
  });
}

/** Draw a bracket that joins the clients freed by the last flush.
 * @param {BatchesState} state @param {Plan} at @param {Surface} surface */
function drawBracket({ flush }, { right, y }, surface) {
  const [first, last] = flush ? [Math.min(...flush.clients), Math.max(...flush.clients)] : [0, 0];
  const d = flush ? `M${right + 2} ${y(first)}h5V${y(last)}h-5` : 'M0 0';
  surface.put('path', { d, fill: 'none', stroke: INK, 'stroke-width': 1.5 });
}

/** Draw each client's last response time, the closed form, and the mean so far on one axis.
 * @param {BatchesState} state @param {Plan} at @param {Surface} surface */
function drawAnswers({ trace, rows, mean_s }, { foot, pitch, x, y }, surface) {
  const took_s = rows.map((row) => trace.took_s[row]);
  const dots = took_s.map((s, client) => (s >= 0 ? `M${px(x(s))} ${y(client)}h0` : '')).join('');
  const dot = { stroke: HIT, 'stroke-width': px(Math.min(pitch, 4)), 'stroke-linecap': 'round' };
  surface.put('path', { d: dots || 'M0 0', ...dot });
  surface.put('path', { d: `M${px(x(trace.formula_s))} ${TOP - 4}V${foot}`, ...FORMULA_LINE });
  const tip = mean_s === null ? 'M0 0' : `M${px(x(mean_s))} ${foot + 1}l4 8h-8z`;
  surface.put('path', { d: tip, fill: INK });
}

/** Draw what changes with each frame. @param {BatchesState} state @param {number} width @param {Surface} surface */
function drawClients(state, width, surface) {
  const at = plan(width, state.trace), paths = linePaths(state, at);
  for (const [activity, { stroke, width: share, dash }] of LOOKS.entries()) {
    const look = { stroke, 'stroke-width': px(share * at.pitch), 'stroke-dasharray': dash };
    surface.put('path', { d: paths[activity] || 'M0 0', fill: 'none', ...look });
  }
  drawAnswers(state, at, surface);
  drawLegend(state, at, surface);
  drawStatistics(state, at, surface);
  drawBracket(state, at, surface);
}

/** @type {Renderer<Batches, BatchesState>} */
export const batches = {
  prepare, state: stateAt, sentence, height: heightOf, tape,
  backdrop(trace, width, tall, surface) {
    drawAxes(trace, width, surface);
    drawTape(trace, width, tall, surface);
  },
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawClients(at, width, surface);
  },
  scene() {}, // everything moves
  ...bySecond,
  measure: 'second',
  words: { start: 'To the start, when all ask', event: 'event of client 1' },
  begins: ({ watched_s }) => watched_s,
  round: ({ t }) => t,
  rule: () => 'steps follow client 1',
  pace: [
    { each: 0.5, words: '½ s a second' },
    { each: 2, words: '2 s a second' },
    { each: 8, words: '8 s a second' },
  ],
};
