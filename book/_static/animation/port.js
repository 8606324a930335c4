// Chapter 4: the two lanes of a switch port, and the last packet of a transaction.
import { bySecond, countAt } from './events.js';
import { FORMULA_LINE, GROUND, HIT, INK, MISS, SOFT, plural, px } from './surface.js';

/**
 * The run of a port, one number per packet in each column, in order of arrival.
 * @typedef {object} PortColumns
 * @property {number} watched user, from 0; a number of `users` or more is a large flow
 * @property {number} users
 * @property {number} ahead the number of packets of a flow that go ahead
 * @property {number} packets per transaction of the watched user
 * @property {string} gap the pause that ends a flow
 * @property {number} end in microseconds
 * @property {number | null} formula milliseconds until the last packet has left, by the closed form
 * @property {number[]} offered microseconds since the previous packet
 * @property {number[]} waits until it is on the wire
 * @property {number[]} takes on the wire
 * @property {number[]} user
 * @property {number[]} number of the packet in its transaction, from 0
 * @property {number[]} lane 0: ahead, 1: ordinary
 */

/**
 * The packets of one lane, in order of service; times in milliseconds.
 * @typedef {object} Lane
 * @property {Int32Array} rows
 * @property {Float64Array} came
 * @property {Float64Array} onWire
 */

/**
 * @typedef {object} Transaction
 * @property {number[]} rows of its packets, in order
 * @property {number} begun
 * @property {number[]} left when each packet left the port
 * @property {number} done when the last one did
 */

/**
 * @typedef {object} PortIndex
 * @property {Float64Array} came in milliseconds, as are all times here
 * @property {Float64Array} onWire
 * @property {Float64Array} left
 * @property {Lane[]} lanes ahead, ordinary
 * @property {number[]} most packets in each at once
 * @property {Int32Array} wire rows in the order in which they are sent
 * @property {Float64Array} wireAt
 * @property {Transaction[]} transactions of the watched user
 * @property {Float64Array} begun when each began
 * @property {Float64Array} begins of the events of these transactions; the last is the end
 */
/** @typedef {PortColumns & PortIndex} Port */

/**
 * @typedef {object} Packet
 * @property {number} row
 * @property {'watched' | 'small' | 'large'} kind
 * @property {number} number from 1
 * @property {number} lane
 */

/**
 * @typedef {object} PortState
 * @property {Port} trace
 * @property {number} t
 * @property {Packet[][]} lanes ahead, ordinary; the next one out comes first
 * @property {(Packet & { part: number }) | null} wire with the part of it that has been sent
 * @property {number} nth the transaction that began last, from 0; -1: none
 * @property {Transaction | null} transaction
 * @property {number} gone the number of its packets that have left
 * @property {number} since it began
 * @property {number} finished transactions
 * @property {number | null} mean time of those
 */

// ---- The trace, its state at time t, in milliseconds, and the sentence. A packet is in its lane from its arrival
// until it is on the wire. Each lane is served in order, so its content is a range between two searches.

const US = 1000; // per millisecond
export const AHEAD = 0, ORDINARY = 1;

/** The times at which each packet came, was on the wire, and had left. @param {PortColumns} columns */
function timesOf({ offered, waits, takes }) {
  let now = 0;
  const came = Float64Array.from(offered, (step) => now += step);
  const onWire = came.map((time, row) => time + waits[row]), left = onWire.map((time, row) => time + takes[row]);
  const [each, sent, gone] = [came, onWire, left].map((times) => times.map((time) => time / US));
  return { came: each, onWire: sent, left: gone };
}

/** The rows of a lane in order, with the times at which each came and went.
 * @param {PortColumns} columns @param {ReturnType<typeof timesOf>} at @param {number} which @returns {Lane} */
function laneOf({ lane }, { came, onWire }, which) {
  const rows = Int32Array.from([...lane.keys()].filter((row) => lane[row] === which));
  const of = (/** @type {Float64Array} */ times) => Float64Array.from(rows, (row) => times[row]);
  return { rows, came: of(came), onWire: of(onWire) };
}

/** The transactions of the watched user, with the rows of their packets in order.
 * @param {PortColumns} columns @param {ReturnType<typeof timesOf>} at @returns {Transaction[]} */
