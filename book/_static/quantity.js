// Numbers for people: in a unit that fits their size, with four significant digits at most.

const DIGITS = 4;
const LARGE = 1000;

/** @type {Record<string, [number, string][]>} a unit's multiples, from the largest */
const FITTING = {
  s: [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']],
  B: [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']],
};

/**
 * The unit in which a number of this size reads well, and how much of the given one it is.
 * @param {number} size
 * @param {string} unit
 */
export function fitting(size, unit) {
  const found = FITTING[unit] ?? [[1, unit]];
  const [factor, name] = (size && found.find(([each]) => Math.abs(size) >= each * (1 - 1e-9))) || found[0];
  return { factor, name: name === '1' ? '' : name };
}

/**
 * A number with so many decimals, its thousands set apart: 8,072. (Intl, which could do it, takes
 * 14 ms to begin.)
 * @param {number} number
 * @param {number} [decimals]
 */
export function grouped(number, decimals = 0) {
  const [whole, fraction] = number.toFixed(decimals).split('.');
  const apart = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction ? `${apart}.${fraction}` : apart;
}

/**
 * A number with so many significant digits, its thousands set apart by commas.
 * @param {number} value
 * @param {number} [digits]
 */
export function shown(value, digits = DIGITS) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return String(Number(value.toPrecision(digits)));
  if (size >= LARGE) return grouped(value);
  return String(Number(value.toPrecision(digits)));
}

/** @param {string} word for things that are counted @returns {string} the word for one of them */
const single = (word) => word.replace(/^retries$/, 'retry').replace(/([a-z]{3,})s$/, '$1');

/**
 * A number and its unit: 358 µs, 1 item.
 * @param {number} value
 * @param {string} unit
 */
export function quantity(value, unit) {
  const { factor, name } = fitting(value, unit), text = shown(value / factor);
  return `${text}${name ? ` ${text === '1' ? single(name) : name}` : ''}`;
}
