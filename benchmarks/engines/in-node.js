// node in-node.js: prints what MicroPython makes of the closed forms, and node of the kernels.
import { compareEach, json, read } from './from-files.js';
import { closedForms } from './micropython.js';

const wasm = new URL('micropython.wasm', import.meta.url).pathname;
console.log(JSON.stringify({
  engine: `node ${process.versions.node}`,
  closed_forms: await closedForms(wasm, json('sources.json'), String(read('asked.json'))),
  kernels: compareEach(),
}));
