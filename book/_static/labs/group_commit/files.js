// The lab's files in the page's private file system, which are removed when it ends.

const PREFIX = 'tunables-flush-';

export function newName() {
  return PREFIX + crypto.getRandomValues(new Uint32Array(1))[0];
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

// Removes all that the lab ever left, also in a page that was closed while it ran. A browser does not
// let go of a file that another tab works with.
export async function removeFiles() {
  const folder = await navigator.storage?.getDirectory?.().catch(() => undefined);
  if (!folder) return;
  for await (const name of /** @type {any} */ (folder).keys()) {
    if (name.startsWith(PREFIX)) await remove(folder, name);
  }
}
