// Calls the simulators' kernels, which numba's own source was compiled to as WebAssembly. An entry
// takes and returns numbers and arrays; the words for them are those of kernels/slots.py.

/** @typedef {Float64Array | Int32Array | BigInt64Array | BigUint64Array | Uint8Array} Items */
/** @typedef {{ data: Items, shape: number[] }} Shaped An array of several dimensions. */
/** @typedef {number | boolean | number[] | Items | Shaped} Argument */
/** @typedef {{ takes: string, returns: string }} Slots */

const ITEMS = { f8: Float64Array, i4: Int32Array, i8: BigInt64Array, u8: BigUint64Array, b1: Uint8Array };
const WORD = 8;

/** What stands in the place of a result. */
export class KernelError extends Error {}

/** @param {string} words @returns {{ item: string, dimensions: number }[]} */
function slots(words) {
  return words.split(' ').filter(Boolean).map((word) => {
    const [item, axes] = word.split('[');
    return { item, dimensions: axes === undefined ? 0 : axes.split(',').length };
  });
}

/** @param {string} item @returns {new (memory: ArrayBuffer, at: number, length: number) => Items} */
const arrayOf = (item) => ITEMS[/** @type {keyof typeof ITEMS} */ (item)] ?? Uint8Array; // records

/** @param {string} item */
const bytesOf = (item) => Number(item.slice(1));

/** Where the items of an array stand, in the order of its indices.
 * @param {number[]} shape @param {number[]} strides @returns {number[]} */
function places(shape, strides) {
  if (!shape.length) return [0];
  const inner = places(shape.slice(1), strides.slice(1));
  return Array.from({ length: shape[0] }, (_, n) => inner.map((place) => place + n * strides[0])).flat();
}

/** A list of numbers as an array of their kind. @param {number[]} list @param {string} item */
function listed(list, item) {
  const made = new (arrayOf(item))(new ArrayBuffer(list.length * bytesOf(item)), 0, list.length);
  list.forEach((each, n) => {
    made[n] = made instanceof BigInt64Array ? BigInt(each) : Number(each);
  });
  return made;
}

/** @param {Argument} given @param {string} item @returns {Shaped} */
function shaped(given, item) {
  const value = Array.isArray(given) ? listed(given, item) : given;
  if (typeof value === 'object') return 'shape' in value ? value : { data: value, shape: [value.length] };
  throw new KernelError(`${value} is not an array.`);
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
    const at = this.wasm.allocate(bytes);
    if (at === 0) throw new KernelError('The simulation needs more memory than it may use.');
    return at;
  }

  /** Memory moves when it grows, so that nobody keeps a view of it. @param {number} at @param {number} n */
  words(at, n) {
    return new BigInt64Array(this.wasm.memory.buffer, at, n);
  }

  /** @param {number} place @param {{ item: string, dimensions: number }[]} kinds @param {Argument[]} values */
  put(place, kinds, values) {
    if (values.length !== kinds.length) throw new KernelError(`${kinds.length} arguments, not ${values.length}.`);
    const arrays = [], row = [];
    for (const [i, { item, dimensions }] of kinds.entries()) {
      const value = values[i];
      if (dimensions === 0) {
        row.push(item === 'f8' ? bits(Number(value)) : BigInt(/** @type {number | boolean} */ (value)));
        continue;
      }
      const { data, shape } = shaped(value, item);
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      const at = this.allocate(bytes.length);
      new Uint8Array(this.wasm.memory.buffer, at, bytes.length).set(bytes);
      arrays.push({ at, bytes });
      row.push(BigInt(at), ...shape.map(BigInt));
    }
    this.words(place, row.length).set(row);
    return arrays;
  }

  /** @param {number} place @param {{ item: string, dimensions: number }[]} kinds */
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
    const data = new (arrayOf(item))(to.buffer, 0, item in ITEMS ? length : to.length);
    return shape.length === 1 ? data : { data, shape };
  }

  /** @param {number} place */
  refusal(place) {
    const [at, length] = [...this.words(place, 2)].map(Number);
    const text = textOf(new Uint8Array(this.wasm.memory.buffer, at, length));
    return text.includes('Allocation failed') ? 'The simulation needs more memory than it may use.' : text;
  }
}

const WORDS = new BigInt64Array(1), DOUBLES = new Float64Array(WORDS.buffer);

/** @param {number} number */
function bits(number) {
  DOUBLES[0] = number;
  return WORDS[0];
}

/** @param {bigint} word */
function double(word) {
  WORDS[0] = word;
  return DOUBLES[0];
}
