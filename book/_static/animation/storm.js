// Chapter 2: a server, the queue in front of it, and clients that retry.
import { withCommas } from '../quantity.js';
import { bySecond, countAt } from './events.js';
import { FORMULA_LINE, GROUND, HIT, INK, MISS, MISS_GROUND, MODEL, SOFT, plural, px } from './surface.js';

/** From a time on, the lowest and highest self-sustaining load, if there is one.
 * @typedef {[number, number | null, number | null]} Era */

/**
 * A retry storm; each column has one entry per attempt.
 * @typedef {object} StormColumns
 * @property {number} rate of new requests, per second
 * @property {number} capacity requests per second
 * @property {number} timeout in seconds
 * @property {number} tries attempts per client
 * @property {number} end in seconds
 * @property {[number, string, number | null][]} deeds the interventions: time, name, value
 * @property {Era[]} eras
 * @property {number[]} watched the attempts of the watched client
 * @property {number[]} gap microseconds since the previous attempt
 * @property {number[]} wait in the queue
 * @property {number[]} service at the server
 * @property {string} fate one digit each
 * @property {string} tried the number of the client's attempt, one digit each
 */

/**
 * @typedef {object} StormIndex
 * @property {Float64Array} begins the times at which a step stops
 * @property {Float64Array} asked in seconds
 * @property {Float64Array} turn when service began
 * @property {Float64Array} left when service ended
 * @property {Int32Array} served the attempts that were served at all
 * @property {Float64Array} taken when their service began
 * @property {Float64Array} done when it ended
 * @property {Float64Array} answered when it ended in time, while the client still waited
 * @property {Float64Array} again the times of all retries
 * @property {{ sent: Int32Array, done: Int32Array, answered: Int32Array }} seconds counts in each second
 */
/** @typedef {StormColumns & StormIndex} Storm */

/**
 * @typedef {object} Followed
 * @property {number} sent attempts of the watched client
 * @property {number} served
 * @property {boolean} inTime whether one of them was
 * @property {number | null} gaveUp in seconds
 */

/**
 * @typedef {object} StormState
 * @property {Storm} trace
 * @property {number} t
 * @property {number} first attempt in the queue
 * @property {number} waits the first in the queue whose client still waits
 * @property {number} sent the attempt behind the last in the queue
 * @property {number} now the attempt at the server, or -1
 * @property {boolean} down
 * @property {number} served in the last seconds
 * @property {number} inTime among those
 * @property {number} asked attempts in the last seconds
 * @property {number} again retries among those
 * @property {Followed | null} followed
 * @property {number | null} mean attempts per second under the current rules
 * @property {number | null} lowest self-sustaining load
 * @property {number | null} highest self-sustaining load
 */

const ANSWERED = '0', LATE = '1'; // fates; all others mean not served
const MICROSECONDS = 1e6;

/** The sums of gaps in microseconds, in seconds. @param {number[]} gaps */
function cumulativeSeconds(gaps) {
  let sum = 0;
  return Float64Array.from(gaps, (gap) => {
    sum += gap;
    return sum / MICROSECONDS;
  });
}

/** @param {Float64Array} begins @param {number[]} lengths in microseconds */
function endsOf(begins, lengths) {
  return begins.map((begin, k) => Math.round(begin * MICROSECONDS + lengths[k]) / MICROSECONDS);
}

/** The times at which a step stops: the events of the watched client or, without one, each second.
 * @param {StormColumns} columns @param {Float64Array[]} times */
function stopsOf({ watched, timeout, end }, times) {
  const [asked] = times;
  const moments = watched.flatMap((k) => [asked[k] + timeout, ...times.map((column) => column[k])]);
  const seconds = Array.from({ length: end }, (_, second) => second);
  const kept = watched.length ? moments.filter((time) => time < end) : seconds;
  return Float64Array.from(new Set([0, ...kept, end])).sort();
}

/** @param {Float64Array} times @param {number} end */
function perSecond(times, end) {
  const counts = new Int32Array(end);
  for (const time of times) if (time < end) counts[Math.floor(time)] += 1;
  return counts;
}

