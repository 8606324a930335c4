// The built kernels of a chapter.
import fs from 'node:fs';
import { Kernels } from '../../book/_static/engine/kernels.js';

const folder = new URL('../../kernels/built/', import.meta.url);

/** @param {string} chapter */
export function builtKernels(chapter) {
  const { entries } = JSON.parse(fs.readFileSync(new URL(`${chapter}.json`, folder), 'utf8'));
  return new Kernels(new WebAssembly.Module(fs.readFileSync(new URL(`${chapter}.wasm`, folder))), entries);
}