function transactionsOf({ user, number, watched, packets, end }, { came, left }) {
  const mine = [...user.keys()].filter((row) => user[row] === watched);
  const starts = [...mine.keys()].filter((n) => number[mine[n]] === 0);
  return starts.map((n) => {
    const rows = mine.slice(n, n + packets);
    return { rows, begun: came[rows[0]], left: rows.map((row) => left[row]), done: left[rows[rows.length - 1]] };
  }).filter(({ begun }) => begun < end / US);
}

/** The largest number of packets in a lane at once. @param {Lane} lane @param {number} end */
function mostIn({ came, onWire }, end) {
  let most = 0;
  came.forEach((time, n) => {
    if (time < end) most = Math.max(most, n + 1 - countAt(onWire, time));
  });
  return most;
}

/** Return a run with all that is looked up in it. @param {PortColumns} columns @returns {Port} */
function prepare(columns) {
  const at = timesOf(columns), end = columns.end / US;
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

/** The packet on the wire, and the part of it that has been sent. @param {Port} trace @param {number} t */
function onWireAt(trace, t) {
  const row = trace.wire[countAt(trace.wireAt, t) - 1];
  if (row === undefined || t >= trace.left[row]) return null;
  const begun = trace.onWire[row];
  return { ...packetOf(trace, row), part: (t - begun) / (trace.left[row] - begun) };
}

/** @param {Port} trace @param {number} t @returns {PortState} */
function stateAt(trace, t) {
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

/** The time in another run at which the same transaction is equally old.
 * @param {PortState} at @param {Port} trace */
function sameTransaction({ nth, since, t }, { transactions, begun }) {
  const there = Math.min(nth, transactions.length - 1);
  return there < 0 ? t : Math.min(begun[there] + since, (begun[there + 1] ?? Infinity) - 1 / US);
}

/** The time in another run at which the same transaction is equally old. The clocks of two runs drift apart: a user who
 * gets an answer sooner also starts the next transaction sooner. @param {PortState} at @param {Port} trace */
function besideAt(at, trace) {
  return at.nth < trace.transactions.length ? sameTransaction(at, trace) : trace.end;
}

const LANES = ['in the priority queue', 'in the ordinary queue'];
/** The length of an axis in milliseconds, which changes only with the pause of the flows.
 * @param {Port} trace */
const span = ({ formula }) => (formula === null ? 100 : 40);
export const ms = (/** @type {number} */ time) => `${time.toFixed(1)} ms`;

/** Describe where the last packet of the transaction is. @param {PortState} at */
function describeLastPacket({ trace, lanes, transaction, wire }) {
  const last = transaction?.rows[trace.packets - 1];
  if (wire?.row === last) return `packet ${trace.packets} is on the wire`;
  const lane = lanes.findIndex((packets) => packets.some(({ row }) => row === last));
  const before = lanes[lane].findIndex(({ row }) => row === last);
  return `packet ${trace.packets} is behind ${plural(before, 'other')} ${LANES[lane]}`;
}

/** @param {PortState} at */
function describeMean({ mean, finished }) {
  return mean === null ? '' : ` Mean of ${plural(finished, 'transaction')}: ${ms(mean)}.`;
}

/** Describe the state in a sentence, for all readers. @param {PortState} at */
function sentence(at) {
  const { trace, nth, since, gone, transaction } = at;
  if (!transaction) return `User ${trace.watched + 1} has not begun a transaction yet.`;
  const name = `User ${trace.watched + 1}, transaction ${nth + 1}`;
  const where = gone === trace.packets
    ? `${name}: all ${gone} packets through after ${ms(transaction.done - transaction.begun)}.`
    : `${name}, ${ms(since)} in: ${gone} of ${trace.packets} packets through, ${describeLastPacket(at)}.`;
  return where + describeMean(at);
}

// ---- The numbers: the mean time of a transaction, and what its last packet waits for

/** The number of packets before the last one of the transaction, in its lane; null if it is in none.
 * @param {PortState} at */
function beforeLast({ trace, lanes, transaction }) {
  const last = transaction?.rows[trace.packets - 1];
  const [before] = lanes.map((lane) => lane.findIndex(({ row }) => row === last)).filter((place) => place >= 0);
  return before ?? null;
}

/** The numbers of the run. @param {PortState} at @returns {Figure[]} */
function figuresOf(at) {
  const { trace: { formula, packets }, mean, gone, transaction } = at, before = beforeLast(at);
  const time = (/** @type {number | null} */ each) => ({ value: each === null ? '–' : each.toFixed(1), unit: 'ms' });
  const through = { value: transaction ? String(gone) : '–', unit: `of ${packets}` };
  return [
    { label: 'mean time so far', short: 'mean time', ...time(mean) },
    { label: 'mean time according to the formula', short: 'formula', tone: 'model', ...time(formula) },
    { label: 'packets through', short: 'through', tone: gone === packets ? 'hit' : undefined, ...through },
    {
      label: 'packets ahead of the user’s last one', short: 'before last',
      value: before === null ? '–' : String(before), tone: before ? 'miss' : undefined,
    },
  ];
}

// ---- The tape: the run from end to end, with a bar per transaction of the watched user, where it ended, their mean so
// far, and the closed form

const WIDE = 500; // px; narrower is a phone, or one of two runs

/** @param {number} width */
const sizeOf = (width) => (width < WIDE ? 12 : 13);

/** The size of the time axis. @param {number} width */
const tape = (width) => ({ width, height: width < WIDE ? 40 : 54 });

/** @param {Port} trace @param {number} width @param {number} height */
function tapePlan(trace, width, height) {
  const top = height - tape(width).height + 6, base = height - 2;
  return {
    top, base,
    bar: width < WIDE ? 4 : 6,
    x: (/** @type {number} */ t) => px((t / trace.end) * width),
    y: (/** @type {number} */ time) => px(base - (time / span(trace)) * (base - top)),
  };
}

/** The path of the mean of all finished transactions, at each end.
 * @param {Port} trace @param {ReturnType<typeof tapePlan>} at */
function meanPath({ transactions, end }, { x, y }) {
  let line = '', sum = 0;
  transactions.filter(({ done }) => done <= end).forEach(({ begun, done }, n) => {
    sum += done - begun;
    line += `${n ? 'H' : 'M'}${x(done)}${n ? 'V' : ' '}${y(sum / (n + 1))}`;
  });
  return line ? `${line}H${x(end)}` : 'M0 0';
}

/** Draw what does not move: each transaction in the colour of the lane of its last packet.
 * @param {Port} trace @param {number} width @param {number} height @param {Surface} surface */
function drawTape(trace, width, height, surface) {
  const at = tapePlan(trace, width, height), { base, bar, x, y } = at, bars = ['', ''];
  for (const { rows, begun, done } of trace.transactions) {
    if (done > trace.end) continue;
    bars[trace.lane[rows[rows.length - 1]]] += `M${px(x(done) - bar)} ${base}V${y(done - begun)}h${bar}V${base}z`;
  }
  bars.forEach((d, lane) => surface.put('path', { d: d || 'M0 0', fill: LANE_COLOURS[lane], 'fill-opacity': 0.35 }));
  surface.put('path', { d: `M0 ${base + 0.5}H${width}`, stroke: SOFT });
  surface.put('path', { d: meanPath(trace, at), fill: 'none', stroke: INK, 'stroke-width': 2 });
  surface.put('path', { d: trace.formula === null ? 'M0 0' : `M0 ${y(trace.formula)}H${width}`, ...FORMULA_LINE });
}

/** Draw the current time.
 * @param {PortState} state @param {number} width @param {number} height @param {Surface} surface */
function drawNow({ trace, t, mean }, width, height, surface) {
  const { top, base, x, y } = tapePlan(trace, width, height), here = Math.min(width - 1, x(t));
  const veil = { x: here, y: top - 3, width: px(width - here), height: base - top + 3 };
  surface.put('rect', { ...veil, fill: GROUND, 'fill-opacity': 0.72 });
  surface.put('path', { d: `M${here} ${top - 5}V${base + 2}`, stroke: INK, 'stroke-width': 2 });
  const spot = { cx: Math.max(5, Math.min(width - 5, here)), cy: mean === null ? base - 3 : y(mean), r: 4.5 };
  surface.put('circle', { ...spot, fill: mean === null ? GROUND : INK, stroke: INK, 'stroke-width': 2 });
}

// ---- The lanes: a square per packet, the next one out beside the wire, the watched transaction in colour

const LANE_COLOURS = [HIT, MISS]; // of what is watched, ahead and ordinary; and so below
const MOST = [63, 70], MOST_ORDINARY = 110; // packets in the lanes: with priority, and without

/** The sizes of the lanes: from square to square, of a title, and the room for the wire. @param {number} width */
const lanesSizes = (width) => (width < WIDE ? { pitch: 10, title: 14, wire: 38 } : { pitch: 18, title: 19, wire: 50 });

/** @param {number} width */
function columnsOf(width) {
  const { pitch, wire } = lanesSizes(width);
  return Math.floor((width - wire) / pitch);
}

/** The height of the lanes, whatever is in them. @param {number} width */
function lanesHeight(width) {
  const { pitch, title } = lanesSizes(width);
  const rows = (/** @type {number} */ count) => Math.ceil(count / columnsOf(width));
  return 2 * title + 5 + pitch * Math.max(rows(MOST[0]) + rows(MOST[1]), 1 + rows(MOST_ORDINARY));
}

/** The places of the lanes, each as high as this run needs. @param {Port} trace @param {number} width */
function lanesPlan({ most }, width) {
  const { pitch, title } = lanesSizes(width), columns = columnsOf(width);
  const rows = Math.max(1, Math.ceil(most[AHEAD] / columns)), cell = pitch - 2;
  return { pitch, cell, columns, right: columns * pitch, tops: [title, 2 * title + rows * pitch + 2] };
}

/** The place of a packet in its lane: right to left, then down.
 * @param {ReturnType<typeof lanesPlan>} at @param {number} lane @param {number} place */
function placeOf({ pitch, columns, right, tops }, lane, place) {
  const x = right - (1 + place % columns) * pitch, y = tops[lane] + Math.floor(place / columns) * pitch;
  return { x: x + 1, y: y + 1 };
}

/** @typedef {{ x: number, y: number, packet: Packet }} Square */

/** The path of all squares of a kind.
 * @param {Square[]} squares @param {string} kind @param {number} cell */
function squaresPath(squares, kind, cell) {
  const mine = squares.filter(({ packet }) => packet.kind === kind);
  return mine.map(({ x, y }) => `M${x} ${y}h${cell}v${cell}h${-cell}z`).join('') || 'M0 0';
}

/** Draw a packet that is watched, with its number where there is room, two digits pressed together.
 * @param {Square} square @param {number} cell @param {number} last its number @param {Surface} surface */
function drawWatched({ x, y, packet: { number, lane } }, cell, last, surface) {
  const edge = { stroke: INK, 'stroke-width': number === last ? 2 : 0 };
  surface.put('rect', { x, y, width: cell, height: cell, rx: 1.5, fill: LANE_COLOURS[lane], ...edge });
  if (cell < 12) return;
  const words = { x: x + cell / 2, y: y + cell / 2 + 4.3, 'font-size': 12, 'text-anchor': 'middle', fill: GROUND };
  const pressed = { textLength: cell - 3, lengthAdjust: 'spacingAndGlyphs' };
  surface.put('text', number > 9 ? { ...words, ...pressed } : words, String(number));
}

/** @param {PortState} state @param {number} width @param {Surface} surface */
function drawLanes(state, width, surface) {
  const { wire, trace } = state, at = lanesPlan(trace, width), { cell } = at;
  const squares = state.lanes.flatMap((packets, lane) => (
    packets.map((packet, place) => ({ ...placeOf(at, lane, place), packet }))));
  const box = wirePlan(at, width), x = box.x + 3, y = box.y + 3;
  if (wire) squares.push({ x, y, packet: wire });
  surface.put('path', { d: squaresPath(squares, 'large', cell), fill: 'none', stroke: SOFT, 'stroke-width': 1 });
  surface.put('path', { d: squaresPath(squares, 'small', cell), fill: SOFT });
  const sent = `M${x} ${y + cell + 5}h${px(cell * (wire?.part ?? 0))}`;
  surface.put('path', { d: sent, stroke: INK, 'stroke-width': 3 });
  for (const square of squares) if (square.packet.kind === 'watched') drawWatched(square, cell, trace.packets, surface);
}

/** The box of the packet on the wire. @param {ReturnType<typeof lanesPlan>} at @param {number} width */
const wirePlan = ({ cell, tops }, width) => ({ x: width - cell - 8, y: tops[AHEAD], size: cell + 6 });

/** Draw what does not move: the names of the lanes, and the way to the wire.
 * @param {Port} trace @param {number} width @param {Surface} surface */
function drawPort(trace, width, surface) {
  const at = lanesPlan(trace, width), { right, tops, pitch } = at, { ahead: count } = trace, wide = width >= WIDE;
  const kinds = wide ? '□ packets of large flows, ■ of other users' : '□ large flows, ■ others';
  const words = { 'font-size': sizeOf(width), fill: SOFT }, name = { ...words, x: 0, 'font-weight': 600 };
  const who = count ? `first ${wide ? plural(count, 'packet') : count} of each flow` : 'no packets';
  const [ahead, ordinary] = wide ? ['Priority queue', 'Ordinary queue'] : ['Priority', 'Ordinary'];
  surface.put('text', { ...name, y: tops[AHEAD] - 5, fill: LANE_COLOURS[AHEAD] }, ahead);
  surface.put('text', { ...words, x: right, y: tops[AHEAD] - 5, 'text-anchor': 'end' }, who);
  surface.put('text', { ...name, y: tops[ORDINARY] - 5, fill: LANE_COLOURS[ORDINARY] }, ordinary);
  surface.put('text', { ...words, x: right, y: tops[ORDINARY] - 5, 'text-anchor': 'end' }, kinds);
  const box = wirePlan(at, width), x = right + 2, y = box.y + box.size / 2, from = tops[ORDINARY] + pitch / 2;
  const way = `M${x} ${tops[AHEAD] + pitch / 2}h5V${y}H${box.x}M${x} ${from}h5V${y}`;
  surface.put('path', { d: way, fill: 'none', stroke: SOFT, 'stroke-width': 1.5 });
  surface.put('rect', { x: box.x, y: box.y, width: box.size, height: box.size, rx: 3, fill: GROUND, stroke: SOFT });
  surface.put('text', { ...words, x: width, y: tops[AHEAD] - 5, 'text-anchor': 'end' }, 'wire');
}

// ---- The watched transaction and those before it, a row each: a tick when a packet left the port, against the
// time since its transaction began

/** The sizes of the rows: the title, the current one, those before, how many, and the axis. @param {number} width */
const rowsSizes = (width) => (width < WIDE
  ? { title: 15, now: 15, row: 3, before: 4, axis: 15, gap: 2 }
  : { title: 22, now: 22, row: 3.5, before: 10, axis: 18, gap: 4 });
const VERDICT = 84, TICKS = 4; // px, of the words; ticks of the axis

/** @param {number} width */
function heightOf(width) {
  const { title, now, row, before, axis, gap } = rowsSizes(width);
  return lanesHeight(width) + title + now + before * row + axis + gap + tape(width).height;
}

/** @param {Port} trace @param {number} width */
function rowsPlan(trace, width) {
  const sizes = rowsSizes(width), { title, now, row, before } = sizes, top = lanesHeight(width) + title;
  return {
    ...sizes, top, foot: top + now + before * row,
    x: (/** @type {number} */ time) => px((time / span(trace)) * width),
  };
}

/** @param {Port} trace @param {number} width @param {Surface} surface */
function drawAxis(trace, width, surface) {
  const { top, foot, before, x } = rowsPlan(trace, width), words = { 'font-size': sizeOf(width), fill: SOFT };
  const title = width < WIDE
    ? 'This transaction, packet by packet'
    : `This transaction, and the ${before} before it: one tick per packet that leaves the port`;
  surface.put('text', { x: 0, y: top - 5, ...words }, title);
  surface.put('path', { d: `M0 ${foot + 0.5}H${width}`, stroke: SOFT });
  for (let n = 0; n <= TICKS; n += 1) {
    const at = (n / TICKS) * span(trace), anchor = n === 0 ? 'start' : n < TICKS ? 'middle' : 'end';
    const label = { x: x(at), y: foot + 13, 'text-anchor': anchor, ...words };
    surface.put('text', label, n < TICKS ? String(at) : `${at} ms`);
  }
}

/** Add the ticks of a transaction to the paths of the two lanes, and to those of the last packets.
 * @param {PortState} state @param {Transaction} transaction @param {(left: number) => string} tick
 * @param {string[]} shapes */
function addTicks({ t, trace }, { rows: packets, left }, tick, shapes) {
  left.forEach((time, n) => {
    const last = n === left.length - 1 ? 2 : 0;
    if (time <= t) shapes[trace.lane[packets[n]] + last] += tick(time);
  });
}

/** @param {PortState} state @param {number} width @param {Surface} surface */
function drawRows(state, width, surface) {
  const { nth, trace, gone, transaction } = state, { top, now, row, before, x } = rowsPlan(trace, width);
  const shapes = ['', '', '', ''];
  for (let n = nth; n >= Math.max(0, nth - before); n -= 1) {
    const each = trace.transactions[n], high = n === nth ? now - 4 : row - 0.8;
    const y = n === nth ? top : px(top + now + (nth - n - 1) * row);
    addTicks(state, each, (time) => `M${x(time - each.begun)} ${y}v${high}`, shapes);
  }
  shapes.forEach((d, n) => {
    surface.put('path', { d: d || 'M0 0', stroke: LANE_COLOURS[n % 2], 'stroke-width': n < 2 ? 2 : 4 });
  });
  if (transaction && gone === trace.packets) drawVerdict(trace, transaction, width, surface);
}

/** Draw the time of a transaction beside its last tick or, without room there, before its first ordinary packet.
 * @param {Port} trace @param {Transaction} transaction @param {number} width @param {Surface} surface */
function drawVerdict(trace, { rows: packets, left, begun, done }, width, surface) {
  const { top, now, x } = rowsPlan(trace, width), size = width < WIDE ? 12 : 15;
  const room = width - x(done - begun) > VERDICT * size / 12;
  const first = left[packets.findIndex((row) => trace.lane[row] === ORDINARY)] - begun;
  const place = { x: room ? x(done - begun) + 7 : x(first) - 7, 'text-anchor': room ? 'start' : 'end' };
  const words = { ...place, y: px(top + (now - 4) / 2 + size / 3), 'font-size': size, 'font-weight': 600, fill: INK };
  surface.put('text', words, `✓ ${ms(done - begun)}`);
}

/** Draw the age of the transaction, and the time for which it has waited for its next packet.
 * @param {PortState} state @param {number} width @param {Surface} surface */
function drawElapsed({ trace, since, gone, transaction }, width, surface) {
  const { top, now, x } = rowsPlan(trace, width), waits = transaction && gone < trace.packets;
  const from = gone && transaction ? transaction.left[gone - 1] - transaction.begun : 0;
  const behind = waits && trace.lane[transaction.rows[gone]] === ORDINARY;
  const d = behind ? `M${x(from)} ${px(top + (now - 4) / 2)}H${x(since)}` : 'M0 0';
  surface.put('path', { d, stroke: MISS, 'stroke-width': px(now / 3), 'stroke-dasharray': '2.5 2' });
  surface.put('path', { d: waits ? `M${x(since)} ${top - 2}v${now}` : 'M0 0', stroke: INK, 'stroke-width': 2 });
}

/** @type {Renderer<Port, PortState>} */
export const port = {
  prepare, state: stateAt, sentence, figures: figuresOf, height: heightOf, tape,
  backdrop(trace, width, tall, surface) {
    drawPort(trace, width, surface);
    drawAxis(trace, width, surface);
    drawTape(trace, width, tall, surface);
  },
  moving(at, width, tall, surface) {
    drawNow(at, width, tall, surface);
    drawElapsed(at, width, surface);
    drawLanes(at, width, surface);
  },
  scene(at, width, tall, surface) {
    drawRows(at, width, surface);
  },
  ...bySecond,
  measure: 'ms', // as the clock counts
  watches: 'user',
  words: { start: 'Back to the start', event: 'event' },
  begins: ({ begins }) => begins,
  round: sameTransaction,
  beside: besideAt,
  rule: ({ takes }) => `a packet takes ${(Math.max(...takes) / 1000).toFixed(2)} ms`,
  pace: [
    { each: 1, words: '1 ms a second' },
    { each: 5, words: '5 ms a second' },
    { each: 25, words: '25 ms a second' },
    { each: 100, words: '100 ms a second' },
  ],
};
