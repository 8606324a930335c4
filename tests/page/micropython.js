// The page's MicroPython in node, with the package's files as the page loads them.
import process from 'node:process';
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

/**
 * @param {Record<string, string>} sources text by path
 * @param {object} [options] of MicroPython, such as the size of its heap
 */
export async function startPython(sources, options) {
  const engine = await loadMicroPython(options);
  engine.runPython('import sys\nsys.path.insert(0, "/")');
  const made = new Set();
  for (const [path, text] of Object.entries(sources)) {
    const folders = path.split('/').slice(0, -1);
    folders.forEach((_, depth) => {
      const folder = `/${folders.slice(0, depth + 1).join('/')}`;
      if (!made.has(folder)) engine.FS.mkdir(folder);
      made.add(folder);
    });
    engine.FS.writeFile(`/${path}`, text);
  }
  return engine;
}

/** Returns what the test wrote to standard input, as JSON. */
export async function readInput() {
  let given = '';
  process.stdin.setEncoding('utf8');
  for await (const piece of process.stdin) given += piece;
  return JSON.parse(given);
}
