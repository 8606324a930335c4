// Where the site's own files are. The bundles in vendor/ are classic scripts, so that pages
// opened from disk run them too; a module learns its place in another way.

const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
const page = script?.src ?? new URL('./vendor/page.js', import.meta.url).href;

/** @param {string} path from the folder of static files */
export function place(path) {
  return new URL(`../${path}`, page).href;
}

// On a page whose parts will ask the engine as soon as they wake, it starts before them.
export const asksAtOnce = script?.dataset.engine === 'now';

// The chapters whose Python such a page's parts run.
export const pythonAtOnce = script?.dataset.python?.split(' ') ?? [];

// A page opened from disk may load scripts and pictures, but fetch nothing.
export const fromDisk = location.protocol === 'file:';

/** @type {Map<string, Promise<unknown>>} */
const loaded = new Map();

/**
 * @param {string} path
 * @param {'auto' | 'high'} priority
 */
function load(path, priority) {
  return new Promise((resolve, reject) => {
    const added = document.createElement('script');
    added.src = place(path);
    added.fetchPriority = priority;
    added.onload = resolve;
    added.onerror = () => {
      loaded.delete(path); // another try may succeed
      reject(new Error(`${path} could not be loaded`));
    };
    document.head.append(added);
  });
}

/**
 * Loads a script once.
 * @param {string} path
 * @param {'auto' | 'high'} [priority]
 */
export function loadScript(path, priority = 'auto') {
  const loading = loaded.get(path) ?? load(path, priority);
  loaded.set(path, loading);
  return loading;
}
