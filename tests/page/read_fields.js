// In node: what an explorer in the page, in MicroPython, makes of typed settings.
// Standard input: {sources: {path: text}, description, states: [{name: text}, ...]}
import process from 'node:process';
import { readInput, startPython } from './micropython.js';

const { sources, description, states } = await readInput();
const engine = await startPython(sources);
engine.globals.set('given', JSON.stringify(description));
engine.runPython(`
from tunables.page.explorer import ExplorerSession
page = ExplorerSession(given, lambda **state: {})
`);
const page = engine.globals.get('page');
const answers = states.map((state) => JSON.parse(page.reply(JSON.stringify({ state }))));
process.stdout.write(JSON.stringify(answers));
