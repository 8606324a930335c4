// Runs the book's own Python: MicroPython, with the source files that the tests import.
import { loadMicroPython } from './vendor/micropython/micropython.mjs';

async function fetched(path) {
  const response = await fetch(new URL(path, import.meta.url));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}

async function start(description) {
  const engine = await loadMicroPython({ url: new URL('./vendor/micropython/micropython.wasm', import.meta.url).href });
  const paths = JSON.parse(await fetched('./python/manifest.json'));
  const sources = await Promise.all(paths.map((path) => fetched(`./python/${path}`)));
  paths.forEach((path, index) => {
    path.split('/').slice(0, -1).reduce((folder, part) => {
      const next = `${folder}/${part}`;
      if (!engine.FS.analyzePath(next).exists) engine.FS.mkdir(next);
      return next;
    }, '');
    engine.FS.writeFile(`/${path}`, sources[index]);
  });
  engine.runPython('import sys\nsys.path.insert(0, "/")');
  return engine.pyimport('tunables.reader.page').Page(JSON.stringify(description));
}

let page;
onmessage = async ({ data }) => {
  try {
    page ??= await start(data.description);
    postMessage({ reply: data.state ? JSON.parse(page.reply(JSON.stringify(data.state))) : {} });
  } catch (error) {
    postMessage({ failure: String(error.message ?? error) });
  }
};
