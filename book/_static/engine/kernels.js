// Calls the simulators' kernels: numba's own functions, compiled to WebAssembly. An entry takes and returns numbers
// and arrays; the words for them are those of kernels/slots.py.

// The arguments of a kernel, word by word: a number as 64 bits, an array as items of one type in a shape. An array
// shorter than its shape is refused, because WebAssembly would read past its end.

/** @typedef {Float64Array | Int32Array | BigInt64Array | BigUint64Array | Uint8Array} Items */
/** @typedef {{ data: Items, shape: number[] }} Shaped */
/** @typedef {number | bigint | boolean | string} Single a string stands for a number that is not finite */
/** @typedef {Single | Single[] | Items | Shaped} Argument */
/** @typedef {{ item: string, dimensions: number }} Slot f8, i8, b1, or the items of an array */

const ITEMS = { f8: Float64Array, i4: Int32Array, i8: BigInt64Array, u8: BigUint64Array, b1: Uint8Array };
const NOT_FINITE = ['Infinity', '-Infinity', 'NaN']; // strings in JSON
const LEAST = -(2n ** 63n), MOST = 2n ** 64n - 1n; // the least signed word, and the greatest unsigned one

/** A call that was refused or failed. */
export class KernelError extends Error {}

/** @param {string} words @returns {Slot[]} */
export function slots(words) {
  return words.split(' ').filter(Boolean).map((word) => {
    const [item, axes] = word.split('[');
    return { item, dimensions: axes === undefined ? 0 : axes.split(',').length };
  });
}

/** @param {string} item */
const isRecord = (item) => !(item in ITEMS);

/** @param {string} item @returns {new (memory: ArrayBuffer, at: number, length: number) => Items} */
const arrayOf = (item) => ITEMS[/** @type {keyof typeof ITEMS} */ (item)] ?? Uint8Array;

/** @param {string} item */
export const bytesOf = (item) => Number(item.slice(1));

/** @param {unknown} value @param {number} i @param {string} allowed */
function argumentError(value, i, allowed) {
  return new KernelError(`Argument ${i + 1} = ${String(value).slice(0, 40)}: must be ${allowed}.`);
}

/** @param {unknown} value @param {number} i */
function double64(value, i) {
  if (typeof value === 'number' || NOT_FINITE.includes(/** @type {string} */ (value))) return Number(value);
  throw argumentError(value, i, 'a number');
}

/** @param {unknown} value @param {number} i */
function integer(value, i) {
  const isInteger = typeof value === 'bigint' || typeof value === 'boolean' || Number.isSafeInteger(value);
  const word = isInteger ? BigInt(/** @type {number} */ (value)) : LEAST - 1n;
  if (word < LEAST || word > MOST) throw argumentError(value, i, 'a 64-bit integer');
  return word;
}

/** The bits of a number. @param {unknown} value @param {Slot} slot @param {number} i */
export function asWord(value, { item }, i) {
  return item === 'f8' ? bits(double64(value, i)) : integer(value, i);
}

/** Returns a list of numbers as a typed array. @param {unknown[]} list @param {string} item @param {number} i */
function itemsOf(list, item, i) {
  const made = new (arrayOf(item))(new ArrayBuffer(list.length * bytesOf(item)), 0, list.length);
  const read = made instanceof Float64Array ? double64 : integer;
  const wide = made instanceof BigInt64Array || made instanceof BigUint64Array;
  list.forEach((each, n) => {
    const one = read(each, i);
    made[n] = wide ? one : Number(one);
  });
  return made;
}

/** Returns how many items a shape holds, or NaN.
 * @param {unknown} shape @param {number} dimensions @returns {number} */
function sizeOf(shape, dimensions) {
  if (!Array.isArray(shape) || shape.length !== dimensions) return NaN;
  return shape.reduce((all, size) => (Number.isSafeInteger(size) && size >= 0 ? all * size : NaN), 1);
}

