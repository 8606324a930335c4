// Draws stills: reads what `still` takes as JSON, a line each; writes {sentence, svg} for each.
import readline from 'node:readline';
import { still } from './_static/stage/still.js';

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify(still(JSON.parse(line)))}\n`);
});
