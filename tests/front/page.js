// A page in node, for modules that draw nothing.

/**
 * Puts the modules that are imported next into a page at an address. Returns what the address
 * shows later, and how to leave the page.
 * @param {string} search
 */
export function standIn(search = '') {
  const shown = {
    ...{ protocol: 'http:', origin: 'http://book', pathname: '/chapters/03.html', hash: '', search },
    /** @returns {string} */
    get href() {
      return `${this.origin}${this.pathname}${this.search}${this.hash}`;
    },
  };
  /** @type {Map<string, () => void>} */
  const listeners = new Map();
  const written = { times: 0 };
  Object.assign(globalThis, {
    document: { currentScript: null, title: 'The LRU cliff — "Tunables"' },
    location: shown,
    history: {
      /** @type {History['replaceState']} */
      replaceState(state, unused, address) {
        const { search: after, hash } = new URL(String(address), shown.origin);
        Object.assign(shown, { search: after, hash });
        written.times += 1;
      },
    },
    addEventListener: listeners.set.bind(listeners),
  });
  return { shown, written, leave: () => listeners.get('pagehide')?.() };
}
