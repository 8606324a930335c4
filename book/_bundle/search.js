// Sphinx's search, made to fit: it finds numbers, puts chapters before labs, and quotes text alone.
// It stands in language_data.js, which the search page loads after searchtools.js.
{
  // As WORD in book/_ext/searching.py.
  const WORD = /\d+(?:,\d{3})+(?:\.\d+)?(?!\w)|\d+\.\d+(?!\w)|[\p{Letter}\p{Number}_]+/gu;
  const LAST = /^(labs|book\/teaching)\//; // their pages come after all others
  const LIBRARY = /^book\/library\b/; // for programmers: before those, after the rest
  // A quotation also leaves out the page's title, which is printed above it, and the lines around a chapter's.
  const NO_TEXT = 'script, style, svg, button, input, select, label, .headerlink, .cell_input, .above-input > summary, '
    + '.on-paper, .katex-html, annotation, .visually-hidden, h1, .chapter-kicker, .to-card';
  const BLOCKS = 'p, li, dt, dd, td, th, caption, figcaption, h1, h2, h3, h4, pre, div, summary';
  const BEFORE = 100; // characters of a quotation before the word, and in all
  const LENGTH = 240;

  /** @param {string} text */
  const split = (text) => text.match(WORD) ?? [];
  /** @param {string} word */
  const bare = (word) => word.replaceAll(',', '');
  /** @param {string} word */
  const withCommas = (word) => (/^\d+$/.test(word) ? word.replace(/\B(?=(\d{3})+$)/g, ',') : word);

  /**
   * Where a text has a word, or a number with or without its commas; -1 if nowhere.
   * @param {string} text
   * @param {string} word
   */
  const place = (text, word) => {
    if (!/^\d/.test(word)) return text.toLowerCase().indexOf(word);
    return text.search(new RegExp(`(?<![\\d.,])${word.replaceAll('.', '\\.').replace(/\B(?=\d)/g, ',?')}`));
  };

  // In place of the words of Sphinx 7; Sphinx 9 has its own for one page and for many.
  Object.assign(Documentation.TRANSLATIONS, {
    'Search finished, found ${resultCount} page(s) matching the search query.': 'Pages found: ${resultCount}.',
  });

  // Only the page that a result leads to marks the words.
  let toMark = '';
  for (const press of ['click', 'auxclick']) {
    document.addEventListener(press, ({ target }) => {
      if (!(target instanceof Element) || !target.closest('ul.search a')) return;
      localStorage.setItem('sphinx_highlight_terms', toMark);
    });
  }

  Scorer.score = ([name, , , , score]) => {
    if (LAST.test(name)) return score - 1000;
    if (LIBRARY.test(name)) return score - 500;
    return name.startsWith('chapters/') ? score + 1 : score;
  };

  globalThis.splitQuery = (query) => split(query).map(bare);

  Search._parseQuery = (query) => {
    const stemmer = new Stemmer(), skipped = new Set(stopwords); // a list by Sphinx 7, a set by Sphinx 9
    const all = splitQuery(query.toLowerCase()).filter((word) => !skipped.has(word));
    // A unit such as ms is on most pages; Sphinx 9 takes one with it alone for a page with all words.
    const long = all.filter((word) => word.length > 2 || /^\d/.test(word)), words = long.length ? long : all;
    const marked = new Set(words.flatMap((word) => [word, withCommas(word)]));
    toMark = [...marked].join(' ');
    return [query, new Set(words.map((word) => stemmer.stemWord(word))), new Set(), marked, new Set(words)];
  };

  // A function of the library is quoted like a page, in place of the words for its kind.
  const findObjects = Search.performObjectSearch;
  /** @type {typeof findObjects} */
  Search.performObjectSearch = (object, terms) => findObjects(object, terms)
    .map(([page, title, anchor, , ...rest]) => [page, title, anchor, null, ...rest]);

  /** A word of the glossary with its definition. @param {Element} word */
  const definitionOf = (word) => {
    let definition = word.nextElementSibling;
    while (definition?.matches('dt')) definition = definition.nextElementSibling; // other words for the same
    definition?.prepend(`${word.textContent?.trim()}: `);
    return definition;
  };

  /**
   * What a result is about: a function with its description, a word's definition, a section, or the whole page.
   * @param {Document} page
   * @param {string | undefined} anchor
   */
  const partOf = (page, anchor) => {
    const target = anchor ? page.getElementById(anchor.slice(1)) : null;
    if (!target) return page.querySelector('article');
    return target.closest('dl.py') ?? (target.matches('dl.glossary > dt') ? definitionOf(target) : target);
  };

  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, 'text/html');
    for (const other of page.querySelectorAll(NO_TEXT)) other.remove();
    for (const block of page.querySelectorAll(BLOCKS)) block.append(' ');
    return partOf(page, anchor)?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  };

  Search.makeSearchSummary = (html, words, anchor) => {
    const text = Search.htmlToText(html, anchor);
    const found = [...words].map((word) => place(text, word)).filter((at) => at >= 0);
    const from = Math.max((found[0] ?? 0) - BEFORE, 0);
    const start = from && text.indexOf(' ', from) + 1; // no word is cut
    const end = start + LENGTH < text.length ? text.lastIndexOf(' ', start + LENGTH) : text.length;
    const quotation = document.createElement('p');
    quotation.className = 'context';
    quotation.textContent = `${start ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
    return quotation;
  };
}
