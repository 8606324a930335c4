// node draws-in-node.js SEED COUNT: prints a digest of what each entry of the module draws.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Kernels } from './kernels.js';

const read = (name) => readFileSync(new URL(name, import.meta.url));
const { entries } = JSON.parse(read('table.json'));
const kernels = new Kernels(new WebAssembly.Module(read('kernels.wasm')), entries);
const [seed, count] = process.argv.slice(2).map(Number);

function digest(name) {
  const hash = createHash('sha256');
  for (const { buffer } of kernels.call(name, [seed, count])) hash.update(new Uint8Array(buffer));
  return hash.digest('hex');
}

console.log(JSON.stringify(Object.fromEntries(Object.keys(entries).map((name) => [name, digest(name)]))));
