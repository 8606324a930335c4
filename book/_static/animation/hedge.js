// Chapter 8: six servers with a queue each, and requests of which some are sent to a second server.
import { bySecond, countAt } from './events.js';
import { boxPath, hatchPath } from './slices.js';
import { GROUND, HELD, HIT, INK, MISS, MISS_GROUND, RAISED, SOFT, WAIT, WORK, plural, px } from './surface.js';

/**
 * Requests in the order of their arrival. A column of copies has an entry for each first copy, then for each second
 * one, in microseconds since the request was asked; -1 is never.
 * @typedef {object} HedgeColumns
 * @property {number} servers
 * @property {number} end in seconds
 * @property {number} late an answer that takes longer is late, in seconds
 * @property {'run' | 'drop' | 'tie'} rule for the other copy
 * @property {[number, number][][]} stops when each server stands still, in seconds
 * @property {number[]} asked microseconds
 * @property {number[]} took
 * @property {number[]} server
 * @property {number[]} sent
 * @property {number[]} begun
 * @property {number[]} ended
 */

/** One copy, its times in seconds; Infinity is never.
 * @typedef {object} Copy
 * @property {number} request
 * @property {boolean} second
 * @property {number} sent
 * @property {number} begun
 * @property {number} left when it was served, or dropped from its queue
 * @property {number} answered when its request was
 */

/**
 * @typedef {object} HedgeIndex
 * @property {Copy[][]} lines the copies of each server, in the order in which they were sent
 * @property {Float64Array} times of the requests, in seconds
 * @property {Float64Array} answers the times of all answers, in order
 * @property {Uint32Array} lateBefore how many of these answers, up to each, were late
 * @property {Uint32Array} slowBefore how many of the requests, up to each, are answered late
 * @property {Float64Array} copies the times of all second copies, in order
 * @property {Float64Array} begins the times at which a step stops
 */
/** @typedef {HedgeColumns & HedgeIndex} Hedge */

/** @typedef {{ serving: Copy | null, waiting: Copy[], stopped: boolean }} Server */

/**
 * @typedef {object} HedgeState
 * @property {Hedge} trace
 * @property {number} t
 * @property {Server[]} all
 * @property {number} late of the recent answers, and the requests that already wait for longer without one
 * @property {number} judged recent answers, and these requests
 * @property {number} copies second copies among the recent requests
 * @property {number} asked recent requests
 */

const MICROSECONDS = 1e6;
const RECENT_S = 5;

// ---- The trace, its state at time t, and both in words and numbers

/** When a copy leaves: served, or dropped from its queue; a queue holds no copy that will be dropped at its turn.
 * @param {HedgeColumns} columns @param {number} k the copy @param {number} r its request */
function leavesAt({ ended, begun, took, asked, rule }, k, r) {
  if (ended[k] >= 0) return ended[k];
  const other = begun[k < asked.length ? k + asked.length : r];
  return rule === 'tie' && other >= 0 ? Math.min(other, took[r]) : took[r];
}

/** @param {HedgeColumns} columns @returns {Copy[][]} */
function linesOf(columns) {
  const { servers, asked, server, sent, begun, took } = columns, n = asked.length;
  /** @type {Copy[][]} */
  const lines = Array.from({ length: servers }, () => []);
  for (let k = 0; k < 2 * n; k += 1) {
    const r = k % n, since = asked[r], at = (/** @type {number} */ time) => (since + time) / MICROSECONDS;
    if (sent[k] < 0) continue;
    lines[server[k]].push({
      request: r, second: k >= n, sent: at(sent[k]), begun: begun[k] < 0 ? Infinity : at(begun[k]),
      left: at(Math.max(sent[k], leavesAt(columns, k, r))), answered: at(took[r]),
    });
  }
  for (const line of lines) line.sort((a, b) => a.sent - b.sent);
  return lines;
}

