// Chapter 1: fifty clients, and what each has done since it asked.
import { withCommas } from '../quantity.js';
import { bySecond, countAt } from './events.js';
import {
  FORMULA_LINE, GROUND, HELD, HELD_GROUND, HIT, INK, MODEL, SOFT, WAIT, WAIT_GROUND, WORK, plural, px,
} from './surface.js';

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
 * @property {Flush | null} flush the last one
 */

const US = 1e-6, WATCHED = 0;
const IN_QUERY = 0, IN_QUEUE = 1, AT_WORK = 2, IS_HELD = 3, ANSWERED = 4;
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
  const answers = countAt(answered_s, t);
  return {
    trace, t, answers,
    counts: countsAt(trace, t),
    rows: rowsAt(trace, t),
    mean_s: answers ? sum_s[answers] / answers : null,
    flush: flushes[countAt(flushed_s, t) - 1] ?? null,
  };
}

/** A time in milliseconds, rounded: 8,072 ms. @param {number} seconds */
export const ms = (seconds) => `${withCommas(1000 * seconds)} ms`;

/** The closed form, marked if it is an approximation. @param {Batches} trace */
function formulaText({ formula_s, exact }) {
  return `${exact ? '' : '≈\u00a0'}${ms(formula_s)}`;
}

const ACTIVITY_WORDS = {
  [IN_QUERY]: 'in the lease query', [IN_QUEUE]: 'waiting for a thread', [AT_WORK]: 'working', [IS_HELD]: 'held',
  [ANSWERED]: 'between calls',
};

/** @param {BatchesState} at */
function describeClients({ counts }) {
  const words = (/** @type {number} */ activity) => ACTIVITY_WORDS[/** @type {0} */ (activity)];
  return counts.flatMap((count, activity) => (count ? [`${count} ${words(activity)}`] : [])).join(', ');
}

/** @param {BatchesState} at */
function describeFlush({ flush }) {
  return flush && flush.clients.length > 1 ? ` The last flush freed ${flush.clients.length} clients together.` : '';
}

/** @param {BatchesState} at */
function describeMean({ trace, answers, mean_s }) {
  if (mean_s === null) return 'No client has an answer yet.';
  const count = plural(withCommas(answers), 'answer');
  return `Mean of ${count}: ${ms(mean_s)} (the formula gives ${formulaText(trace)}).`;
}

/** Describe the state in a sentence, for all readers. @param {BatchesState} at */
function sentence(at) {
  const { trace, t, rows: [watched] } = at;
  const since = (t - trace.begin_s[watched]).toFixed(1);
  const first = `Client 1 has been ${ACTIVITY_WORDS[/** @type {0} */ (trace.does[watched])]} for ${since} s.`;
  const now = `At ${t.toFixed(1)} s, ${trace.hypothesis}: ${describeClients(at)}.`;
  return `${now} ${first} ${describeMean(at)}${describeFlush(at)}`;
}

/** The numbers above the drawing. @param {BatchesState} at @returns {Figure[]} */
function figures({ trace, answers, mean_s }) {
  const mean = mean_s === null ? { value: '–' } : { value: withCommas(1000 * mean_s), unit: 'ms' };
  const formula = `${trace.exact ? '' : '≈\u00a0'}${withCommas(1000 * trace.formula_s)}`;
  return [
    { label: 'mean response time', short: 'mean', ...mean },
    { label: 'response time according to the formula', short: 'formula', value: formula, unit: 'ms', tone: 'model' },
    { label: 'answers so far', short: 'answers', value: withCommas(answers), tone: 'hit' },
  ];
}

// ---- What a client does, in the order of the activities: never told apart by colour alone

export const LOOKS = [
  { word: 'in the lease query', short: 'query', stroke: WAIT, width: 1, dash: 'none', under: 'none' },
  { word: 'waiting for a thread', short: 'queue', stroke: WAIT, width: 0.3, dash: 'none', under: 'none' },
  { word: 'at work', short: 'work', stroke: WORK, width: 1, dash: 'none', under: 'none' },
  { word: 'held', short: 'held', stroke: HELD, width: 1, dash: '1.5 2.5', under: HELD_GROUND },
];