/** @param {StormColumns} columns @returns {Storm} */
function prepare(columns) {
  const { gap, wait, service, fate, end } = columns;
  const asked = cumulativeSeconds(gap), turn = endsOf(asked, wait), left = endsOf(turn, service);
  const attempts = Int32Array.from(fate, (_, k) => k);
  const pick = (/** @type {string} */ fates, /** @type {Float64Array} */ times) => (
    times.filter((_, k) => fates.includes(fate[k])));
  const served = attempts.filter((k) => fate[k] <= LATE);
  const done = pick(ANSWERED + LATE, left), answered = pick(ANSWERED, left);
  return {
    ...columns, asked, turn, left, served, done, answered,
    taken: pick(ANSWERED + LATE, turn),
    again: asked.filter((_, k) => columns.tried[k] > '0'),
    begins: stopsOf(columns, [asked, turn, left]),
    seconds: { sent: perSecond(asked, end), done: perSecond(done, end), answered: perSecond(answered, end) },
  };
}

// ---- The state at time t. Service is in order of arrival, and every client waits equally long: so the queue is the
// attempts between two searches, and those whose clients still wait are the last of it.

const RECENT_S = 5;
const LEAST_S = 1; // the shortest time for a mean

/** @param {Float64Array} times @param {number} from @param {number} until */
function countBetween(times, from, until) {
  return countAt(times, until) - countAt(times, from);
}

/** The attempt at the server, or -1. @param {Storm} trace @param {number} t */
function attemptInService({ served, taken, done }, t) {
  const begun = countAt(taken, t);
  return begun > countAt(done, t) ? served[begun - 1] : -1;
}

/** @param {Storm} trace @param {number} t */
function isDown({ deeds }, t) {
  return deeds.some(([from, kind, length]) => kind === 'outage' && from <= t && t < from + Number(length));
}

/** Attempts per second, counted once every client has had all its attempts under the current rules; and the
 * self-sustaining loads under these rules. @param {Storm} trace @param {number} t */
function loadAt({ eras, asked, tries, timeout }, t) {
  const [begin, lowest, highest] = eras[eras.filter(([from]) => from <= t).length - 1];
  const since = begin + tries * timeout, passed = t - since;
  const mean = passed < LEAST_S || highest === null ? null : countBetween(asked, since, t) / passed;
  return { mean, lowest, highest };
}

/** What has happened to the watched client.
 * @param {Storm} trace @param {number} t @returns {Followed | null} */
function followClient({ watched, asked, left, timeout, fate }, t) {
  const sent = watched.filter((k) => asked[k] <= t);
  if (!sent.length) return null;
  const served = sent.filter((k) => left[k] <= t && fate[k] <= LATE);
  const last = watched[watched.length - 1], end = asked[last] + timeout;
  const gaveUp = fate[last] !== ANSWERED && end <= t ? end : null;
  return { sent: sent.length, served: served.length, inTime: served.some((k) => fate[k] === ANSWERED), gaveUp };
}

/** @param {Storm} trace @param {number} t @returns {StormState} */
function stateAt(trace, t) {
  const { asked, turn, timeout, done, answered } = trace;
  const first = countAt(turn, t), from = t - RECENT_S;
  return {
    trace, t, first,
    waits: Math.max(first, countAt(asked, t - timeout)), // the first in the queue whose client still waits
    sent: countAt(asked, t),
    now: attemptInService(trace, t),
    down: isDown(trace, t),
    served: countBetween(done, from, t),
    inTime: countBetween(answered, from, t),
    asked: countBetween(asked, from, t),
    again: countBetween(trace.again, from, t),
    followed: followClient(trace, t),
    ...loadAt(trace, t),
  };
}

// ---- The sentence

/** @param {number} t */
const secondsText = (t) => `${Math.round(t * 100) / 100} s`;

/** @param {StormState} at */
function describeQueue({ first, waits, sent }) {
  if (sent === first) return 'nobody in line';
  return `${plural(withCommas(sent - first), 'attempt')} in line, ${withCommas(sent - waits)} still waited for`;
}

/** @param {StormState} at */
function describeService({ served, inTime }) {
  return `in the last ${RECENT_S} seconds ${withCommas(served)} served, ${withCommas(inTime)} in time`;
}

/** @param {StormState} at */
function describeClient({ trace: { watched, asked }, followed }) {
  if (!followed) return 'The watched client has not come yet';
  const { sent, served, inTime, gaveUp } = followed;
  const end = gaveUp === null ? '' : `, left at ${secondsText(gaveUp)}`;
  const got = served ? `, was served ${plural(served, 'time')}, ${inTime ? 'in time' : 'too late'}` : '';
  return `The watched client asked ${plural(sent, 'time')} from ${secondsText(asked[watched[0]])} on${end}${got}`;
}