/** Returns items with their shape. @param {unknown} given @param {Slot} slot @param {number} i @returns {Shaped} */
export function asArray(given, { item, dimensions }, i) {
  const value = Array.isArray(given) && !isRecord(item) ? itemsOf(given, item, i) : given;
  const { data, shape } = Object(value).shape ? Object(value) : { data: value, shape: [Object(value).length] };
  const filled = data instanceof arrayOf(item) && sizeOf(shape, dimensions) * bytesOf(item) === data.byteLength;
  if (filled) return { data, shape };
  throw argumentError(value, i, `a ${dimensions}-dimensional array of ${item} whose length matches its shape`);
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

/** @typedef {{ takes: string, returns: string }} Slots */

const WORD = 8;

/** Returns the offsets of an array's items, in the order of its indices.
 * @param {number[]} shape @param {number[]} strides @returns {number[]} */
function offsets(shape, strides) {
  if (!shape.length) return [0];
  const inner = offsets(shape.slice(1), strides.slice(1));
  return Array.from({ length: shape[0] }, (_, n) => inner.map((place) => place + n * strides[0])).flat();
}

/** Returns the text of a pickled exception. Its strings are module, class and text.
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

  /** Returns what the entry returns: numbers and arrays. Arrays among the arguments are changed if the entry changes
   * its own.
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
      throw new KernelError(`The kernel "${name}" stopped: ${/** @type {Error} */ (error).message}.`);
    } finally {
      this.wasm.release(start);
    }
  }

  /** @param {number} bytes */
  allocate(bytes) {
    const at = bytes < 2 ** 32 ? this.wasm.allocate(bytes) : 0; // wasm would take the number modulo 2 ** 32
    if (at === 0) throw new KernelError('The simulation needs more memory than it is allowed to use.');
    return at;
  }

  /** Views must not be kept, because memory moves when it grows. @param {number} at @param {number} n */
  words(at, n) {
    return new BigInt64Array(this.wasm.memory.buffer, at, n);
  }

  /** @param {number} place @param {Slot[]} kinds @param {Argument[]} values */
  put(place, kinds, values) {
    if (values.length !== kinds.length) throw new KernelError(`${kinds.length} arguments, not ${values.length}.`);
    // All are checked before any is written, so that a refusal leaves nothing half done.
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
    else offsets(shape, strides).forEach((place, n) => to.set(from.subarray(at + place, at + place + size), n * size));
    const data = new (arrayOf(item))(to.buffer, 0, isRecord(item) ? to.length : length);
    return shape.length === 1 ? data : { data, shape };
  }

  /** @param {number} place */
  refusal(place) {
    const [at, length] = [...this.words(place, 2)].map(Number);
    const text = textOf(new Uint8Array(this.wasm.memory.buffer, at, length));
    return text.includes('Allocation failed') ? 'The simulation needs more memory than it is allowed to use.' : text;
  }
}

// What tunables.page.kernels calls: a chapter's compiled experiments, with numbers as JSON.

/** JSON cannot express numbers that are not finite. @param {unknown} value a number, or an array of numbers */
function jsonNumber(value) {
  if (ArrayBuffer.isView(value)) return Array.from(/** @type {any} */ (value), Number);
  return Number.isFinite(value) ? value : String(value);
}

/**
 * Calls kernels for Python. An error must not pass through Python, so it is returned as a refusal.
 * @param {KernelCode} kernels
 */
export function bridge({ code, entries }) {
  const bytes = Uint8Array.from(atob(code), (letter) => letter.charCodeAt(0));
  const kernels = new Kernels(new WebAssembly.Module(bytes), entries);
  return {
    /**
     * @param {string} entry
     * @param {string} values
     */
    call(entry, values) {
      try {
        return JSON.stringify({ numbers: kernels.call(entry, JSON.parse(values)).map(jsonNumber) });
      } catch (error) {
        return JSON.stringify({ refusal: Object(error).message });
      }
    },
  };
}
