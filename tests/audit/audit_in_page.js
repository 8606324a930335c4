// In node: what the page's Python in MicroPython says of tables.
// Standard input: {sources: {path: text}, asked: [{text, name}, ...]}; output: {answers, seconds}
import process from 'node:process';
import { readInput, startPython } from '../page/micropython.js';

const { sources, asked } = await readInput();
const engine = await startPython(sources, { heapsize: 64 * 1024 * 1024 });
const page = engine.pyimport('tunables.audit.session').AuditSession();
const answers = [];
const seconds = [];
for (const request of asked) {
  const start = process.cpuUsage();
  answers.push(JSON.parse(page.reply(JSON.stringify(request))));
  seconds.push(process.cpuUsage(start).user / 1e6);
}
process.stdout.write(JSON.stringify({ answers, seconds }));
