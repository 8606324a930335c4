// Whole runs of an animation in one picture, drawn once by `make stills`: how each renderer's overview draws a run.
// No page loads this.
import * as batchesRenderer from './_static/animation/batches.js';
import { drawAnswers } from './_static/animation/hedge.js';
import * as pipelineRenderer from './_static/animation/pipeline.js';
import { ORDINARY, ms as milliseconds } from './_static/animation/port.js';
import { ms as fromNanoseconds } from './_static/animation/slices.js';
import * as stormRenderer from './_static/animation/storm.js';
import { HIT, INK, MISS, SOFT, WORK, px } from './_static/animation/surface.js';
import { withCommas } from './_static/quantity.js';

/** @import { Batches } from './_static/animation/batches.js' */
/** @import { Hedge } from './_static/animation/hedge.js' */
/** @import { Pipeline } from './_static/animation/pipeline.js' */
/** @import { Port } from './_static/animation/port.js' */
/** @import { Race } from './_static/animation/race.js' */
/** @import { Scan } from './_static/animation/scan.js' */
/** @import { Slices } from './_static/animation/slices.js' */
/** @import { Storm } from './_static/animation/storm-run.js' */

/** @typedef {{ word: string, room: number, look: Record<string, string | number> }} Sign */

/** The key to a picture: each word beside a sample of its line. @param {Sign[]} signs @param {Surface} surface */
function drawKey(signs, surface) {
  let x = 0;
  for (const { word, room, look } of signs) {
    surface.put('path', { d: `M${x} 10h12`, fill: 'none', ...look });
    surface.put('text', { x: x + 16, y: 14, fill: SOFT }, word);
    x += room;
  }
}

/** What a picture has at its right, below all panels.
 * @param {number} width @param {string} words @param {Surface} surface */
function drawNote(width, words, surface) {
  surface.put('text', { x: width, y: 14, 'text-anchor': 'end', fill: INK }, words);
}

const CLIENT_ROW = 3, CLIENTS = 50; // px; rows
const { LOOKS } = batchesRenderer;

/** Chapter 1: a row per client, and along the clock what it does, the parts of each batch end to end.
 * @type {Overview<Batches>} */
const batches = {
  tall: CLIENTS * CLIENT_ROW,
  unit: '',
  result(trace) {
    const { answers, mean_s: mean } = batchesRenderer.stateAt(trace, trace.seconds);
    return `${withCommas(answers)} answers, mean ${mean === null ? '–' : batchesRenderer.ms(mean)}`;
  },
  draw(trace, width, surface) {
    const { begin_s: begins, end_s: ends, client, does, seconds } = trace, paths = LOOKS.map(() => '');
    const x = (/** @type {number} */ s) => px((s / seconds) * width);
    does.forEach((activity, row) => {
      const from = x(begins[row]), to = x(Math.min(seconds, ends[row]));
      if (activity in paths && to > from) paths[activity] += `M${from} ${px((client[row] + 0.5) * CLIENT_ROW)}H${to}`;
    });
    for (const [activity, { stroke, width: share, dash }] of LOOKS.entries()) {
      const look = { stroke, 'stroke-width': px(share * CLIENT_ROW), 'stroke-dasharray': dash };
      surface.put('path', { d: paths[activity] || 'M0 0', fill: 'none', ...look });
    }
  },
  foot(width, surface, { seconds }) {
    const signs = LOOKS.map(({ short, stroke, width: share, dash }) => (
      { word: short, room: 62, look: { stroke, 'stroke-width': px(share * CLIENT_ROW), 'stroke-dasharray': dash } }));
    drawKey(signs, surface);
    drawNote(width, `${seconds} s`, surface);
  },
};

const ANSWERS = 52, LATE_FROM_S = 20; // px; the second half

/** Chapter 8: each answer at the time of its question, as high as it took. @type {Overview<Hedge>} */
const hedge = {
  tall: ANSWERS,
  unit: ' late in the second half',
  result({ asked, took, late }) {
    const second = took.filter((_, r) => asked[r] / 1e6 >= LATE_FROM_S);
    return `${Math.round((100 * second.filter((time) => time / 1e6 > late).length) / second.length)}%`;
  },
  draw(trace, width, surface) {
    drawAnswers(trace, width, ANSWERS, surface);
  },
  foot(width, surface, { late }) {
    drawKey([
      { word: `✓ within ${late} s`, room: 92, look: { stroke: HIT, 'stroke-width': 8 } },
      { word: '✕ late', room: 58, look: { stroke: MISS, 'stroke-width': 8 } },
    ], surface);
    drawNote(width, 'late in the second half', surface);
  },
};

