// What a kernel takes, word by word: a number as 64 bits, an array as items of one kind in a shape.
// WebAssembly would read past the end of an array that is shorter than it says, so it is refused.

/** @typedef {Float64Array | Int32Array | BigInt64Array | BigUint64Array | Uint8Array} Items */
/** @typedef {{ data: Items, shape: number[] }} Shaped An array of several dimensions. */
/** @typedef {number | bigint | boolean | string} Single A text tells what is not finite. */
/** @typedef {Single | Single[] | Items | Shaped} Argument */
/** @typedef {{ item: string, dimensions: number }} Slot f8, i8, b1, or the items of an array */

const ITEMS = { f8: Float64Array, i4: Int32Array, i8: BigInt64Array, u8: BigUint64Array, b1: Uint8Array };
const NOT_FINITE = ['Infinity', '-Infinity', 'NaN']; // as JSON tells them
const LEAST = -(2n ** 63n), MOST = 2n ** 64n - 1n; // of a signed word, and of an unsigned one

/** What stands in the place of a result. */
export class KernelError extends Error {}

/** @param {string} words @returns {Slot[]} */
export function slots(words) {
  return words.split(' ').filter(Boolean).map((word) => {
    const [item, axes] = word.split('[');
    return { item, dimensions: axes === undefined ? 0 : axes.split(',').length };
  });
}

/** @param {string} item */
export const isRecord = (item) => !(item in ITEMS);

/** @param {string} item @returns {new (memory: ArrayBuffer, at: number, length: number) => Items} */
export const arrayOf = (item) => ITEMS[/** @type {keyof typeof ITEMS} */ (item)] ?? Uint8Array;

/** @param {string} item */
export const bytesOf = (item) => Number(item.slice(1));

/** @param {unknown} value @param {number} i @param {string} allowed */
function refused(value, i, allowed) {
  return new KernelError(`Argument ${i + 1} = ${String(value).slice(0, 40)}: must be ${allowed}.`);
}

/** @param {unknown} value @param {number} i */
function double64(value, i) {
  if (typeof value === 'number' || NOT_FINITE.includes(/** @type {string} */ (value))) return Number(value);
  throw refused(value, i, 'a number');
}

/** @param {unknown} value @param {number} i */
function integer(value, i) {
  const whole = typeof value === 'bigint' || typeof value === 'boolean' || Number.isSafeInteger(value);
  const word = whole ? BigInt(/** @type {number} */ (value)) : LEAST - 1n;
  if (word < LEAST || word > MOST) throw refused(value, i, 'an integer of 64 bits');
  return word;
}

/** The bits of a number. @param {unknown} value @param {Slot} slot @param {number} i */
export function asWord(value, { item }, i) {
  return item === 'f8' ? bits(double64(value, i)) : integer(value, i);
}

/** A list of numbers as an array of their kind. @param {unknown[]} list @param {string} item @param {number} i */
function listed(list, item, i) {
  const made = new (arrayOf(item))(new ArrayBuffer(list.length * bytesOf(item)), 0, list.length);
  const read = made instanceof Float64Array ? double64 : integer;
  const wide = made instanceof BigInt64Array || made instanceof BigUint64Array;
  list.forEach((each, n) => {
    const one = read(each, i);
    made[n] = wide ? one : Number(one);
  });
  return made;
}

/** @param {unknown} shape @param {number} dimensions @returns {number} how many items it holds, or nan */
function held(shape, dimensions) {
  if (!Array.isArray(shape) || shape.length !== dimensions) return NaN;
  return shape.reduce((all, size) => (Number.isSafeInteger(size) && size >= 0 ? all * size : NaN), 1);
}

/** Items that fill their shape. @param {unknown} given @param {Slot} slot @param {number} i @returns {Shaped} */
export function asArray(given, { item, dimensions }, i) {
  const value = Array.isArray(given) && !isRecord(item) ? listed(given, item, i) : given;
  const { data, shape } = Object(value).shape ? Object(value) : { data: value, shape: [Object(value).length] };
  const filled = data instanceof arrayOf(item) && held(shape, dimensions) * bytesOf(item) === data.byteLength;
  if (!filled) throw refused(value, i, `an array of ${item} in ${dimensions} dimensions, as long as its shape says`);
  return { data, shape };
}

const WORDS = new BigInt64Array(1), DOUBLES = new Float64Array(WORDS.buffer);

/** @param {number} number */
function bits(number) {
  DOUBLES[0] = number;
  return WORDS[0];
}

/** @param {bigint} word */
export function double(word) {
  WORDS[0] = word;
  return DOUBLES[0];
}
