// In a browser: tells the server what MicroPython makes of the closed forms, WebAssembly of the
// kernels, and each chapter's page of a moved setting.
import { compare } from './compare.js';
import { each } from './each-folder.js';
import { closedForms } from './micropython.js';

const LIMIT_MS = 240_000; // beside other work

const got = async (name) => (await fetch(name)).text();

async function until(holds, what) {
  for (const end = Date.now() + LIMIT_MS; Date.now() < end;) {
    const found = holds();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what}: not within ${LIMIT_MS / 1e3} s`);
}

/** Opens a chapter, moves the settings of a case's explorer and returns the rows that its table then has. */
async function move(path, { case: name, settings }) {
  const frame = document.createElement('iframe');
  Object.assign(frame, { src: `html/${path}`, width: 1200, height: 800 });
  document.body.replaceChildren(frame);
  const ready = `#explore-${name}[data-engine=ready]`;
  const section = await until(() => frame.contentDocument?.querySelector(ready), path);
  section.explorer.change(settings);
  const [moved, value] = Object.entries(settings)[0];
  await until(() => section.explorer.state[moved] === value && section.dataset.engine === 'ready', path);
  return [...section.querySelectorAll('table tr')].map((row) => row.textContent.trim().replace(/\s+/g, ' '));
}

async function pages() {
  const found = {};
  const asked = JSON.parse(await got('pages.json'));
  for (const [path, moves] of Object.entries(asked)) found[path] = await move(path, moves);
  return found;
}

async function all() {
  const sources = JSON.parse(await got('sources.json'));
  return {
    engine: navigator.userAgent,
    closed_forms: await closedForms('micropython.wasm', sources, await got('asked.json')),
    kernels: await each(compare),
    pages: await pages(),
  };
}

const told = await all().catch((error) => ({ error: `${error}\n${error.stack}` }));
await fetch('told', { method: 'POST', body: JSON.stringify(told) });
