// In node: what `compare` says of each folder that names.json names.
import { readFileSync } from 'node:fs';
import { compare } from './compare.js';

export const read = (name) => readFileSync(new URL(name, import.meta.url));
export const json = (name) => JSON.parse(read(name));

function compareFolder(name) {
  const module = new WebAssembly.Module(read(`${name}/kernels.wasm`));
  const blob = new Uint8Array(read(`${name}/cases.bin`)).buffer;
  return compare(module, json(`${name}/table.json`), json(`${name}/cases.json`), blob);
}

/** Returns {name: what `compare` says}. */
export function compareEach() {
  return Object.fromEntries(json('names.json').map((name) => [name, compareFolder(name)]));
}