/** Chapter 5: how many marks have left the log, passed each stage, and are done; all on one clock.
 * @type {Overview<Pipeline>} */
const pipeline = {
  tall: pipelineRenderer.tapeHeight(0),
  unit: '',
  length: ({ end }) => end,
  result: ({ end }) => `done in ${withCommas(end)} s`,
  draw(trace, width, surface, longest) {
    pipelineRenderer.drawTape(trace, (trace.end / longest) * width, this.tall, surface);
  },
  foot(width, surface) {
    const words = 'up: marks, 100 in all; right: time, one scale for all';
    surface.put('text', { x: 0, y: 12, fill: INK }, words);
  },
};

const TRANSACTIONS = 20, TRANSACTION_ROW = 4, TICK = 3; // rows; px
const SPAN_MS = 40, STEP_MS = 10;

/** @param {number} width */
const scaleOf = (width) => (/** @type {number} */ time) => px((time / SPAN_MS) * width);

/** Chapter 4: the first transactions of the watched user, a row each: a tick when a packet left the port, against
 * the time since its transaction began.
 * @type {Overview<Port>} */
const port = {
  tall: TRANSACTIONS * TRANSACTION_ROW,
  unit: '',
  result({ transactions }) {
    const times = transactions.slice(0, TRANSACTIONS).map(({ begun, done }) => done - begun);
    return `mean ${milliseconds(times.reduce((sum, time) => sum + time, 0) / times.length)}`;
  },
  draw({ transactions, lane }, width, surface) {
    const x = scaleOf(width), paths = ['', '', '', ''];
    transactions.slice(0, TRANSACTIONS).forEach(({ rows, left, begun }, n) => left.forEach((time, packet) => {
      const last = packet === left.length - 1 ? 2 : 0;
      paths[lane[rows[packet]] + last] += `M${x(time - begun)} ${n * TRANSACTION_ROW}v${TICK}`;
    }));
    paths.forEach((d, n) => {
      surface.put('path', { d: d || 'M0 0', stroke: n % 2 === ORDINARY ? MISS : HIT, 'stroke-width': n < 2 ? 1 : 3 });
    });
    surface.put('path', { d: `M0 ${this.tall + 0.5}H${width}`, stroke: SOFT, 'stroke-opacity': 0.5 });
  },
  foot(width, surface) {
    const x = scaleOf(width);
    for (let time = 0; time <= SPAN_MS; time += STEP_MS) {
      const anchor = time === 0 ? 'start' : time === SPAN_MS ? 'end' : 'middle';
      const words = time === SPAN_MS ? `${time} ms` : String(time);
      surface.put('text', { x: x(time), y: 10, 'text-anchor': anchor, fill: INK }, words);
    }
  },
};

const SCANS = 8; // the first is cold
const MISS_HEIGHT = 8, HIT_HEIGHT = 3; // px

/** Chapter 3: the first scans of each policy, a bar per request: hits thin, misses thick. @type {Overview<Scan>} */
const scan = {
  tall: MISS_HEIGHT + 2,
  unit: ' times as slow',
  result({ misses, files, cost }) {
    const counted = (SCANS - 1) * files;
    return `${(1 + (cost - 1) * (misses[SCANS * files] / counted)).toFixed(2)}`;
  },
  draw({ files, hit }, width, surface) {
    const wide = width / (SCANS * files), paths = ['', ''];
    for (let k = 0; k < SCANS * files; k += 1) {
      const tall = hit[k] ? HIT_HEIGHT : MISS_HEIGHT, bar = px(wide - 0.8);
      paths[hit[k]] += `M${px(k * wide)} ${MISS_HEIGHT - tall}h${bar}v${tall}h${-bar}z`;
    }
    surface.put('path', { d: paths[1] || 'M0 0', fill: HIT });
    surface.put('path', { d: paths[0] || 'M0 0', fill: MISS });
    const starts = Array.from({ length: SCANS }, (_, n) => `M${px(n * files * wide)} 0v${this.tall}`);
    surface.put('path', { d: starts.join(''), stroke: SOFT, 'stroke-width': 0.5 });
  },
  foot(width, surface) {
    drawKey([
      { word: '✓ hit', room: 50, look: { stroke: HIT, 'stroke-width': HIT_HEIGHT } },
      { word: '✕ miss', room: 60, look: { stroke: MISS, 'stroke-width': MISS_HEIGHT } },
    ], surface);
    drawNote(width, `times as slow in scans 2 to ${SCANS}`, surface);
  },
};

const COLUMN = 2; // px

/** The longest slice in each column. @param {Slices} trace @param {number} columns */
function longestIn({ length, runs }, columns) {
  const most = new Float64Array(columns);
  length.forEach((time, run) => {
    const column = Math.floor((run / runs) * columns);
    most[column] = Math.max(most[column], time);
  });
  return most;
}

