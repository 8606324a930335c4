// Draws stills: reads what `still` takes as JSON, a line each, or, with labels, what `whole` takes;
// writes {sentence, svg} for each.
import readline from 'node:readline';
import { still } from './_static/stage/still.js';
import { whole } from './wholes/whole.js';

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const asked = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(asked.labels ? whole(asked) : still(asked))}\n`);
});
