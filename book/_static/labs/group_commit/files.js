// The lab's files in the page's private file system, which are removed when it ends.

const PREFIX = 'tunables-flush-';

/**
 * A name for a file, locked until the turn is over: another tab, which may run the lab as well,
 * then leaves it alone. The lock goes with the tab.
 * @param {import('../turn.js').Turn} turn
 */
export function newName(turn) {
  const name = PREFIX + crypto.getRandomValues(new Uint32Array(1))[0];
  const over = new Promise((resolve) => turn.finally(() => resolve(undefined)));
  navigator.locks?.request(name, () => over).catch(() => {});
  return name;
}

/**
 * A file is let go of a moment after its worker has ended.
 * @param {FileSystemDirectoryHandle} folder
 * @param {string} name
 */
async function remove(folder, name) {
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      await folder.removeEntry(name);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** The names of the files of labs that run, in whichever tab. */
async function running() {
  const { held } = await navigator.locks?.query() ?? {};
  return new Set(held?.map(({ name }) => name));
}

/**
 * Removes all that the lab ever left, also in a page that was closed while it ran.
 * @param {string} own
 */
export async function removeFiles(own) {
  const folder = await navigator.storage?.getDirectory?.().catch(() => undefined);
  if (!folder) return;
  const kept = await running();
  kept.delete(own);
  for await (const name of /** @type {any} */ (folder).keys()) {
    if (name.startsWith(PREFIX) && !kept.has(name)) await remove(folder, name);
  }
}