/** Return a run with all that is looked up in it. @param {HedgeColumns} columns @returns {Hedge} */
function prepare(columns) {
  const { asked, took, sent, stops, end, late } = columns, n = asked.length;
  const times = Float64Array.from(asked, (time) => time / MICROSECONDS);
  const order = Array.from({ length: n }, (_, r) => r).sort((a, b) => asked[a] + took[a] - asked[b] - took[b]);
  const answers = Float64Array.from(order, (r) => (asked[r] + took[r]) / MICROSECONDS);
  const [lateBefore, slowBefore] = [order, took.keys()].map((requests) => {
    const counts = new Uint32Array(n + 1);
    let place = 0;
    for (const r of requests) counts[place += 1] = counts[place - 1] + Number(took[r] > late * MICROSECONDS);
    return counts;
  });
  const second = times.map((time, r) => (sent[n + r] < 0 ? Infinity : time + sent[n + r] / MICROSECONDS));
  const edges = stops.flat(2).filter((time) => time < end);
  const seconds = Array.from({ length: Math.ceil(end) }, (_, time) => time);
  return {
    ...columns, times, answers, lateBefore, slowBefore, lines: linesOf(columns),
    copies: second.filter(Number.isFinite).sort(),
    begins: Float64Array.from(new Set([...seconds, ...edges, end])).sort(),
  };
}

/** @param {Copy[]} line @param {[number, number][]} stops @param {number} t @returns {Server} */
function serverAt(line, stops, t) {
  const here = line.filter(({ sent, left }) => sent <= t && t < left);
  return {
    serving: here.find(({ begun }) => begun <= t) ?? null,
    waiting: here.filter(({ begun }) => begun > t),
    stopped: stops.some(([from, until]) => from <= t && t < until),
  };
}

/** @param {Hedge} trace @param {number} t @returns {HedgeState} */
function stateAt(trace, t) {
  const { lines, stops, answers, lateBefore, slowBefore, copies, times, late } = trace, from = t - RECENT_S;
  const before = countAt(answers, from), until = countAt(answers, t);
  const overdue = slowBefore[countAt(times, t - late)] - lateBefore[until]; // without an answer
  return {
    trace, t,
    all: lines.map((line, n) => serverAt(line, stops[n], t)),
    late: lateBefore[until] - lateBefore[before] + overdue,
    judged: until - before + overdue,
    copies: countAt(copies, t) - countAt(copies, from),
    asked: countAt(times, t) - countAt(times, from),
  };
}

/** Whether a copy does work for nobody. @param {Copy} copy @param {number} t */
const isVain = ({ answered }, t) => answered <= t;

/** Describe the servers that stand still. @param {HedgeState} at */
function describeStops({ all }) {
  const still = all.flatMap(({ stopped }, n) => (stopped ? [n + 1] : []));
  if (!still.length) return '';
  return still.length === all.length ? ' All servers are stopped.' : ` Server ${still[0]} is stopped.`;
}

/** Describe the state in a sentence, for all readers. @param {HedgeState} at */
function sentence(at) {
  const { t, all, trace: { late: limit }, late, judged } = at;
  const waiting = all.flatMap((server) => server.waiting), second = waiting.filter((copy) => copy.second);
  const vain = all.flatMap(({ waiting: line, serving }) => (serving ? [serving, ...line] : line));
  const vainly = vain.filter((copy) => isVain(copy, t)).length;
  const line = plural(waiting.length, 'copy', 'copies');
  const stood = `${describeStops(at)} ${line} in line (${second.length} of them second copies)`;
  const recent = `In the last ${RECENT_S} s, ${late} of ${plural(judged, 'request')} waited more than ${limit} s.`;
  const unneeded = `Copies still in line or in service although their requests have been answered: ${vainly}.`;
  return `At ${t.toFixed(1)} s:${stood}. ${unneeded} ${recent}`;
}

/** The numbers of the run. @param {HedgeState} state @returns {Figure[]} */
function figuresOf({ trace: { late: limit }, late, judged, copies, asked, all }) {
  const waiting = all.reduce((sum, server) => sum + server.waiting.length, 0);
  const share = asked ? String(Math.round(100 * copies / asked)) : '–';
  return [
    {
      label: `slow requests (over ${limit} s) in the last ${RECENT_S} s`, short: `over ${limit} s`, value: String(late),
      unit: `of ${judged}`, tone: late ? 'miss' : 'hit',
    },
    { label: 'second copies per 100 requests', short: 'copies per 100', value: share, tone: 'held' },
    { label: 'copies in line', short: 'in line', value: String(waiting), tone: 'wait' },
  ];
}

// ---- The drawing: a row per server, with the copy that it serves and those in line: a filled box is a first copy, a
// hatched one a second copy, a crossed one a copy of a request already answered. Below it the tape: each answer as a
// bar at the time at which it was asked, as high as it took.

