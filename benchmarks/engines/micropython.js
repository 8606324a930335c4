// The closed forms in MicroPython, which the book's pages run: the same in node and in a browser.
import { loadMicroPython } from './micropython.mjs';

/** Returns what benchmarks/engines/closed_forms.py answers. */
export async function closedForms(wasm, sources, asked) {
  const { FS, pyimport, runPython } = await loadMicroPython({ url: wasm, heapsize: 2 ** 26 });
  const made = new Set(['']);
  const make = (folder) => {
    if (made.has(folder)) return;
    make(folder.slice(0, folder.lastIndexOf('/')));
    FS.mkdir(folder);
    made.add(folder);
  };
  for (const [path, source] of Object.entries(sources)) {
    make(`/${path.slice(0, path.lastIndexOf('/'))}`);
    FS.writeFile(`/${path}`, source);
  }
  runPython('import sys\nsys.path.insert(0, "/")');
  return JSON.parse(pyimport('closed_forms').answers(asked));
}
