// What stands on chapter 2's stage at time t: a pure function of (trace, t). First come, first
// served, and every client waits equally long: so the line is the attempts between two searches,
// and those who still wait are the last of it.
import { countAt } from './events.js';
import { ANSWERED, LATE } from './storm-trace.js';

export const RECENT_S = 5;
const LEAST_S = 1; // a mean over less says nothing

/** @param {Float64Array} times @param {number} from @param {number} until */
function between(times, from, until) {
  return countAt(times, until) - countAt(times, from);
}

/** The attempt that is with the server, or -1. @param {Storm} trace @param {number} t */
function withServer({ served, taken, done }, t) {
  const begun = countAt(taken, t);
  return begun > countAt(done, t) ? served[begun - 1] : -1;
}

/** @param {Storm} trace @param {number} t */
function isDown({ deeds }, t) {
  return deeds.some(([from, deed, length]) => deed === 'outage' && from <= t && t < from + Number(length));
}

/** Attempts a second, counted once each client has had its time under the rules in force; and the
 * loads that sustain themselves under these. @param {Storm} trace @param {number} t */
function load({ eras, asked, tries, timeout }, t) {
  const [begin, lowest, highest] = eras[eras.filter(([from]) => from <= t).length - 1];
  const since = begin + tries * timeout, passed = t - since;
  const mean = passed < LEAST_S || highest === null ? null : between(asked, since, t) / passed;
  return { mean, lowest, highest };
}

/** What has become of the client that is watched.
 * @param {Storm} trace @param {number} t @returns {Followed | null} */
function follow({ watched, asked, left, timeout, fate }, t) {
  const sent = watched.filter((k) => asked[k] <= t);
  if (!sent.length) return null;
  const served = sent.filter((k) => left[k] <= t && fate[k] <= LATE);
  const last = watched[watched.length - 1], end = asked[last] + timeout;
  const gaveUp = fate[last] !== ANSWERED && end <= t ? end : null;
  return { sent: sent.length, served: served.length, inTime: served.some((k) => fate[k] === ANSWERED), gaveUp };
}

/** @param {Storm} trace @param {number} t @returns {StormState} */
export function state(trace, t) {
  const { asked, turn, timeout, done, answered } = trace;
  const first = countAt(turn, t), from = t - RECENT_S;
  return {
    trace, t, first,
    waits: Math.max(first, countAt(asked, t - timeout)), // the first in line whose client is there
    sent: countAt(asked, t),
    now: withServer(trace, t),
    down: isDown(trace, t),
    served: between(done, from, t),
    inTime: between(answered, from, t),
    asked: between(asked, from, t),
    again: between(trace.again, from, t),
    followed: follow(trace, t),
    ...load(trace, t),
  };
}
