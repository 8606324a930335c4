// Where the site's own files are. The bundle vendor/page.js is a classic script, so that pages
// opened from disk run it too; a module learns its place in another way.

const script = document.currentScript;
const page = script?.src ?? new URL('./vendor/page.js', import.meta.url).href;

export function place(path) {
  return new URL(`../${path}`, page).href;
}

// On a page whose parts will ask the engine as soon as they wake, it starts before them.
export const asksAtOnce = script?.dataset.engine === 'now';

// A page opened from disk may load scripts and pictures, but fetch nothing.
export const fromDisk = location.protocol === 'file:';

const loaded = new Map();

export function loadScript(path) {
  if (!loaded.has(path)) {
    loaded.set(path, new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = place(path);
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${path} could not be loaded`));
      document.head.append(script);
    }));
  }
  return loaded.get(path);
}