const NARROW = 600; // px: a phone, or one of two runs side by side
const SMALL = { 'font-size': 12 };

const PHONE_LAYOUT = {
  narrow: true, left: 58, top: 34, watched: 12, rows: 72, axis: 22, tape: 51, high: 34, most: 10, step: 4, size: 12,
};
const WIDE_LAYOUT = {
  narrow: false, left: 68, top: 34, watched: 20, rows: 152, axis: 42, tape: 66, high: 46, most: 25, step: 2, size: 13,
};
// The words of the key for a narrow drawing, and where they begin, as shares of its width.
const NARROW_KEY = {
  activities: ['query', 'waiting', 'at work', 'held'], from: [0, 0.23, 0.485, 0.74],
  marks: ['● last answers', '▴ mean', '┆ formula'], marksFrom: [0, 0.36, 0.6],
};

/** The sizes of all parts, in pixels; the most clients that have a row; the seconds between two lines of the grid.
 * @param {number} width */
const layout = (width) => (width < NARROW ? PHONE_LAYOUT : WIDE_LAYOUT);

/** @param {number} width */
function heightOf(width) {
  const { top, watched, rows, axis, tape: foot } = layout(width);
  return top + watched + rows + axis + foot;
}

/** The size of the time axis. @param {number} width */
function tape(width) {
  return { width, height: layout(width).tape };
}

// ---- The tape: the run from end to end, with how many clients do what

/** The paths of a stack of three activities, one column per pixel, as high as the number of clients in each; and of
 * the hatching of those that are held.
 * @param {Batches} trace @param {number} width @param {number} bottom */
function stackPaths(trace, width, bottom) {
  const { seconds, clients } = trace, { high: all } = layout(width);
  const stack = [IN_QUERY, IN_QUEUE, IS_HELD].map((activity) => ({ activity, d: '' }));
  let hatch = '';
  for (let x = 0; x < width; x += 1) {
    const counts = countsAt(trace, ((x + 0.5) / width) * seconds);
    let y = bottom;
    for (const one of stack) {
      const high = (counts[one.activity] / clients) * all, line = high ? `M${x + 0.5} ${px(y)}v${px(-high)}` : '';
      one.d += line;
      hatch += one.activity === IS_HELD && x % 4 === 0 ? line : '';
      y -= high;
    }
  }
  return [...stack.map(({ d }) => d), hatch].map((d) => d || 'M0 0');
}

/** Draw what does not move.
 * @param {Batches} trace @param {number} width @param {number} tall @param {Surface} surface */
function drawTape(trace, width, tall, surface) {
  const bottom = tall - 1, [queries, waits, held, hatch] = stackPaths(trace, width, bottom);
  const words = { ...SMALL, y: tall - layout(width).high - 6, fill: SOFT };
  surface.put('path', { d: queries, stroke: WAIT, 'stroke-width': 1.05 });
  surface.put('path', { d: waits, stroke: WAIT_GROUND, 'stroke-width': 1.05 });
  surface.put('path', { d: held, stroke: HELD_GROUND, 'stroke-width': 1.05 });
  surface.put('path', { d: hatch, stroke: HELD, 'stroke-width': 1.5 });
  surface.put('path', { d: `M0 ${bottom + 0.5}H${width}`, stroke: SOFT });
  surface.put('text', { ...words, x: 0 }, `What each of the ${trace.clients} clients is doing`);
  surface.put('text', { ...words, x: width, 'text-anchor': 'end' }, `${trace.seconds} s`);
}

/** Draw the current time.
 * @param {BatchesState} state @param {number} width @param {number} tall @param {Surface} surface */
function drawNow({ trace, t }, width, tall, surface) {
  const here = px((Math.min(t, trace.seconds) / trace.seconds) * width), { high } = layout(width);
  const top = tall - high - 1;
  surface.put('rect', { x: here, y: top, width: px(width - here), height: high, fill: GROUND, 'fill-opacity': 0.7 });
  surface.put('path', { d: `M${here} ${top - 2}V${tall}`, stroke: INK, 'stroke-width': 2 });
}

// ---- The drawing: a row per client, the watched one large, and along it what it has done since it asked; below, the
// mean response time. Where all clients would be too thin to see, some of them stand for all.