/** @param {StormState} at */
function sentence(at) {
  const { trace, t, down } = at;
  const when = `At ${secondsText(t)}${down ? ' the server stands still' : ''}`;
  const more = trace.watched.length ? `. ${describeClient(at)}` : `; ${describeService(at)}`;
  return `${when}: ${describeQueue(at)}${more}.`;
}

// ---- The tape: the run from end to end, with what the server did in each second as bars, attempts as a line, and the
// self-sustaining loads by the closed form

export const TAPE_HEIGHT = 72;
const SIDE = 126, TAPE_FOOT = 15, HEADROOM = 1.25;

/** The size of the time axis. @param {number} width */
export function tape(width) {
  return { width: width - SIDE, height: TAPE_HEIGHT };
}

/** @param {Storm} trace @param {number} width @param {number} height */
function tapePlan({ end, capacity, rate, tries }, width, height) {
  const plot = width - SIDE, base = height - TAPE_FOOT, top = height - TAPE_HEIGHT + 6;
  const most = HEADROOM * Math.max(capacity, rate * tries);
  return {
    plot, base, top,
    x: (/** @type {number} */ t) => (t / end) * plot,
    y: (/** @type {number} */ load) => base - (Math.min(load, most) / most) * (base - top),
  };
}

/** The path of bars from one count to another in each second, as wide as a share of it.
 * @param {ReturnType<typeof tapePlan>} at @param {(second: number) => [number, number]} counts
 * @param {number} end @param {number} share */
function barsPath({ x, y }, counts, end, share) {
  let d = 'M0 0';
  for (let second = 0; second < end; second += 1) {
    const [low, high] = counts(second);
    const left = px(x(second + (1 - share) / 2)), wide = px(share * (x(1) - x(0)));
    if (high > low) d += `M${left} ${px(y(low))}h${wide}V${px(y(high))}h${-wide}z`;
  }
  return d;
}

/** The path of the self-sustaining loads, each while its rules hold.
 * @param {Storm} trace @param {ReturnType<typeof tapePlan>} at */
function formulaPath({ eras, end }, { x, y }) {
  return eras.flatMap(([from, ...loads], n) => {
    const until = eras[n + 1]?.[0] ?? end;
    return loads.map((load) => (load === null ? '' : `M${px(x(from))} ${px(y(load))}H${px(x(until))}`));
  }).join('') || 'M0 0';
}

/** @param {Storm} trace @param {number} width @param {number} height @param {Surface} surface */
export function drawTape(trace, width, height, surface) {
  const at = tapePlan(trace, width, height), { plot, base, top, x, y } = at, { end, seconds, deeds } = trace;
  for (const [from, kind, length] of deeds) {
    const wide = kind === 'outage' ? x(Number(length)) : 0;
    surface.put('rect', { x: px(x(from)), y: top, width: px(wide), height: base - top, fill: MISS_GROUND });
    surface.put('path', { d: `M${px(x(from))} ${top}l-4 -6h8z`, fill: INK });
  }
  const { sent, done, answered } = seconds;
  surface.put('path', { d: barsPath(at, (second) => [0, answered[second]], end, 0.9), fill: HIT });
  surface.put('path', { d: barsPath(at, (second) => [answered[second], done[second]], end, 0.4), fill: MISS });
  const line = Array.from(sent, (count, second) => `${second ? 'V' : 'M0 '}${px(y(count))}H${px(x(second + 1))}`);
  surface.put('path', { d: line.join(''), fill: 'none', stroke: INK, 'stroke-width': 1.3 });
  surface.put('path', { d: formulaPath(trace, at), ...FORMULA_LINE });
  surface.put('path', { d: `M0 ${base + 0.5}H${plot}`, stroke: SOFT });
  const every = width < 400 ? 40 : 20, name = { y: base + 12, 'font-size': 12, fill: SOFT };
  for (let second = 0; second <= end; second += every) {
    const anchor = second === 0 ? 'start' : second === end ? 'end' : 'middle';
    const words = second === end ? `${second} s` : String(second);
    surface.put('text', { ...name, x: px(x(second)), 'text-anchor': anchor }, words);
  }
}

