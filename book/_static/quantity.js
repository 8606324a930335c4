// Numbers for readers: in a unit that fits their size, with at most four significant digits, and a true minus.

const DIGITS = 4;
const LARGE = 1000;

/** @type {Record<string, [number, string][]>} multiples of a unit, from the largest */
const FITTING = {
  s: [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']],
  '1/s': [[1, '/s']],
  B: [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']],
};

/**
 * Returns a unit that suits numbers of this size, and its factor to the given unit.
 * @param {number} size
 * @param {string} unit
 */
export function fitting(size, unit) {
  const found = FITTING[unit] ?? [[1, unit]];
  const [factor, name] = (size && found.find(([each]) => Math.abs(size) >= each * (1 - 1e-9))) || found[0];
  return { factor, name: name === '1' ? '' : name };
}

/** Returns a number as text, with a true minus in place of a hyphen at its beginning. @param {string} text */
const withMinus = (text) => text.replace(/^-/, '−');

/**
 * Formats a number with n decimals and commas between thousands: 8,072. (Intl could do it, but takes 14 ms to start.)
 * @param {number} number
 * @param {number} [decimals]
 */
export function withCommas(number, decimals = 0) {
  const [whole, fraction] = withMinus(number.toFixed(decimals)).split('.');
  const apart = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction ? `${apart}.${fraction}` : apart;
}

/**
 * Formats a number with n significant digits and commas between thousands.
 * @param {number} value
 * @param {number} [digits]
 */
export function formatNumber(value, digits = DIGITS) {
  const size = Math.abs(value);
  const usual = size === 0 || (size >= 1e-4 && size < 1e9);
  return usual && size >= LARGE ? withCommas(value) : withMinus(String(Number(value.toPrecision(digits))));
}

/** Returns words with a capital at the beginning. @param {string} words */
export function capitalise(words) {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Returns the singular of a word for counted things. @param {string} word */
const single = (word) => word.replace(/^retries$/, 'retry').replace(/([a-z]{3,})s$/, '$1');

/**
 * Joins a number and the name of its unit: 358 µs, 98%, 30/s.
 * @param {string} number
 * @param {string} name
 */
export const joined = (number, name) => number + (name && name !== '%' && name !== '/s' ? ' ' : '') + name;

/**
 * Formats a number with its unit: 358 µs, 1 item.
 * @param {number} value
 * @param {string} unit
 */
export function quantity(value, unit) {
  const { factor, name } = fitting(value, unit), text = formatNumber(value / factor);
  return joined(text, text === '1' ? single(name) : name);
}
