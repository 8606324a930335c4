// Chapter 2: a server, the queue in front of it, and clients that retry: a run, its state at a time, and both in words
// and numbers.
import { withCommas } from '../quantity.js';
import { countAt } from './events.js';
import { plural } from './surface.js';

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
 * @property {number} waits the first in the queue whose client is still waiting
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

export const ANSWERED = '0', LATE = '1'; // fates; all others mean not served
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
export function prepare(columns) {
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
export function stateAt(trace, t) {
  const { asked, turn, timeout, done, answered } = trace;
  const first = countAt(turn, t), from = t - RECENT_S;
  return {
    trace, t, first,
    waits: Math.max(first, countAt(asked, t - timeout)), // the first in the queue whose client is still waiting
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
  if (sent === first) return 'the queue is empty';
  const waiting = `for ${withCommas(sent - waits)} of them, a client is still waiting`;
  return `${plural(withCommas(sent - first), 'attempt')} in the queue; ${waiting}`;
}

/** @param {StormState} at */
function describeService({ served, inTime }) {
  return `in the last ${RECENT_S} seconds, ${withCommas(served)} served, ${withCommas(inTime)} in time`;
}

/** @param {StormState} at */
function describeClient({ trace: { watched, asked }, followed }) {
  if (!followed) return 'The watched client hasn’t asked yet';
  const { sent, served, inTime, gaveUp } = followed;
  const end = gaveUp === null ? '' : `${served ? ',' : ' and'} left at ${secondsText(gaveUp)}`;
  const got = served ? `, and was served ${plural(served, 'time')}, ${inTime ? 'in time' : 'too late'}` : '';
  return `The watched client asked ${plural(sent, 'time')} from ${secondsText(asked[watched[0]])} on${end}${got}`;
}

/** @param {StormState} at */
export function sentence(at) {
  const { trace, t, down } = at;
  const when = `At ${secondsText(t)}${down ? ' the server is down' : ''}`;
  const more = trace.watched.length ? `. ${describeClient(at)}` : `; ${describeService(at)}`;
  return `${when}: ${describeQueue(at)}${more}.`;
}

/** The numbers above the drawing. @param {StormState} at @returns {Figure[]} */
export function figures({ first, waits, sent, served, inTime }) {
  const tone = served && 2 * inTime < served ? 'miss' : 'hit';
  return [
    {
      label: `served in time, last ${RECENT_S} seconds`, short: 'in time', value: withCommas(inTime),
      unit: `of ${withCommas(served)}`, tone,
    },
    { label: 'attempts in the queue', short: 'in queue', value: withCommas(sent - first) },
    {
      label: 'attempts whose client is still waiting', short: 'still waiting', value: withCommas(sent - waits),
      tone: 'wait',
    },
  ];
}
