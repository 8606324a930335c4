// What stands on the second stage of chapter 6 at time t, in seconds: a pure function of (trace, t),
// and its sentence. A neighbour's hold timer is set again by each keepalive that is sent.
const SECOND = 1e9; // ns
const NEVER = Infinity;

/** @param {number[]} times */
const seconds = (times) => times.map((each) => (each < 0 ? NEVER : each / SECOND));

/** Times of the events, and of the end.
 * @param {SessionColumns} columns @param {number[]} sent @param {number[]} dropped */
function eventsOf({ begin, block, keepalive }, sent, dropped) {
  const end = begin + block + keepalive;
  const all = [0, begin, begin + block, end, ...sent, ...dropped];
  return Float64Array.from(new Set(all.filter((at) => at <= end))).sort();
}

/** What may be looked up of a run. @param {SessionColumns} columns @returns {Sessions} */
export function prepare(columns) {
  const { due, sent, dropped, sessions, keepalive } = columns;
  const times = { due: seconds(due), sent: seconds(sent), dropped: seconds(dropped) };
  const before = Array.from({ length: sessions }, (_, n) => times.due[n] - keepalive);
  return { ...columns, ...times, before, begins: eventsOf(columns, times.sent, times.dropped) };
}

/** One neighbour's timer: what is left of it, and since when a keepalive waits.
 * @param {Sessions} trace @param {number} session @param {number} t @returns {Session} */
function sessionAt({ due, sent, dropped, before, sessions, hold }, session, t) {
  if (t >= dropped[session]) return { left: 0, waits: 0, dropped: dropped[session] };
  let last = before[session], next = session;
  while (next < sent.length && sent[next] <= t) {
    last = sent[next];
    next += sessions;
  }
  return { left: Math.max(0, last + hold - t), waits: Math.max(0, t - (due[next] ?? t)), dropped: null };
}

/** @param {Sessions} trace @param {number} t @returns {SessionsState} */
export function state(trace, t) {
  const all = Array.from({ length: trace.sessions }, (_, session) => sessionAt(trace, session, t));
  return { trace, t, all, dropped: all.filter((one) => one.dropped !== null).length };
}

/** @param {SessionsState} at */
function task({ trace: { begin, block, sliced }, t }) {
  if (t < begin) return `the loop is free; a task of ${block} s begins at ${begin} s.`;
  if (t >= begin + block) return `the task of ${block} s is done.`;
  return `${(t - begin).toFixed(1)} s into a task of ${block} s, ${sliced ? 'in slices' : 'in one piece'}.`;
}

/** Who has dropped the session. @param {SessionsState} at */
function lost({ all, dropped, trace: { sessions } }) {
  if (!dropped) return 'Nobody has dropped a session';
  const times = all.map((one) => one.dropped ?? -1), latest = Math.max(...times), last = times.indexOf(latest) + 1;
  const when = `at ${latest.toFixed(1)} s`;
  if (dropped === 1) return `Neighbour ${last} dropped the session ${when}, 1 of ${sessions}`;
  return `${dropped} of ${sessions} neighbours dropped the session, number ${last} as the last ${when}`;
}

/** Whose timer is the lowest. @param {SessionsState} at */
function soonest({ all, dropped }) {
  const left = all.map((one) => (one.dropped === null ? one.left : NEVER)), least = Math.min(...left);
  if (least === NEVER) return '.';
  return `; the ${dropped ? 'next' : 'first'} would be number ${left.indexOf(least) + 1}, in ${least.toFixed(1)} s.`;
}

/** What is on the stage, for those who do not see it, and for those who do. @param {SessionsState} at */
export function sentence(at) {
  return `At ${at.t.toFixed(1)} s: ${task(at)} ${lost(at)}${soonest(at)}`;
}
