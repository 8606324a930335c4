// What tunables.page.kernels calls: a chapter's compiled experiments, with numbers as JSON.
import { Kernels } from './kernels.js';

/** JSON has no word for what is not finite. @param {unknown} value a number, or an array of them */
function word(value) {
  if (ArrayBuffer.isView(value)) return Array.from(/** @type {any} */ (value), Number);
  return Number.isFinite(value) ? value : String(value);
}

/**
 * An error may not pass through the Python that calls: it is told as a refusal.
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
        return JSON.stringify({ numbers: kernels.call(entry, JSON.parse(values)).map(word) });
      } catch (error) {
        return JSON.stringify({ refusal: Object(error).message });
      }
    },
  };
}
