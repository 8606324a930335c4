// Draws chapter 1's stage: a row a client, and along it what it has done since it asked; the mean of
// the answers so far, under the rows, and the closed form that it nears. It knows no time: the state
// says all.
import { FORMULA_LINE, HIT, INK, MISS, MODEL, SOFT } from './colours.js';
import { HELD, QUERIES, WAITS, WORKS } from './batches-trace.js';
import { TAPE_HEIGHT } from './batches-tape.js';
import { formula, ms } from './batches-state.js';
import { grouped } from '../quantity.js';
import { px } from './surface.js';

const LONGEST_S = 13; // since a client asked
const TOP = 40, AXIS = 30, LEFT = 20, COLUMN = 120; // px beside the rows, for words
const THICKEST = 8;
const NARROW = 450; // px, as a phone is
const SMALL = { 'font-size': 12 };

// How each doing looks: never by its colour alone.
export const LOOKS = [
  { doing: QUERIES, word: 'in a lease query', room: 142, short: 'ask', stroke: MODEL, width: 0.8, dash: 'none' },
  { doing: WAITS, word: 'wait for a thread', room: 148, short: 'wait', stroke: SOFT, width: 0.25, dash: 'none' },
  { doing: WORKS, word: 'at work', room: 92, short: 'work', stroke: INK, width: 1, dash: 'none' },
  { doing: HELD, word: 'held', room: 60, short: 'held', stroke: MISS, width: 0.9, dash: '1.6 1.6' },
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
export function height(width) {
  return frame(width).foot + AXIS + TAPE_HEIGHT;
}

/** What holds in this run. @param {Batches} trace @param {string} comma */
function rules({ max_delay_s, timeout_s, retries, base_s, hypothesis, commit_threads, pool_threads }, comma) {
  const delay = max_delay_s < 1 ? ms(max_delay_s) : `${max_delay_s} s`;
  const threads = { 'commit stage': commit_threads, 'thread pool': pool_threads }[hypothesis];
  const parts = [`D ${delay}`, `T ${timeout_s} s`, `r ${retries}`, `b ${ms(base_s)}`];
  return [...parts, ...(threads ? [`${threads} threads`] : [])].join(comma);
}

/** What does not move. @param {Batches} trace @param {number} width @param {Surface} surface */
export function axes(trace, width, surface) {
  const { narrow, right, foot, x, y } = plan(width, trace), step = narrow ? 4 : 2;
  surface.put('text', { ...SMALL, x: 0, y: 11, fill: SOFT }, rules(trace, narrow ? ' ' : ', '));
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

/** The line of each doing: all clients' in one. @param {BatchesState} state @param {Plan} at */
function lines({ trace, rows, t }, { x, y }) {
  const { asked, begin_s, end_s, does, previous } = trace;
  const made = LOOKS.map(() => '');
  rows.forEach((now, client) => {
    const first = asked[now];
    const place = (/** @type {number} */ s) => px(x(s - begin_s[first]));
    for (let row = now, on = true; on; on = row !== first, row = previous[row]) {
      const line = `M${place(begin_s[row])} ${y(client)}H${place(Math.min(t, end_s[row]))}`;
      if (does[row] in made) made[does[row]] += line;
    }
  });
  return made;
}

/** @param {number} clients */
const many = (clients) => (clients === 1 ? '1 client' : `${clients} clients`);

/** Who does what now, each beside its line. @param {BatchesState} state @param {Plan} at @param {Surface} surface */
function legend({ counts }, { narrow }, surface) {
  let left = 0;
  for (const { doing, word, short, room, stroke, width, dash } of LOOKS) {
    const line = { stroke, 'stroke-width': px(width * 3.6), 'stroke-dasharray': dash };
    surface.put('path', { d: `M${left} 25.5h12`, ...line });
    surface.put('text', { ...SMALL, x: left + 16, y: 29, fill: INK }, `${counts[doing]} ${narrow ? short : word}`);
    left += narrow ? 67 : room;
  }
}

/** The statistic: how long answers took, and how long the closed form says.
 * @param {BatchesState} state @param {Plan} at @param {Surface} surface */
function column({ trace, answers: count, mean_s, recent_s, flush }, { right }, surface) {
  const freed = flush?.clients.length ?? 0, recent = recent_s !== null;
  const texts = [
    { fill: SOFT, text: mean_s === null ? 'no answer yet' : `mean of ${grouped(count)}:` },
    { fill: INK, text: mean_s === null ? '' : `▴ ${ms(mean_s)}`, 'font-weight': 600 },
    { fill: SOFT, text: recent ? 'last 50:' : '' },
    { fill: INK, text: recent ? ms(recent_s) : '' },
    { fill: SOFT, text: 'formula:' },
    { fill: MODEL, text: `┆ ${formula(trace)}`, 'font-weight': 600 },
    { fill: HIT, text: '• last answer' },
    { fill: INK, text: freed ? `flush: ${many(freed)}` : '' },
  ];
  texts.forEach(({ text, ...look }, n) => {
    surface.put('text', { ...SMALL, 'font-weight': 400, x: right + 14, y: TOP + 10 + 18 * n, ...look }, text);
  });
}

/** Whom the last flush freed: joined, if they are several.
 * @param {BatchesState} state @param {Plan} at @param {Surface} surface */
function bracket({ flush }, { right, y }, surface) {
  const [first, last] = flush ? [Math.min(...flush.clients), Math.max(...flush.clients)] : [0, 0];
  const d = flush ? `M${right + 2} ${y(first)}h5V${y(last)}h-5` : 'M0 0';
  surface.put('path', { d, fill: 'none', stroke: INK, 'stroke-width': 1.5 });
}

/** Each client's last answer, the closed form, and the mean so far, on one axis.
 * @param {BatchesState} state @param {Plan} at @param {Surface} surface */
function answers({ trace, rows, mean_s }, { foot, pitch, x, y }, surface) {
  const took_s = rows.map((row) => trace.took_s[row]);
  const dots = took_s.map((s, client) => (s >= 0 ? `M${px(x(s))} ${y(client)}h0` : '')).join('');
  const dot = { stroke: HIT, 'stroke-width': px(Math.min(pitch, 4)), 'stroke-linecap': 'round' };
  surface.put('path', { d: dots || 'M0 0', ...dot });
  surface.put('path', { d: `M${px(x(trace.formula_s))} ${TOP - 4}V${foot}`, ...FORMULA_LINE });
  const tip = mean_s === null ? 'M0 0' : `M${px(x(mean_s))} ${foot + 1}l4 8h-8z`;
  surface.put('path', { d: tip, fill: INK });
}

/** What a frame changes. @param {BatchesState} state @param {number} width @param {Surface} surface */
export function machine(state, width, surface) {
  const at = plan(width, state.trace), drawn = lines(state, at);
  for (const { doing, stroke, width: share, dash } of LOOKS) {
    const look = { stroke, 'stroke-width': px(share * at.pitch), 'stroke-dasharray': dash };
    surface.put('path', { d: drawn[doing] || 'M0 0', fill: 'none', ...look });
  }
  answers(state, at, surface);
  legend(state, at, surface);
  column(state, at, surface);
  bracket(state, at, surface);
}