/** Chapter 6: the longest slice in each part of the run, plain up to the quantum and dark beyond it; and the number of
 * items between two looks at the clock, which is a stair.
 * @type {Overview<Slices>} */
const slices = {
  tall: 52,
  unit: '',
  result: ({ longest }) => `longest ${fromNanoseconds(longest)} ms`,
  draw(trace, width, surface) {
    const { quantum, granularity, runs, widest } = trace, { tall } = this, columns = Math.floor(width / COLUMN);
    const most = longestIn(trace, columns), highest = Math.max(...most);
    const y = (/** @type {number} */ time) => px(tall - (time / highest) * tall), paths = ['', ''];
    most.forEach((time, n) => {
      paths[0] += `M${n * COLUMN} ${tall}V${y(Math.min(time, quantum))}`;
      if (time > quantum) paths[1] += `M${n * COLUMN} ${y(quantum)}V${y(time)}`;
    });
    surface.put('path', { d: paths[0], stroke: WORK, 'stroke-width': COLUMN - 0.4 });
    surface.put('path', { d: paths[1] || 'M0 0', stroke: MISS, 'stroke-width': COLUMN - 0.4 });
    let stair = `M0 ${tall}`;
    granularity.forEach((g, run) => {
      if (g === granularity[run - 1]) return;
      stair += `H${px((run / runs) * width)}V${px(tall - (g / widest) * tall)}`;
    });
    surface.put('path', { d: `${stair}H${width}`, fill: 'none', stroke: INK, 'stroke-width': 1.5 });
    surface.put('path', { d: `M0 ${tall + 0.5}H${width}`, stroke: SOFT });
  },
  foot(width, surface) {
    drawKey([
      { word: 'to 10 ms', room: 78, look: { stroke: WORK, 'stroke-width': 8 } },
      { word: 'beyond', room: 70, look: { stroke: MISS, 'stroke-width': 8 } },
      { word: 'items between looks', room: 130, look: { stroke: INK, 'stroke-width': 1.5 } },
    ], surface);
  },
};

const AT_LAST_S = 10;

/** Chapter 2: what the server did in each second, and how many attempts arrived. @type {Overview<Storm>} */
const storm = {
  tall: stormRenderer.TAPE_HEIGHT,
  unit: ' answered in time in the last seconds',
  result({ seconds: { answered } }) {
    const last = answered.slice(-AT_LAST_S).reduce((sum, count) => sum + count, 0) / AT_LAST_S;
    return `${last.toFixed(1)}/s`;
  },
  draw(trace, width, surface) {
    stormRenderer.drawTape(trace, { width, bottom: this.tall, high: this.tall }, surface);
  },
  foot(width, surface) {
    drawKey([
      { word: '✓ in time', room: 76, look: { stroke: HIT, 'stroke-width': 8 } },
      { word: '✕ late', room: 58, look: { stroke: MISS, 'stroke-width': 4 } },
      { word: 'attempts', room: 80, look: { stroke: INK, 'stroke-width': 1.3 } },
    ], surface);
    drawNote(width, `in time, last ${AT_LAST_S} s`, surface);
  },
};

const LANE = 16, LANES = 5; // px: of both lanes, between them

/** Chapter 7: a bar for each BLOB as long as its reading takes, from files above and from rows below.
 * @type {Overview<Race>} */
const race = {
  tall: 2 * LANE + LANES,
  unit: ' times as long as from rows',
  result: ({ files, rows }) => (files[files.length - 1] / rows[rows.length - 1]).toFixed(2),
  draw({ files, rows, end }, width, surface) {
    for (const [lane, times] of [files, rows].entries()) {
      const y = lane * (LANE + LANES);
      let d = '';
      times.forEach((time, n) => {
        const left = px(((times[n - 1] ?? 0) / end) * width), right = px((time / end) * width - 1);
        d += `M${left} ${y}H${Math.max(left + 0.5, right)}v${LANE}H${left}z`;
      });
      surface.put('path', { d, fill: lane ? HIT : WORK });
    }
    surface.put('path', { d: `M0 ${this.tall + 0.5}H${width}`, stroke: SOFT, 'stroke-opacity': 0.5 });
  },
  foot(width, surface) {
    drawKey([
      { word: 'files', room: 60, look: { stroke: WORK, 'stroke-width': 8 } },
      { word: 'rows', room: 60, look: { stroke: HIT, 'stroke-width': 8 } },
    ], surface);
    drawNote(width, 'from files, over from rows', surface);
  },
};

/** @type {Record<string, Overview<any>>} */
export const overviews = { batches, hedge, pipeline, port, race, scan, slices, storm };
