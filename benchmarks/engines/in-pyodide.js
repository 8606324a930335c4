// node in-pyodide.js PYODIDE: prints what CPython of 32 bits makes of the closed forms. PYODIDE: the
// address of the package, which is CPython in WebAssembly.
import { readFileSync } from 'node:fs';

const { loadPyodide } = await import(process.argv[2]);
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const { FS, pyimport, runPython } = await loadPyodide();
for (const [path, source] of Object.entries(JSON.parse(read('sources.json')))) {
  FS.mkdirTree(`/${path.slice(0, path.lastIndexOf('/'))}`);
  FS.writeFile(`/${path}`, source);
}
runPython('import sys\nsys.path.insert(0, "/")');
console.log(JSON.stringify({
  engine: `CPython ${runPython('sys.version.split()[0]')}, ${runPython('sys.maxsize.bit_length() + 1')} bits`,
  closed_forms: JSON.parse(pyimport('closed_forms').answers(read('asked.json'))),
}));
