// Calls the simulators' kernels, which numba's own source was compiled to as WebAssembly. An entry
// takes and returns numbers and arrays; the words for them are those of kernels/slots.py.
import { KernelError, arrayOf, asArray, asWord, bytesOf, double, isRecord, slots } from './kernel-slots.js';

/** @typedef {import('./kernel-slots.js').Argument} Argument */
/** @typedef {import('./kernel-slots.js').Items} Items */
/** @typedef {import('./kernel-slots.js').Shaped} Shaped */
/** @typedef {import('./kernel-slots.js').Slot} Slot */
/** @typedef {{ takes: string, returns: string }} Slots */

const WORD = 8;

/** Where the items of an array stand, in the order of its indices.
 * @param {number[]} shape @param {number[]} strides @returns {number[]} */
function places(shape, strides) {
  if (!shape.length) return [0];
  const inner = places(shape.slice(1), strides.slice(1));
  return Array.from({ length: shape[0] }, (_, n) => inner.map((place) => place + n * strides[0])).flat();
}

/** The pickle of an exception: the strings in it are its module, its class and its text.
 * @param {Uint8Array} pickle */
function textOf(pickle) {
  const strings = [], SHORT_STRING = 0x8c;
  for (let i = 0; i < pickle.length; i++) {
    if (pickle[i] !== SHORT_STRING) continue;
    const end = i + 2 + pickle[i + 1];
    strings.push(new TextDecoder().decode(pickle.subarray(i + 2, end)));
    i = end - 1;
  }
  return strings.slice(2).join(': ') || strings.join('.');
}

/** One module of kernels; calls do not overlap. */
export class Kernels {
  /** @param {WebAssembly.Module} module @param {Record<string, Slots>} entries */
  constructor(module, entries) {
    this.entries = entries;
    this.wasm = /** @type {any} */ (new WebAssembly.Instance(module, {}).exports);
  }

  /** Returns what the entry returns: a number or an array, or a list of them. Arrays that it is
   * given are changed where the entry changes its own.
   * @param {string} name @param {Argument[]} values
   * @returns {(number | Items | Shaped)[]} */
  call(name, values) {
    const { takes, returns } = this.entries[name] ?? {};
    if (takes === undefined) throw new KernelError(`There is no kernel "${name}".`);
    const start = this.wasm.mark();
    try {
      const place = this.allocate(WORD * 256);
      const arrays = this.put(place, slots(takes), values);
      if (this.wasm[name](place) !== 0) throw new KernelError(this.refusal(place));
      for (const { at, bytes } of arrays) bytes.set(new Uint8Array(this.wasm.memory.buffer, at, bytes.length));
      return this.take(place, slots(returns));
    } catch (error) {
      if (error instanceof KernelError) throw error;
      throw new KernelError(`The kernel "${name}" broke off: ${/** @type {Error} */ (error).message}.`);
    } finally {
      this.wasm.release(start);
    }
  }

  /** @param {number} bytes */
  allocate(bytes) {
    const at = bytes < 2 ** 32 ? this.wasm.allocate(bytes) : 0; // it would take it for what is left of it
    if (at === 0) throw new KernelError('The simulation needs more memory than it may use.');
    return at;
  }

  /** Memory moves when it grows, so that nobody keeps a view of it. @param {number} at @param {number} n */
  words(at, n) {
    return new BigInt64Array(this.wasm.memory.buffer, at, n);
  }

  /** @param {number} place @param {Slot[]} kinds @param {Argument[]} values */
  put(place, kinds, values) {
    if (values.length !== kinds.length) throw new KernelError(`${kinds.length} arguments, not ${values.length}.`);
    // All are looked at before any is written: one that is refused leaves nothing half done.
    const given = kinds.map((kind, i) => (kind.dimensions ? asArray(values[i], kind, i) : asWord(values[i], kind, i)));
    const arrays = [], row = [];
    for (const value of given) {
      if (typeof value === 'bigint') {
        row.push(value);
        continue;
      }
      const { data, shape } = value;
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      const at = this.allocate(bytes.length);
      new Uint8Array(this.wasm.memory.buffer, at, bytes.length).set(bytes);
      arrays.push({ at, bytes });
      row.push(BigInt(at), ...shape.map(BigInt));
    }
    this.words(place, row.length).set(row);
    return arrays;
  }

  /** @param {number} place @param {Slot[]} kinds */
  take(place, kinds) {
    let at = place;
    const next = (/** @type {number} */ n) => {
      at += WORD * n;
      return Array.from(this.words(at - WORD * n, n));
    };
    return kinds.map(({ item, dimensions }) => {
      if (dimensions > 0) {
        const [data] = next(1).map(Number), shape = next(dimensions).map(Number);
        return this.copy(item, data, shape, next(dimensions).map(Number));
      }
      const [word] = next(1);
      return item === 'f8' ? double(word) : Number(word);
    });
  }

  /** @param {string} item @param {number} at @param {number[]} shape @param {number[]} strides */
  copy(item, at, shape, strides) {
    const size = bytesOf(item), length = shape.reduce((a, b) => a * b, 1);
    const from = new Uint8Array(this.wasm.memory.buffer), to = new Uint8Array(length * size);
    if (shape.length === 1 && strides[0] === size) to.set(from.subarray(at, at + to.length));
    else places(shape, strides).forEach((place, n) => to.set(from.subarray(at + place, at + place + size), n * size));
    const data = new (arrayOf(item))(to.buffer, 0, isRecord(item) ? to.length : length);
    return shape.length === 1 ? data : { data, shape };
  }

  /** @param {number} place */
  refusal(place) {
    const [at, length] = [...this.words(place, 2)].map(Number);
    const text = textOf(new Uint8Array(this.wasm.memory.buffer, at, length));
    return text.includes('Allocation failed') ? 'The simulation needs more memory than it may use.' : text;
  }
}
