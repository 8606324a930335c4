// What stands on chapter 1's second stage at time t, in milliseconds: a pure function of (trace, t),
// and its sentence.
import { countAt } from './events.js';
import { grouped } from '../quantity.js';
import { listed } from './words.js';

const US = 1e-3; // ms
export const VIEW_MS = 60;
const LAST = 4; // flushes that a sentence tells of

/** Flushes in their order: when, and whose commits. @param {CommitColumns} columns @returns {SharedFlush[]} */
function flushesOf({ begun_us: begun, ended_us: ended, client, flush }) {
  /** @type {SharedFlush[]} */
  const made = [];
  flush.forEach((name, row) => {
    made[name] ??= { begun: begun[row] * US, ended: ended[row] * US, clients: [] };
    made[name].clients.push(client[row]);
  });
  return made;
}

/** @param {CommitColumns} columns @returns {Commits} */
export function prepare(columns) {
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

/** Whether a flush has begun that is not done. @param {Commits} trace @param {number} t */
function underWay({ flushes, flushBegins }, t) {
  const flush = flushes[countAt(flushBegins, t) - 1];
  return flush && t < flush.ended ? flush : null;
}

/** @param {Commits} trace @param {number} t @returns {CommitsState} */
export function state(trace, t) {
  const { clients, flushes, flushEnds, ms } = trace;
  const now = underWay(trace, t), ended = countAt(flushEnds, t), done = trace.done[ended];
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

/** @param {number} count @param {string} one @param {string} more */
const many = (count, one, more) => `${count} ${count === 1 ? one : more}`;

/** @param {CommitsState} at */
function everybody({ trace: { clients }, now, held, waits }) {
  if (held) return `${many(held, 'client waits', 'clients wait')} out the delay`;
  const shares = now?.clients.length ?? 0;
  const flush = shares === 1 ? '1 client has a flush alone' : `${shares} clients share a flush`;
  return waits ? `${flush}, ${many(waits, 'waits', 'wait')} for the next` : `${clients > 1 ? 'all ' : ''}${flush}`;
}

/** @param {CommitsState} at */
function shared({ last }) {
  const sizes = last.map(({ clients }) => String(clients.length));
  return sizes.length ? ` The last ${sizes.length > 1 ? 'flushes' : 'flush'}: ${listed(sizes)}.` : '';
}

/** What is on the stage, for those who do not see it, and for those who do. @param {CommitsState} at */
export function sentence(at) {
  const { trace: { delay, formula }, t, done, rate } = at;
  const sum = rate === null ? 'no commit yet' : `${many(done, 'commit', 'commits')}, ${grouped(rate)} a second`;
  return `After ${t.toFixed(1)} ms, delay ${delay} ms: ${everybody(at)}. So far ${sum} `
    + `(formula ${grouped(formula)}).${shared(at)}`;
}
