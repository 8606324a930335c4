// What stands on chapter 4's stage at time t: a pure function of (trace, t), and its sentence.
// Time counts milliseconds. A packet stands in its lane from when it comes until it is on the wire;
// each lane is served in order, so that what stands there is a range between two searches.
import { countAt } from './events.js';

const US = 1000; // a millisecond
export const AHEAD = 0, ORDINARY = 1;

/** When each packet came, was on the wire, had left. @param {PortColumns} columns */
function moments({ offered, waits, takes }) {
  let now = 0;
  const came = Float64Array.from(offered, (step) => now += step);
  const onWire = came.map((time, row) => time + waits[row]), left = onWire.map((time, row) => time + takes[row]);
  const [each, sent, gone] = [came, onWire, left].map((times) => times.map((time) => time / US));
  return { came: each, onWire: sent, left: gone };
}

/** The rows of a lane, in their order, and when each came and went.
 * @param {PortColumns} columns @param {ReturnType<typeof moments>} at @param {number} which @returns {Lane} */
function laneOf({ lane }, { came, onWire }, which) {
  const rows = Int32Array.from([...lane.keys()].filter((row) => lane[row] === which));
  const of = (/** @type {Float64Array} */ times) => Float64Array.from(rows, (row) => times[row]);
  return { rows, came: of(came), onWire: of(onWire) };
}

/** The watched user's transactions: the rows of their packets, in order.
 * @param {PortColumns} columns @param {ReturnType<typeof moments>} at @returns {Transaction[]} */
function transactionsOf({ user, number, watched, packets, end }, { came, left }) {
  const mine = [...user.keys()].filter((row) => user[row] === watched);
  const starts = [...mine.keys()].filter((n) => number[mine[n]] === 0);
  return starts.map((n) => {
    const rows = mine.slice(n, n + packets);
    return { rows, begun: came[rows[0]], left: rows.map((row) => left[row]), done: left[rows[rows.length - 1]] };
  }).filter(({ begun }) => begun < end / US);
}

/** The most packets that stand in a lane at once. @param {Lane} lane @param {number} end */
function mostIn({ came, onWire }, end) {
  let most = 0;
  came.forEach((time, n) => {
    if (time < end) most = Math.max(most, n + 1 - countAt(onWire, time));
  });
  return most;
}

/** What may be looked up of a run. @param {PortColumns} columns @returns {Port} */
export function prepare(columns) {
  const at = moments(columns), end = columns.end / US;
  const lanes = [AHEAD, ORDINARY].map((which) => laneOf(columns, at, which));
  const wire = Int32Array.from(at.onWire.keys()).sort((a, b) => at.onWire[a] - at.onWire[b]);
  const transactions = transactionsOf(columns, at);
  const events = transactions.flatMap(({ begun, left }) => [begun, ...left]).filter((t) => t < end);
  const begins = Float64Array.from(new Set([0, ...events, end])).sort();
  const wireAt = Float64Array.from(wire, (row) => at.onWire[row]);
  const begun = Float64Array.from(transactions, (each) => each.begun);
  const most = lanes.map((lane) => mostIn(lane, end));
  return { ...columns, ...at, end, lanes, most, wire, wireAt, transactions, begun, begins };
}

/** @param {Port} trace @param {number} row @returns {Packet} */
function packetOf({ user, number, users, watched, lane }, row) {
  const kind = user[row] === watched ? 'watched' : user[row] < users ? 'small' : 'large';
  return { row, kind, number: number[row] + 1, lane: lane[row] };
}

/** The packet on the wire, and how much of it has gone. @param {Port} trace @param {number} t */
function onWireAt(trace, t) {
  const row = trace.wire[countAt(trace.wireAt, t) - 1];
  if (row === undefined || t >= trace.left[row]) return null;
  const begun = trace.onWire[row];
  return { ...packetOf(trace, row), part: (t - begun) / (trace.left[row] - begun) };
}

/** @param {Port} trace @param {number} t @returns {PortState} */
export function state(trace, t) {
  const lanes = trace.lanes.map(({ rows, came, onWire }) => (
    Array.from(rows.subarray(countAt(onWire, t), countAt(came, t)), (row) => packetOf(trace, row))));
  const nth = countAt(trace.begun, t) - 1, transaction = trace.transactions[nth] ?? null;
  const gone = transaction ? transaction.left.filter((left) => left <= t).length : 0;
  const finished = trace.transactions.slice(0, nth + 1).filter(({ done }) => done <= t);
  const mean = finished.reduce((sum, { done, begun }) => sum + done - begun, 0) / finished.length;
  return {
    trace, t, lanes, wire: onWireAt(trace, t), nth, transaction, gone,
    since: transaction ? t - transaction.begun : 0,
    finished: finished.length, mean: finished.length ? mean : null,
  };
}

/** Another run at the same transaction, as long after it began.
 * @param {PortState} at @param {Port} trace */
export function same({ nth, since, t }, { transactions, begun }) {
  const there = Math.min(nth, transactions.length - 1);
  return there < 0 ? t : Math.min(begun[there] + since, (begun[there + 1] ?? Infinity) - 1 / US);
}

/** When another run is in the same transaction, as long after it began. They drift apart: who is
 * answered sooner asks again sooner. @param {PortState} at @param {Port} trace */
export function beside(at, trace) {
  return at.nth < trace.transactions.length ? same(at, trace) : trace.end;
}

const LANES = ['in the lane ahead', 'in the ordinary lane'];
/** Milliseconds that fit on an axis, which stays as it is while the flows' pause does.
 * @param {Port} trace */
export const span = ({ formula }) => (formula === null ? 100 : 40);
export const ms = (/** @type {number} */ time) => `${time.toFixed(1)} ms`;

/** Where the last packet of the transaction is. @param {PortState} at */
function whereIsTheLast({ trace, lanes, transaction, wire }) {
  const last = transaction?.rows[trace.packets - 1];
  if (wire?.row === last) return `number ${trace.packets} on the wire`;
  const lane = lanes.findIndex((stand) => stand.some(({ row }) => row === last));
  const before = lanes[lane].findIndex(({ row }) => row === last);
  return `number ${trace.packets} behind ${before} others ${LANES[lane]}`;
}

/** @param {PortState} at */
function sumOf({ mean, finished, trace: { formula } }) {
  if (mean === null) return '';
  const form = formula === null ? '' : `, formula ${formula.toFixed(1)}`;
  return ` Mean of ${finished}: ${ms(mean)}${form}.`;
}

/** What is on the stage, for those who do not see it, and for those who do. @param {PortState} at */
export function sentence(at) {
  const { trace, nth, since, gone, transaction } = at;
  if (!transaction) return `User ${trace.watched + 1} has not asked for anything yet.`;
  const name = `User ${trace.watched + 1}, transaction ${nth + 1}`;
  const where = gone === trace.packets
    ? `${name}: all ${gone} packets through after ${ms(transaction.done - transaction.begun)}.`
    : `${name}, ${ms(since)} in: ${gone} of ${trace.packets} packets through, ${whereIsTheLast(at)}.`;
  return where + sumOf(at);
}
