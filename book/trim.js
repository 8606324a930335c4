// Leaves out of the written site what none of its pages shows: npm run trim -- SITE
// The theme's style sheets lose the rules, and fonts the signs, that no page or script names.
import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PurgeCSS } from 'purgecss';
import subsetFont from 'subset-font';

const PURGED = /^_static\/(?:styles\/(?:pydata-sphinx|sphinx-book)-theme|sphinx-design\.min|mystnb\.\w+)\.css$/;
const PAGES = /^(?!_static\/).*\.html$/;
// What pages load, without the Python and Vega.
const OWN = 'vendor/\\w+/(?:page|lab|audit|(?:labs|renderers)/.+)';
const SCRIPTS = new RegExp(`^_static/(?:[\\w-]+|scripts/pydata-sphinx-theme|${OWN})\\.js$`);
const STATE = /^::?[\w-]+$/; // each page may have any
const WORDS = /[\w-]+/g;
const VARIABLES = /--[\w-]+/g; // a sheet may use those of another
const ESCAPED = '<>&'; // a page has other signs for them

/** @param {string} site @param {RegExp} names @param {string[]} files */
async function read(site, names, files) {
  const found = files.filter((name) => names.test(name));
  const texts = found.map(async (name) => [name, await readFile(join(site, name), 'utf8')]);
  return /** @type {[string, string][]} */ (await Promise.all(texts));
}

/** Returns the signs that pages need of the two fonts of KaTeX that have most. @param {string} pages */
function signsOfFormulas(pages) {
  const [, ...formulas] = pages.split('<span class="katex-html"');
  const parts = formulas.flatMap((formula) => [...formula.split('</p>')[0].matchAll(/([^<>]*)>([^<]+)/g)]);
  const letters = parts.filter(([, tag]) => /\bmath(?:normal|it)\b/.test(tag));
  const [all, italic] = [parts, letters].map((some) => some.map(([, , text]) => text).join(''));
  return { 'Main-Regular': all + ESCAPED, 'Math-Italic': italic + ESCAPED };
}

/**
 * Purges the sheets, and has all pages load them by addresses that change with their content.
 * @param {string} site @param {string[]} files @param {[string, string][]} pages
 */
async function purge(site, files, pages) {
  const sheets = await read(site, /\.css$/, files);
  const sources = [...pages, ...await read(site, SCRIPTS, files)];
  const known = new Set(sheets.flatMap(([, text]) => text.match(WORDS) ?? []));
  const named = sources.map(([, text]) => new Set(text.match(WORDS)?.filter((word) => known.has(word))));
  const words = [...new Set(named.flatMap((some) => [...some]))];
  const addresses = new Map();
  for (const [name, text] of sheets.filter(([sheet]) => PURGED.test(sheet))) {
    const others = sheets.filter(([sheet]) => sheet !== name).flatMap(([, other]) => other.match(VARIABLES) ?? []);
    const [{ css }] = await new PurgeCSS().purge({
      content: [{ raw: words.join(' '), extension: 'html' }],
      css: [{ raw: text }],
      variables: true,
      safelist: { standard: [STATE], variables: [...words.filter((word) => word.startsWith('--')), ...others] },
    });
    await writeFile(join(site, name), css);
    addresses.set(name, `${name}?v=${createHash('sha256').update(css).digest('hex').slice(0, 8)}`);
  }
  for (const [name, text] of pages) {
    const changed = text.replace(/(href="(?:\.\.\/)*)(_static\/[^"?]+\.css)[^"]*/g, (link, start, sheet) => (
      addresses.has(sheet) ? start + addresses.get(sheet) : link));
    if (changed !== text) await writeFile(join(site, name), changed);
  }
}

/** @param {string} site @param {[string, string][]} pages */
async function cutFonts(site, pages) {
  for (const [font, signs] of Object.entries(signsOfFormulas(pages.map(([, text]) => text).join('')))) {
    const path = join(site, `_static/vendor/katex/fonts/KaTeX_${font}.woff2`);
    await writeFile(path, await subsetFont(await readFile(path), signs, { targetFormat: 'woff2' }));
  }
}

const [site] = process.argv.slice(2);
const files = (await readdir(site, { recursive: true })).map(String);
const pages = await read(site, PAGES, files);
await purge(site, files, pages);
await cutFonts(site, pages);
