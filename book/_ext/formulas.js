// Reads formulas, {latex, display} as JSON, a line each; writes {html} or {failure} for each.
import readline from 'node:readline';
import katex from 'katex';

/** @param {{ latex: string, display: boolean }} formula */
function render({ latex, display }) {
  try {
    return { html: katex.renderToString(latex, { displayMode: display, strict: 'error' }) };
  } catch (error) {
    return { failure: Object(error).message };
  }
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify(render(JSON.parse(line)))}\n`);
});