const LONGEST_S = 13; // since a client asked
const THICKEST = 24; // px, of a row

/** @param {number} width @param {Batches} trace */
function plan(width, { clients }) {
  const at = layout(width), { left, top, watched, rows, most } = at, others = clients - 1;
  const shown = Math.min(others, most - 1);
  const pitch = Math.min(THICKEST, Math.floor((rows - 6) / Math.max(1, shown)));
  const seen = Array.from({ length: shown }, (_, n) => 1 + Math.floor((n * others) / shown));
  const right = width - 12, foot = top + watched + rows;
  const rowOf = new Map(seen.map((client, n) => [client, top + watched + 6 + n * pitch + (pitch - 1) / 2]));
  return {
    ...at, width, right, foot, seen, pitch, others, thick: pitch - 1,
    x: (/** @type {number} */ s) => left + (s / LONGEST_S) * (right - left),
    yOf: (/** @type {number} */ client) => (client === WATCHED ? top + watched / 2 : rowOf.get(client) ?? 0),
  };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** Draw whose row is whose. @param {Batches} trace @param {Plan} at @param {Surface} surface */
function drawNames({ clients }, { top, watched, seen, others }, surface) {
  const name = { ...SMALL, x: 0 }, one = { y: top + watched / 2 + 4, 'font-weight': 600, fill: INK };
  surface.put('text', { ...name, ...one }, 'client 1');
  const some = seen.length < others ? [`${seen.length} of the`, `other ${others}`] : ['the other', String(others)];
  some.forEach((text, n) => {
    surface.put('text', { ...name, y: top + watched + 16 + 15 * n, fill: SOFT }, clients > 1 ? text : '');
  });
}

/** Draw what the marks on the axis mean: below it, or in a narrow drawing above the rows.
 * @param {Plan} at @param {Surface} surface */
function drawKey({ narrow, left, foot, width }, surface) {
  const words = narrow ? NARROW_KEY.marks : ['● each client’s last answer', '▴ mean of all answers', '┆ formula'];
  const places = narrow ? NARROW_KEY.marksFrom.map((share) => px(share * width)) : [left, left + 220, left + 396];
  [HIT, INK, MODEL].forEach((fill, n) => {
    surface.put('text', { ...SMALL, x: places[n], y: narrow ? 27 : foot + 34, fill }, words[n]);
  });
}

/** Draw what does not move. @param {Batches} trace @param {number} width @param {Surface} surface */
function drawAxes(trace, width, surface) {
  const at = plan(width, trace), { left, right, top, foot, step, x } = at;
  let grid = `M${left} ${foot + 0.5}H${right}`;
  const middle = { ...SMALL, y: foot + 15, 'text-anchor': 'middle', fill: SOFT };
  for (let s = 0; s < LONGEST_S; s += step) {
    grid += `M${px(x(s))} ${top - 4}V${foot + 3}`;
    surface.put('text', { ...middle, x: px(x(s)) }, s ? `${s} s` : 'asked');
  }
  surface.put('path', { d: grid, stroke: SOFT, 'stroke-opacity': 0.25 });
  drawNames(trace, at, surface);
  drawKey(at, surface);
}

/** The lines of one client, a path per activity.
 * @param {BatchesState} state @param {number} client @param {Plan} at @param {string[]} paths are added to */
function addLines({ trace, rows, t }, client, { x, yOf }, paths) {
  const { asked, begin_s, end_s, does, previous } = trace, now = rows[client], first = asked[now];
  const place = (/** @type {number} */ s) => px(x(s - begin_s[first]));
  for (let row = now, on = true; on; on = row !== first, row = previous[row]) {
    const line = `M${place(begin_s[row])} ${yOf(client)}H${place(Math.min(t, end_s[row]))}`;
    if (does[row] in paths) paths[does[row]] += line;
  }
}

/** Draw a path in the look of its activity, as thick as its row.
 * @param {number} activity @param {string} d @param {number} thick @param {Surface} surface */
function drawActivity(activity, d, thick, surface) {
  const { stroke, width: share, dash, under } = LOOKS[activity];
  const line = { d, fill: 'none', 'stroke-width': px(share * thick) };
  if (under !== 'none') surface.put('path', { ...line, stroke: under });
  surface.put('path', { ...line, stroke, 'stroke-dasharray': dash });
}

/** Draw the lines of some clients.
 * @param {BatchesState} state @param {Plan} at @param {{ clients: number[], thick: number }} rows
 * @param {Surface} surface */
function drawLines(state, at, { clients, thick }, surface) {
  const paths = LOOKS.map(() => '');
  for (const client of clients) addLines(state, client, at, paths);
  paths.forEach((d, activity) => drawActivity(activity, d || 'M0 0', thick, surface));
}

const WIDE_LEGEND = [0, 196, 410, 522]; // px

/** Draw the number of clients in each activity beside a sample of its line.
 * @param {BatchesState} state @param {Plan} at @param {Surface} surface */
function drawLegend({ counts }, { narrow, width, size }, surface) {
  const places = narrow ? NARROW_KEY.from.map((share) => px(share * width)) : WIDE_LEGEND, y = narrow ? 11 : 14;
  LOOKS.forEach(({ word }, activity) => {
    const x = places[activity], count = counts[activity], name = narrow ? NARROW_KEY.activities[activity] : word;
    drawActivity(activity, `M${x} ${y - 4}h14`, 10, surface);
    surface.put('text', { x: x + 18, y, 'font-size': size, fill: count ? INK : SOFT }, `${count} ${name}`);
  });
}

/** Draw a bracket that joins the clients freed by the last flush, if it freed more than one.
 * @param {BatchesState} state @param {Plan} at @param {Surface} surface */
function drawBracket({ flush }, { right, seen, yOf }, surface) {
  const freed = [WATCHED, ...seen].filter((client) => flush?.clients.includes(client)).map(yOf);
  const d = freed.length > 1 ? `M${right + 3} ${freed[0]}h6V${freed[freed.length - 1]}h-6` : 'M0 0';
  surface.put('path', { d, fill: 'none', stroke: INK, 'stroke-width': 1.5 });
}

/** Draw each client's last response time, the closed form, and the mean so far on one axis.
 * @param {BatchesState} state @param {Plan} at @param {Surface} surface */
function drawAnswers({ trace, rows, mean_s }, { top, foot, seen, pitch, x, yOf }, surface) {
  const dots = [WATCHED, ...seen].map((client) => {
    const s = trace.took_s[rows[client]];
    return s >= 0 ? `M${px(x(s))} ${yOf(client)}h0` : '';
  }).join('');
  const size = px(Math.min(Math.max(4, pitch), 7)), round = { d: dots || 'M0 0', 'stroke-linecap': 'round' };
  surface.put('path', { ...round, stroke: GROUND, 'stroke-width': size + 1.5 });
  surface.put('path', { ...round, stroke: HIT, 'stroke-width': size });
  surface.put('path', { d: `M${px(x(trace.formula_s))} ${top - 6}V${foot}`, ...FORMULA_LINE, 'stroke-width': 2 });
  const tip = mean_s === null ? 'M0 0' : `M${px(x(mean_s))} ${foot - 3}l5 9h-10z`;
  surface.put('path', { d: tip, fill: INK, stroke: GROUND });
}

/** Draw what changes with each frame. @param {BatchesState} state @param {number} width @param {Surface} surface */
function drawClients(state, width, surface) {
  const at = plan(width, state.trace);
  drawLines(state, at, { clients: [WATCHED], thick: at.watched }, surface);
  drawLines(state, at, { clients: at.seen, thick: at.thick }, surface);
  drawAnswers(state, at, surface);
  drawLegend(state, at, surface);
  drawBracket(state, at, surface);
}

/** @type {Renderer<Batches, BatchesState>} */
export const batches = {
  prepare, state: stateAt, sentence, figures, height: heightOf, tape,
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
  words: { start: 'Back to the start: all clients send a request', event: 'event of client 1' },
  begins: ({ watched_s }) => watched_s,
  round: ({ t }) => t,
  rule: () => 'steps follow client 1',
  pace: [
    { each: 0.5, words: '½ s a second' },
    { each: 2, words: '2 s a second' },
    { each: 8, words: '8 s a second' },
  ],
};
