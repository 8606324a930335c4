// The mutants of those of the page's scripts that tests reach, by Stryker, all in one copy.
//
// node instrument.js ROOT COPY: writes the scripts into COPY, each with all its mutants, of which
// the environment switches one on, and prints as JSON { mutants, tests: { script: its tests } }.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const [root, copy] = process.argv.slice(2);
const TESTS = 'tests/front';
const silent = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {}, trace() {} };

/** The scripts that tests reach, however far, each with its tests. */
async function reached() {
  const esbuild = await import(pathToFileURL(path.join(root, 'node_modules/esbuild/lib/main.js')).href);
  const tests = fs.readdirSync(path.join(root, TESTS)).filter((name) => name.endsWith('.test.js'));
  const reaching = {};
  for (const test of tests.map((name) => `${TESTS}/${name}`)) {
    const { metafile } = await esbuild.build({
      absWorkingDir: root, entryPoints: [test], bundle: true, write: false, metafile: true,
      platform: 'node', format: 'esm', packages: 'external', logLevel: 'silent',
    });
    // esbuild follows no import whose address is put together; its file is named in the test.
    const named = fs.readFileSync(path.join(root, test), 'utf8').match(/book\/_static\/[\w/-]+\.js/g) ?? [];
    for (const file of new Set([...Object.keys(metafile.inputs), ...named])) (reaching[file] ??= []).push(test);
  }
  const scripts = Object.keys(reaching).filter((name) => name.startsWith('book/_static/')).sort();
  return Object.fromEntries(scripts.map((name) => [name, reaching[name]]));
}

const tests = await reached();
const files = Object.keys(tests).map((name) => (
  { name, mutate: true, content: fs.readFileSync(path.join(root, name), 'utf8') }));
const made = await new Instrumenter(silent).instrument(files, { plugins: [], excludedMutations: [], ignorers: [] });
for (const { name, content } of made.files) {
  fs.writeFileSync(path.join(copy, name), content);
}
const lines = Object.fromEntries(files.map(({ name, content }) => [name, content.split('\n')]));

/** What stands between two places of a script. */
function within(name, { start, end }) {
  const rows = lines[name].slice(start.line, end.line + 1);
  rows.push(rows.pop().slice(0, end.column));
  return [rows[0].slice(start.column), ...rows.slice(1)].join('\n');
}

const mutants = made.mutants.map(({ id, fileName, location, replacement }) => (
  { id, file: fileName, line: location.start.line + 1, was: within(fileName, location), now: replacement }));
process.stdout.write(JSON.stringify({ mutants, tests }));
