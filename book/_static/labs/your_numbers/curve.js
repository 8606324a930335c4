// The miss-ratio curve: measured on the second half of a trace, and by the model.
import { Plot } from '../plot.js';

/** @typedef {{ name: string, misses: number[] }} Line */

/** @param {Line[]} lines */
function words(lines) {
  const told = lines.map(({ name, misses }) => {
    const [first, last] = [misses[0], misses[misses.length - 1]].map((ratio) => ratio.toFixed(2));
    return `${name}, from ${first} to ${last}`;
  });
  return `Miss ratio over room for keys: ${told.join('; ')}. The table has the numbers.`;
}

/**
 * @param {number[]} at capacities, in keys
 * @param {Line[]} lines
 */
export function curve(at, lines) {
  const plot = new Plot(at[at.length - 1], 'keys', lines.map(({ name }) => name));
  plot.describe(words(lines));
  lines.forEach(({ misses }, number) => {
    misses.forEach((ratio, place) => plot.point(number, at[place], ratio));
  });
  return plot.drawn;
}