/** @param {StormState} state */
function formulaText({ lowest, highest }) {
  if (lowest === null || highest === null) return 'no formula';
  const [low, high] = [Math.round(lowest), Math.round(highest)];
  return low === high ? `formula ${low}` : `formula ${low} or ${high}`;
}

/** @param {StormState} state @param {number} width @param {number} height @param {Surface} surface */
function drawNow(state, width, height, surface) {
  const { trace, t, mean } = state, { plot, base, top, x, y } = tapePlan(trace, width, height), here = px(x(t));
  const veil = { x: here, y: top - 6, width: px(plot - here), height: base - top + 6 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.8 });
  surface.put('path', { d: `M${here} ${top - 6}V${base + 3}`, stroke: INK, 'stroke-width': 1.5 });
  const known = mean !== null, words = { x: plot + 8, 'font-size': 12 };
  surface.put('circle', { cx: here, cy: px(known ? y(mean) : base), r: 3.5, fill: known ? INK : 'none' });
  surface.put('text', { ...words, y: height - 58, fill: SOFT }, 'attempts a second');
  const soFar = known ? `so far ${mean.toFixed(1)}` : 'so far –';
  surface.put('text', { ...words, y: height - 42, fill: INK, 'font-weight': 600 }, soFar);
  surface.put('text', { ...words, y: height - 26, fill: MODEL }, formulaText(state));
  surface.put('text', { ...words, y: height - 8, fill: HIT }, '✓ in time');
  surface.put('text', { ...words, x: plot + 70, y: height - 8, fill: MISS }, '✕ late');
}

// ---- The watched client: a bar for each attempt while the client waits, then a thin line until the server is done
// with it

const CLIENT_ROW = 7, CLIENT_FOOT = 14;
const STRIP_HEIGHT = 5 * CLIENT_ROW + CLIENT_FOOT + 4;

/** @param {string} fate @param {number} x @param {number} y */
function fateMark(fate, x, y) {
  if (fate === ANSWERED) return { d: `M${px(x - 4)} ${y}l3 3l6 -6`, stroke: HIT };
  if (fate === LATE) return { d: `M${px(x - 3)} ${y - 3}l6 6m0 -6l-6 6`, stroke: MISS };
  return { d: `M${px(x)} ${y - 3}v6`, stroke: SOFT }; // not served
}

/** @param {StormState} state @param {Plan} at @param {Surface} surface */
function drawClient({ trace, t, followed }, { left, width, foot }, surface) {
  const { watched, asked, left: done, fate, timeout } = trace;
  const begin = asked[watched[0]], end = Math.max(begin + 1, ...watched.map((k) => done[k]));
  const x = (/** @type {number} */ time) => left + 5 + ((time - begin) / (end - begin)) * (width - left - 12);
  const words = { y: foot + 14, 'font-size': 12, fill: INK };
  surface.put('text', { ...words, x: 0, 'font-weight': 600 }, 'The watched client');
  const so = followed ? `asked ${followed.sent}, served ${followed.served}` : 'has not come yet';
  surface.put('text', { ...words, x: 0, y: foot + 30, fill: SOFT }, so);
  watched.forEach((k, n) => {
    const y = foot + 8 + CLIENT_ROW * n, sent = asked[k] <= t, leaves = Math.min(t, asked[k] + timeout, done[k]);
    const thin = sent ? `M${px(x(asked[k]))} ${y}H${px(x(Math.min(t, done[k])))}` : 'M0 0';
    const wide = sent ? `M${px(x(asked[k]))} ${y}H${px(x(leaves))}` : 'M0 0';
    surface.put('path', { d: thin, stroke: SOFT, 'stroke-width': 1.2 });
    surface.put('path', { d: wide, stroke: MODEL, 'stroke-width': 4.5 });
    const sign = done[k] <= t ? fateMark(fate[k], x(done[k]), y) : { d: 'M0 0', stroke: SOFT };
    surface.put('path', { ...sign, fill: 'none', 'stroke-width': 1.8 });
  });
  const times = { 'font-size': 12, y: foot + 8 + 5 * CLIENT_ROW + 8, fill: SOFT };
  surface.put('text', { ...times, x: left }, `${begin.toFixed(2)} s`);
  surface.put('text', { ...times, x: width, 'text-anchor': 'end' }, `${end.toFixed(2)} s`);
}

// ---- The drawing: the server, and the queue in front of it, fifty places per row. A row is half a second of work, so
// a place shows how long an attempt will wait.

