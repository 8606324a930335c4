// In a browser: reads the module and the cases of each folder that names.json names, and tells the
// server what is made of them.

async function read(name, file) {
  return (await fetch(`${name}/${file}`)).arrayBuffer();
}

async function json(name, file) {
  return JSON.parse(new TextDecoder().decode(await read(name, file)));
}

/** Returns {name: use(module, table, cases, blob)}. */
export async function each(use) {
  const found = {};
  for (const name of await (await fetch('names.json')).json()) {
    const module = await WebAssembly.compile(await read(name, 'kernels.wasm'));
    const cases = await json(name, 'cases.json');
    found[name] = use(module, await json(name, 'table.json'), cases, await read(name, 'cases.bin'));
  }
  return found;
}

/** Tells {name: use(module, table, cases, blob)}, or {error} with what went wrong. */
export async function tellOfEach(use) {
  const reply = await each(use).catch((error) => ({ error: String(error) }));
  await fetch('reply', { method: 'POST', body: JSON.stringify(reply) });
}
