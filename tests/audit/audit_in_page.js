// In node: what the page's Python in MicroPython says of tables.
// Standard input: {sources: {path: text}, asked: [{text, name}, ...]}; output: {answers, seconds}
import process from 'node:process';
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

/** @param {Record<string, string>} sources */
async function session(sources) {
  const engine = await loadMicroPython({ heapsize: 64 * 1024 * 1024 });
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
  return engine.pyimport('tunables.audit.session').AuditSession();
}

let given = '';
process.stdin.setEncoding('utf8');
for await (const piece of process.stdin) given += piece;
const { sources, asked } = JSON.parse(given);
const page = await session(sources);
const answers = [];
const seconds = [];
for (const request of asked) {
  const start = process.cpuUsage();
  answers.push(JSON.parse(page.reply(JSON.stringify(request))));
  seconds.push(process.cpuUsage(start).user / 1e6);
}
process.stdout.write(JSON.stringify({ answers, seconds }));