const PLACES = 50; // per row
const TOP = 20, GAP = 6, AXIS = 44;
const FEW = ['in line', 'waited for', 'served, 5 s', 'in time'];
const LABELS = ['in line', 'still waited for', 'served in 5 s', 'in time', 'asked in 5 s', 'not for the first time'];
const NARROW = { row: 3.2, room: 150, panel: 108, step: 16, labels: FEW };
const WIDE = { row: 4, room: 190, panel: 200, step: 17, labels: LABELS };
const PHONE = 400; // px
const LEGEND = 200; // px, of the words of the legend
const SQUARE = 1.5; // the largest ratio of a place's width to its height

/** @param {number} width */
const sizes = (width) => (width < PHONE ? NARROW : WIDE);

/** @param {number} width */
const heightOf = (width) => TOP + sizes(width).room + GAP + TAPE_HEIGHT;

/** @param {number} width @param {Storm} trace */
function plan(width, { watched, capacity }) {
  const { row, room: all, panel, ...words } = sizes(width);
  const room = all - (watched.length ? STRIP_HEIGHT : 0);
  const pitch = Math.floor(10 * Math.min(SQUARE * row, (width - panel - AXIS) / PLACES)) / 10;
  const left = width - Math.ceil(PLACES * pitch);
  return {
    ...words, width, row, pitch, left, panel: left - AXIS - 8, top: TOP, foot: TOP + room,
    rows: Math.floor(room / row), secondsARow: PLACES / capacity,
  };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** @param {Plan} at @param {number} place */
function placeOf({ left, top, pitch, row }, place) {
  return { x: left + ((place % PLACES) + 0.5) * pitch, y: top + (Math.floor(place / PLACES) + 0.5) * row };
}

/** The path of a stretch of the queue, one dash per place.
 * @param {Plan} at @param {number} from @param {number} until */
function placesPath(at, from, until) {
  let d = 'M0 0';
  for (let place = from, end; place < until; place = end) {
    end = Math.min(until, PLACES * (Math.floor(place / PLACES) + 1));
    const { x, y } = placeOf(at, place);
    d += `M${px(x)} ${px(y)}h${px((end - place - 1) * at.pitch + 0.1)}`;
  }
  return d;
}

/** Draw a stretch of the queue: rings for clients that have left, discs for clients that wait.
 * @param {Plan} at @param {number[]} stretch @param {boolean} wait @param {Surface} surface */
function drawStretch(at, [from, until], wait, surface) {
  const d = placesPath(at, from, until), size = Math.min(at.row, at.pitch) - 0.6;
  const dashes = { d, fill: 'none', 'stroke-linecap': 'round', 'stroke-dasharray': `0 ${at.pitch}` };
  surface.put('path', { ...dashes, stroke: wait ? MODEL : SOFT, 'stroke-width': px(size) });
  if (!wait) surface.put('path', { ...dashes, stroke: GROUND, 'stroke-width': px(size - 1.5) });
}

/** @param {StormState} state @param {Plan} at @param {Surface} surface */
function drawQueue({ first, waits, sent, trace }, at, surface) {
  const room = at.rows * PLACES, length = sent - first, end = length > room ? room - PLACES : length;
  drawStretch(at, [0, Math.min(waits - first, end)], false, surface);
  drawStretch(at, [Math.min(waits - first, end), end], true, surface);
  const more = length > room ? `and ${withCommas(length - end)} more behind` : '';
  surface.put('text', { x: at.left, y: px(at.foot), 'font-size': 12, fill: INK }, more);
  for (const attempt of trace.watched) {
    const there = attempt >= first && attempt < Math.min(sent, first + end);
    const { x, y } = placeOf(at, there ? attempt - first : 0), stroke = there ? INK : 'none';
    surface.put('circle', { cx: px(x), cy: px(y), r: 4.5, fill: 'none', stroke, 'stroke-width': 1.5 });
  }
}

const BOX = { x: 0.75, y: TOP + 0.75, width: 54, height: 28 };
const HATCH = Array.from({ length: 8 }, (_, n) => `M${1 + n * 7} ${TOP + 28}l7 -26`).join('');

/** Draw the attempt at the server: a disc for a client that waits, a ring for one that has left.
 * @param {StormState} state @param {Surface} surface */
function drawServed({ trace, t, down, now }, surface) {
  const somebody = now >= 0 && !down, waits = somebody && t < trace.asked[now] + trace.timeout;
  const colour = waits ? MODEL : SOFT;
  const look = { stroke: somebody ? colour : 'none', fill: waits ? colour : 'none' };
  surface.put('circle', { cx: 28, cy: TOP + 15, r: 6, 'stroke-width': 2, ...look });
}

/** @param {StormState} state @param {Surface} surface */
function drawServer(state, surface) {
  const { down } = state, colour = down ? MISS : INK;
  surface.put('rect', { ...BOX, rx: 4, fill: GROUND, stroke: colour, 'stroke-width': 1.5 });
  surface.put('path', { d: down ? HATCH : 'M0 0', stroke: MISS, 'stroke-width': 1.5 });
  drawServed(state, surface);
  const word = { x: 62, y: TOP + 19, 'font-size': 12, 'font-weight': 600, fill: colour };
  surface.put('text', word, down ? '✕ still' : 'works');
}

/** @param {StormState} state @param {Plan} at @param {Surface} surface */
function drawTable(state, { panel, step, labels }, surface) {
  const { first, waits, sent, served, inTime, asked, again } = state;
  const values = [sent - first, sent - waits, served, inTime, asked, again];
  for (const [n, label] of labels.entries()) {
    const y = TOP + 46 + step * n, value = { x: panel, y, 'font-size': 12.5, 'font-weight': 600 };
    surface.put('text', { x: 0, y, 'font-size': 12, fill: SOFT }, label);
    surface.put('text', { ...value, 'text-anchor': 'end', fill: INK }, withCommas(values[n]));
  }
}

/** Draw what does not move: the waiting time at each row, and the place from which it is too long.
 * @param {Storm} trace @param {number} width @param {Surface} surface */
function drawAxis(trace, width, surface) {
  const at = plan(width, trace), { left, row, top, rows, secondsARow, pitch } = at;
  const name = { x: left - 6, 'font-size': 12, 'text-anchor': 'end' };
  const yOf = (/** @type {number} */ wait) => px(top + (wait / secondsARow) * row);
  for (let wait = 5; wait <= rows * secondsARow; wait += 5) {
    surface.put('text', { ...name, y: yOf(wait) + 3, fill: SOFT }, `${wait} s`);
    surface.put('path', { d: `M${left - 4} ${yOf(wait) - row / 2}h4`, stroke: SOFT });
  }
  const rule = yOf(trace.timeout);
  surface.put('text', { ...name, y: rule + 4, fill: MISS, 'font-weight': 600 }, `${trace.timeout} s`);
  surface.put('path', { d: `M${left - 4} ${rule}h${px(PLACES * pitch + 4)}`, stroke: MISS, 'stroke-dasharray': '5 3' });
  surface.put('text', { x: 0, y: 12, 'font-size': 13, 'font-weight': 600, fill: INK }, 'The server');
  const dot = { cy: 8, r: 4 }, word = { y: 12, 'font-size': 12, fill: INK }, start = Math.min(left, width - LEGEND);
  surface.put('circle', { ...dot, cx: start + 4, fill: MODEL });
  surface.put('text', { ...word, x: start + 12 }, 'client waits');
  surface.put('circle', { ...dot, cx: start + 96, r: 3.4, fill: 'none', stroke: SOFT, 'stroke-width': 1.6 });
  surface.put('text', { ...word, x: start + 104 }, 'client has left');
}

/** @param {StormState} state @param {number} width @param {Surface} surface */
function drawScene(state, width, surface) {
  const at = plan(width, state.trace);
  drawServer(state, surface);
  drawTable(state, at, surface);
  drawQueue(state, at, surface);
  if (state.trace.watched.length) drawClient(state, at, surface);
}

/** @type {Renderer<Storm, StormState>} */
export const storm = {
  prepare, state: stateAt, sentence, height: heightOf, tape,
  backdrop(trace, width, tall, surface) {
    drawAxis(trace, width, surface);
    drawTape(trace, width, tall, surface);
  },
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawScene(at, width, surface);
  },
  scene() {}, // everything moves
  ...bySecond,
  measure: 'second',
  words: { start: 'To the start', event: 'moment' },
  begins: ({ begins }) => begins,
  round: ({ t }) => t,
  rule: ({ capacity }) => `server: ${capacity} a second`,
  pace: [0.5, 2, 8].map((each) => ({ each, words: `${each < 1 ? '½' : each} s a second` })),
};
