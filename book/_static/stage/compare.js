// Two settings of one machine, side by side: what tells them apart, in words, and their time.
import { grouped } from '../quantity.js';
import { endOf } from './events.js';

/** Whether two settings are the same, or both are none.
 * @param {State | null | undefined} one @param {State | null | undefined} other */
export function alike(one, other) {
  if (!one || !other) return !one && !other;
  return Object.keys(one).every((name) => one[name] === other[name]);
}

/** @param {StageSetting} setting @param {State} state */
function words({ name, label, choices, choice_texts: texts }, state) {
  return `${label}: ${choices.length ? texts[choices.indexOf(String(state[name]))] : grouped(Number(state[name]))}`;
}

/** A title for each of two runs: the settings that differ, and no others.
 * @param {StageSetting[]} settings @param {State[]} states */
export function titles(settings, [one, other]) {
  if (!other) return [];
  const apart = settings.filter(({ name }) => one[name] !== other[name]);
  if (!apart.length) return ['What you set', 'What is kept: the same so far'];
  return [one, other].map((state) => apart.map((setting) => words(setting, state)).join(', '));
}

/** When it is in a run, at a time of another: the same time, unless the machine says better.
 * @param {Machine<any, any>} machine @param {any} here @param {number} t @param {any} there */
export function timeIn(machine, here, t, there) {
  const end = endOf(machine.begins(there));
  if (here === there || !machine.beside) return Math.min(t, end);
  return Math.min(machine.beside(machine.state(here, t), there), end);
}

/** The events of all runs on one clock, which is the first one's; it goes on as long as any run
 * does, unless each has a time of its own. @param {Machine<any, any>} machine @param {any[]} traces */
export function together(machine, [first, other]) {
  const begins = machine.begins(first);
  if (!other) return begins;
  const others = [...machine.begins(other)];
  const here = machine.beside ? others.map((t) => timeIn(machine, other, t, first)) : others;
  return Float64Array.from(new Set([...begins, ...here])).sort();
}

/** A moment, in the measure of the first run; once that is over, in that of the other.
 * @param {Machine<any, any>} machine @param {any[]} traces @param {number} t @returns {Moment} */
export function momentAt(machine, [first, other], t) {
  const end = endOf(machine.begins(first)), at = machine.atOf(first, Math.min(t, end));
  return other && t > end ? { at, late: machine.atOf(other, t) } : { at };
}

/** When a moment is. @param {Machine<any, any>} machine @param {any[]} traces @param {Moment} moment */
export function timeOf(machine, [first, other], { at, late }) {
  if (late === undefined || !other) return machine.timeOf(first, at);
  return Math.max(endOf(machine.begins(first)), machine.timeOf(other, late));
}

/** Other settings, under what a reader has done to the machine: that is done to both.
 * @param {State} settings @param {State | null} [against] @returns {State | null} */
export function sharing({ deeds }, against = null) {
  return against && (deeds === undefined ? against : { ...against, deeds });
}
