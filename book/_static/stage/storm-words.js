// What is on chapter 2's stage, in words.
import { RECENT_S } from './storm-state.js';
import { grouped } from '../quantity.js';

/** @param {number} t */
const seconds = (t) => `${Math.round(t * 100) / 100} s`;

/** @param {number} count @param {string} one */
const counted = (count, one) => `${grouped(count)} ${one}${count === 1 ? '' : 's'}`;

/** @param {StormState} at */
function line({ first, waits, sent }) {
  if (sent === first) return 'nobody in line';
  return `${counted(sent - first, 'attempt')} in line, ${grouped(sent - waits)} still waited for`;
}

/** @param {StormState} at */
function work({ served, inTime }) {
  return `in the last ${RECENT_S} seconds ${grouped(served)} served, ${grouped(inTime)} in time`;
}

/** @param {StormState} at */
function client({ trace: { watched, asked }, followed }) {
  if (!followed) return 'The watched client has not come yet';
  const { sent, served, inTime, gaveUp } = followed;
  const end = gaveUp === null ? '' : `, left at ${seconds(gaveUp)}`;
  const got = served ? `, was served ${counted(served, 'time')}, ${inTime ? 'in time' : 'too late'}` : '';
  return `The watched client asked ${counted(sent, 'time')} from ${seconds(asked[watched[0]])} on${end}${got}`;
}

/** @param {StormState} at */
export function sentence(at) {
  const { trace, t, down } = at;
  const when = `At ${seconds(t)}${down ? ' the server stands still' : ''}`;
  return `${when}: ${line(at)}${trace.watched.length ? `. ${client(at)}` : `; ${work(at)}`}.`;
}
