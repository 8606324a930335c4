// SQLite in a lab's worker.
import init from '@sqlite.org/sqlite-wasm';

/** Starts SQLite. The package's types omit its options. @param {ArrayBuffer} wasm @returns {Promise<any>} */
export async function startSqlite(wasm) {
  /** @type {(imports: WebAssembly.Imports, ready: (instance: object, module: object) => void) => object} */
  const instantiateWasm = (imports, ready) => {
    WebAssembly.instantiate(wasm, imports).then(({ instance, module }) => ready(instance, module));
    return {};
  };
  return /** @type {any} */ (init)({ print() {}, printErr() {}, wasmBinary: wasm, instantiateWasm });
}
