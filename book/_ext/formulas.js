// Reads formulas, {latex, display} as JSON, a line each; writes {html} or {failure} for each.
const katex = require('katex');
const readline = require('node:readline');

function rendered({ latex, display }) {
  try {
    return { html: katex.renderToString(latex, { displayMode: display, strict: 'error' }) };
  } catch (error) {
    return { failure: error.message };
  }
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify(rendered(JSON.parse(line)))}\n`);
});
