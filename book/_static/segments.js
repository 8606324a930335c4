// A choice among a few, all of them in view: radio buttons that look like one control.
import { element } from './dom.js';

const MOST = 4, LONGEST = 18, ALL = 33; // options, signs of one, signs of all

/** Whether a choice is short enough to show all its options. @param {string[]} texts */
export function fits(texts) {
  return texts.length > 1 && texts.length <= MOST
    && texts.every((text) => text.length <= LONGEST) && texts.join('').length <= ALL;
}

/**
 * A group of radio buttons; the keys of a radio group work in it.
 * @param {string} id of the group, from which the radio buttons get their name
 * @param {[string, string][]} options value and text of each
 * @param {(value: string) => void} change
 * @param {Record<string, string>} named aria-label, or aria-labelledby
 */
export function segments(id, options, change, named) {
  const radios = options.map(([value]) => {
    const radio = element('input', { type: 'radio', name: id, value });
    radio.addEventListener('change', () => change(value));
    return radio;
  });
  const labels = options.map(([, text], n) => element('label', {}, radios[n], element('span', {}, text)));
  const box = element('div', { class: 'segments', id, role: 'radiogroup', ...named }, ...labels);
  const show = (/** @type {string | number} */ value) => {
    for (const radio of radios) radio.checked = radio.value === String(value);
  };
  return { box, show };
}