const WIDE = 500; // px; narrower is a phone, or one of two runs
const TALLEST_S = 4; // the height of the tape

/** @param {number} width */
function sizesOf(width) {
  return width < WIDE
    ? { size: 12, row: 17, box: 12, gap: 2, left: 20, aside: 34, tape: 36, key: 36 }
    : { size: 13, row: 25, box: 15, gap: 2, left: 66, aside: 44, tape: 58, key: 22 };
}

const SERVERS = 6;

/** @param {number} width */
function heightOf(width) {
  const { row, tape, key, size } = sizesOf(width);
  return SERVERS * row + key + tape + size + 8;
}

/** @param {number} width */
const tape = (width) => ({ width, height: sizesOf(width).tape + 4 });

/** @param {Hedge} trace @param {number} width @param {number} tall */
function tapePlan({ end }, width, tall) {
  const { tape: high } = sizesOf(width), base = tall - 4;
  return {
    base, top: base - high,
    x: (/** @type {number} */ t) => (t / end) * width,
    y: (/** @type {number} */ took_s) => base - (Math.min(took_s, TALLEST_S) / TALLEST_S) * high,
  };
}

/** The bars of the answers: in time, and late.
 * @param {Hedge} trace @param {number} width @param {number} tall @param {Surface} surface */
export function drawAnswers(trace, width, tall, surface) {
  const { times, took, late } = trace, { x, y, base } = tapePlan(trace, width, tall);
  let inTime = '', tooLate = '';
  times.forEach((time, r) => {
    const bar = `M${px(x(time))} ${base}V${px(y(took[r] / MICROSECONDS))}`;
    if (took[r] > late * MICROSECONDS) tooLate += bar;
    else inTime += bar;
  });
  surface.put('path', { d: inTime || 'M0 0', stroke: HIT, 'stroke-width': 1 });
  surface.put('path', { d: tooLate || 'M0 0', stroke: MISS, 'stroke-width': 1 });
  surface.put('path', { d: `M0 ${base + 0.5}H${width}`, stroke: SOFT });
}

/** @param {Hedge} trace @param {number} width @param {number} tall @param {Surface} surface */
function drawTape(trace, width, tall, surface) {
  const { y, top } = tapePlan(trace, width, tall), { size } = sizesOf(width), limit = px(y(trace.late));
  drawAnswers(trace, width, tall, surface);
  surface.put('path', { d: `M0 ${limit}H${width}`, stroke: SOFT, 'stroke-dasharray': '2 4' });
  const words = { 'font-size': size, fill: SOFT };
  const wide = 'how long each request took, plotted at its send time';
  const title = width < WIDE ? 'request times, by send time' : wide;
  surface.put('text', { ...words, x: 0, y: top - 6 }, title);
  surface.put('text', { ...words, x: width, y: top - 6, 'text-anchor': 'end' }, `dotted: ${trace.late} s`);
}

/** Draw the current time.
 * @param {HedgeState} state @param {number} width @param {number} tall @param {Surface} surface */
function drawNow({ trace, t }, width, tall, surface) {
  const { x, top, base } = tapePlan(trace, width, tall), here = px(Math.min(width - 1, x(t)));
  const veil = { x: here, y: top, width: px(width - here), height: base - top };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.7 });
  surface.put('path', { d: `M${here} ${top - 3}V${base + 3}`, stroke: INK, 'stroke-width': 2 });
}

/** Draw the key and the names of the servers. @param {number} width @param {Surface} surface */
function drawNames(width, surface) {
  const { size, row, box, left, key } = sizesOf(width), wide = width >= WIDE;
  const words = { 'font-size': size, fill: SOFT };
  for (let n = 0; n < SERVERS; n += 1) {
    surface.put('text', { ...words, x: 0, y: n * row + box }, wide ? `server ${n + 1}` : String(n + 1));
  }
  const top = SERVERS * row, below = top + (key > size * 2 ? size + 4 : 0);
  const signs = [
    { word: 'first copy', x: left, y: top }, { word: 'second', x: left + (wide ? 130 : 110), y: top },
    { word: 'already answered', x: wide ? left + 240 : left, y: below },
  ];
  signs.forEach(({ word, x, y }, n) => {
    drawBoxes([{ from: x, to: x + box - 3, y: y + 2, tall: box - 4, kind: KINDS[n] }], surface);
    surface.put('text', { ...words, x: x + box + 3, y: y + size - 1 }, word);
  });
}

