// What may be looked up of chapter 1's run. A row of the trace is something that a client begins to
// do, and does until its next row: see `play` in the chapter's stage_simulation.py.

const US = 1e-6, WATCHED = 0;
export const QUERIES = 0, WAITS = 1, WORKS = 2, HELD = 3, ANSWERED = 4;
export const DOINGS = 5;

/** Each client's rows; of each row its client's row before, when it ends, with which row its batch
 * began, and how long the client's last answer took: NaN before the first.
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

/** Answers in their order: when, and the sum of the response times so far.
 * @param {number[]} does @param {Float64Array} begin_s @param {Float64Array} took_s */
function answersOf(does, begin_s, took_s) {
  const rows = does.flatMap((doing, row) => (doing === ANSWERED ? [row] : []));
  const sum_s = new Float64Array(rows.length + 1);
  rows.forEach((row, n) => {
    sum_s[n + 1] = sum_s[n] + took_s[row];
  });
  return { answered_s: Float64Array.from(rows, (row) => begin_s[row]), sum_s };
}

/** Flushes in their order: when, and whom they freed.
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

/** How many clients do what, after so many rows. @param {BatchColumns} columns */
function countsOf({ client, clients, does }) {
  const counts = new Uint8Array((does.length + 1) * DOINGS), doing = new Int8Array(clients).fill(-1);
  does.forEach((now, row) => {
    const after = (row + 1) * DOINGS, was = doing[client[row]];
    counts.copyWithin(after, after - DOINGS, after);
    if (was >= 0) counts[after + was] -= 1;
    counts[after + now] += 1;
    doing[client[row]] = now;
  });
  return counts;
}

/** @param {BatchColumns} columns @returns {Batches} */
export function prepare(columns) {
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
