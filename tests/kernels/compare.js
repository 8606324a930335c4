// Calls the kernels of a folder with its cases and says where they differ from numba.
import { Kernels } from './kernels.js';

const VIEWS = { f8: Float64Array, i4: Int32Array, i8: BigInt64Array, u8: BigUint64Array };

function double(bits) {
  return new Float64Array(new BigInt64Array([BigInt(bits)]).buffer)[0];
}

/** Equal bits; one nan is as good as another, since engines choose theirs. */
function same(one, other) {
  if (one.length !== other.length) return false;
  return one.every((byte, n) => byte === other[n]) || sameNumbers(one, other);
}

function sameNumbers(one, other) {
  if (one.length % 8) return false;
  const [a, b] = [one, other].map((bytes) => new Float64Array(bytes.slice().buffer));
  return a.every((x, n) => Object.is(x, b[n]));
}

function bytesOf(data) {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function value(slot, kind, blob) {
  const item = kind.split('[')[0];
  if (slot.bits !== undefined) return item === 'f8' ? double(slot.bits) : BigInt(slot.bits);
  const bytes = blob.slice(slot.at, slot.at + slot.bytes);
  const data = item in VIEWS ? new VIEWS[item](bytes) : new Uint8Array(bytes);
  return { data, shape: slot.shape };
}

function agrees(slot, kind, got, blob) {
  if (slot.bits !== undefined) {
    return Object.is(got, kind === 'f8' ? double(slot.bits) : Number(slot.bits));
  }
  const { data, shape } = 'shape' in got ? got : { data: got, shape: [got.length] };
  if (String(shape) !== String(slot.shape) && !(slot.shape.length === 1 && shape.length === 1)) return false;
  return same(bytesOf(data), new Uint8Array(blob, slot.at, slot.bytes));
}

/** The arguments of a case. */
export function values(kernels, one, blob) {
  const kinds = kernels.entries[one.entry].takes.split(' ');
  return one.takes.map((slot, n) => value(slot, kinds[n], blob));
}

function verdict(kernels, one, blob) {
  const kinds = kernels.entries[one.entry].returns.split(' ');
  const given = values(kernels, one, blob);
  let returned;
  try {
    returned = kernels.call(one.entry, given);
  } catch (error) {
    return one.error === error.message ? '' : error.message;
  }
  if (one.error) return `did not raise ${one.error}`;
  const arrays = given.filter((each) => typeof each === 'object');
  if (!one.returns.every((slot, n) => agrees(slot, kinds[n], returned[n], blob))) return 'returns something else';
  return one.leaves.every((slot, n) => agrees(slot, '', arrays[n], blob)) ? '' : 'leaves something else';
}

/** Returns [entry, seed, what is wrong] of each case that differs, and how many there were. */
export function compare(module, table, cases, blob) {
  const kernels = new Kernels(module, table.entries);
  const differ = cases.map((one) => [one.entry, one.seed, verdict(kernels, one, blob)]);
  return { cases: cases.length, differ: differ.filter(([, , wrong]) => wrong) };
}