const KINDS = ['first', 'second', 'vain'];

/** @typedef {{ from: number, to: number, y: number, tall: number, kind: string }} Box */

/** How each kind of box is drawn, from the bottom. @type {[string, Record<string, string | number>][]} */
const LOOKS = [
  ['first', { fill: WAIT }],
  ['second', { fill: GROUND, stroke: HELD, 'stroke-width': 1.2 }],
  ['strokes', { stroke: HELD, 'stroke-width': 1.5 }],
  ['vain', { fill: MISS_GROUND, stroke: MISS, 'stroke-width': 1 }],
  ['cross', { stroke: MISS, 'stroke-width': 1 }],
];

/** @param {Box} box */
function crossPath({ from, to, y, tall }) {
  const [left, right] = [px(from), px(to)];
  return `M${left} ${y}L${right} ${y + tall}M${right} ${y}L${left} ${y + tall}`;
}

/** @param {Box[]} boxes @param {Surface} surface */
function drawBoxes(boxes, surface) {
  /** @type {Record<string, string>} */
  const paths = { first: '', second: '', vain: '', strokes: '', cross: '' };
  for (const box of boxes) {
    paths[box.kind] += boxPath(box);
    if (box.kind === 'second') paths.strokes += hatchPath({ ...box, step: 5 });
    if (box.kind === 'vain') paths.cross += crossPath(box);
  }
  for (const [name, look] of LOOKS) surface.put('path', { ...look, d: paths[name] || 'M0 0' });
}

/** Two bars, as on a button that pauses: hatching would look like a second copy.
 * @param {{ from: number, to: number, y: number, tall: number }} frame */
function pausePath({ from, to, y, tall }) {
  const third = (to - from) / 3;
  return [from + third, to - third].map((x) => `M${px(x)} ${px(y + tall / 4)}V${px(y + (3 * tall) / 4)}`).join('');
}

/** @param {Copy} copy @param {number} t */
const kindOf = (copy, t) => (isVain(copy, t) ? 'vain' : copy.second ? 'second' : 'first');

/** @param {HedgeState} state @param {number} width @param {Surface} surface */
function drawServers({ all, t }, width, surface) {
  const { size, row, box, gap, left, aside } = sizesOf(width), pitch = box + gap;
  const room = Math.floor((width - left - aside - 2 * pitch) / pitch);
  /** @type {Box[]} */
  const boxes = [];
  let still = '';
  all.forEach(({ serving, waiting, stopped }, n) => {
    const y = n * row + 2, frame = { from: left, to: left + box + 4, y: y - 2, tall: box + 4 };
    if (stopped) still += pausePath(frame);
    surface.put('rect', {
      x: left, y: y - 2, width: box + 4, height: box + 4, rx: 3, fill: stopped ? MISS_GROUND : RAISED,
      stroke: stopped ? MISS : WORK,
    });
    const shown = waiting.slice(0, room), first = left + box + 10;
    if (serving) boxes.push({ from: left + 2, to: left + 2 + box, y, tall: box, kind: kindOf(serving, t) });
    shown.forEach((copy, k) => {
      const from = first + k * pitch;
      boxes.push({ from, to: from + box, y, tall: box, kind: kindOf(copy, t) });
    });
    const more = waiting.length - shown.length, words = more > 0 ? `+${more}` : '';
    surface.put('text', { x: width, y: y + box - 2, 'text-anchor': 'end', 'font-size': size, fill: INK }, words);
  });
  drawBoxes(boxes, surface);
  surface.put('path', { d: still || 'M0 0', stroke: MISS, 'stroke-width': 3.5 });
}

/** @type {Renderer<Hedge, HedgeState>} */
export const hedge = {
  prepare, state: stateAt, sentence, figures: figuresOf, height: heightOf, tape,
  backdrop(trace, width, tall, surface) {
    drawTape(trace, width, tall, surface);
    drawNames(width, surface);
  },
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawServers(at, width, surface);
  },
  scene() {}, // everything moves
  ...bySecond,
  measure: 'second',
  words: { start: 'Back to the start', event: 'moment' },
  begins: ({ begins }) => begins,
  round: ({ t }) => t,
  rule: () => 'serving a copy takes 0.1 s on average',
  pace: [0.25, 1, 4].map((each) => ({ each, words: `${each < 1 ? '¼' : each} s a second` })),
};
