// Two runs of one animation, side by side: how their settings differ, in words, and how their times correspond.
import { withCommas } from '../quantity.js';
import { endOf } from './events.js';

/** Whether two settings are the same, or both are missing.
 * @param {State | null | undefined} one @param {State | null | undefined} other */
export function alike(one, other) {
  if (!one || !other) return !one && !other;
  return Object.keys(one).every((name) => one[name] === other[name]);
}

/** @param {AnimationSetting} setting @param {State} state */
function valueText({ name, choices, choice_texts: texts }, state) {
  return choices.length ? texts[choices.indexOf(String(state[name]))] : withCommas(Number(state[name]));
}

/** @param {AnimationSetting[]} settings @param {State[]} states */
const differing = (settings, [one, other]) => settings.filter(({ name }) => one[name] !== other[name]);

/** The names of the settings in which two runs differ: a heading over both.
 * @param {AnimationSetting[]} settings @param {State[]} states */
export function heading(settings, states) {
  if (states.length < 2) return '';
  return differing(settings, states).map(({ label }) => label).join(' · ') || 'Identical so far';
}

/** A title for each of two runs that is read alone: the settings that differ, and no others.
 * @param {AnimationSetting[]} settings @param {State[]} states */
export function titles(settings, states) {
  if (states.length < 2) return [];
  const different = differing(settings, states);
  if (!different.length) return ['Your settings', 'Saved run (identical so far)'];
  return states.map((state) => different.map((each) => `${each.label}: ${valueText(each, state)}`).join(', '));
}

/** The least words that tell two runs apart under their heading: the values of these settings.
 * @param {AnimationSetting[]} settings @param {State[]} states */
export function shortTitles(settings, states) {
  if (states.length < 2) return [];
  const different = differing(settings, states);
  if (!different.length) return ['Your settings', 'Saved run'];
  return states.map((state) => different.map((each) => valueText(each, state)).join(' · '));
}

/** The time in a run that corresponds to a time in another: the same time, unless the renderer has a better one.
 * @param {Renderer<any, any>} renderer @param {any} here @param {number} t @param {any} there */
export function timeIn(renderer, here, t, there) {
  const end = endOf(renderer.begins(there));
  if (here === there || !renderer.beside) return Math.min(t, end);
  return Math.min(renderer.beside(renderer.state(here, t), there), end);
}

/** The events of all runs on one clock, that of the first run; it goes on until the last run ends, unless each run has
 * a time of its own. @param {Renderer<any, any>} renderer @param {any[]} traces */
export function together(renderer, [first, other]) {
  const begins = renderer.begins(first);
  if (!other) return begins;
  const others = [...renderer.begins(other)];
  const here = renderer.beside ? others.map((t) => timeIn(renderer, other, t, first)) : others;
  return Float64Array.from(new Set([...begins, ...here])).sort();
}

/** A moment, in the measure of the first run; once that is over, in the measure of the other.
 * @param {Renderer<any, any>} renderer @param {any[]} traces @param {number} t @returns {Moment} */
export function momentAt(renderer, [first, other], t) {
  const end = endOf(renderer.begins(first)), at = renderer.atOf(first, Math.min(t, end));
  return other && t > end ? { at, late: renderer.atOf(other, t) } : { at };
}

/** The time of a moment. @param {Renderer<any, any>} renderer @param {any[]} traces @param {Moment} moment */
export function timeOf(renderer, [first, other], { at, late }) {
  if (late === undefined || !other) return renderer.timeOf(first, at);
  return Math.max(endOf(renderer.begins(first)), renderer.timeOf(other, late));
}

/** The settings of the other run, with the interventions in this one: a reader does these to both.
 * @param {State} settings @param {State | null} [against] @returns {State | null} */
export function sharing({ deeds }, against = null) {
  return against && (deeds === undefined ? against : { ...against, deeds });
}
