// Cuts the page's fonts from the packages' to the signs and axes that the book uses: npm run fonts -- FOLDER
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);
const SERIF = '@fontsource-variable/source-serif-4/files/source-serif-4-latin';
const SANS = '@fontsource-variable/source-sans-3/files/source-sans-3-latin';
const WEIGHTS = { wght: { min: 400, max: 700 } };
/** @type {Record<string, [string, Record<string, number | { min: number, max: number }>]>} */
const FONTS = {
  serif: [`${SERIF}-wght-normal`, WEIGHTS],
  'serif-italic': [`${SERIF}-wght-italic`, { wght: 400 }],
  display: [`${SERIF}-opsz-normal`, { opsz: 48, wght: 600 }],
  sans: [`${SANS}-wght-normal`, WEIGHTS],
};
// Signs beyond Latin-1. A browser takes a sign that is missing from the next font in the list.
const MORE = '\u2009\u200A\u2010\u2011\u2012\u2013\u2014\u2018\u2019\u201C\u201D\u2020\u2022\u2026\u202F\u2032\u2033'
  + '\u20AC\u2190\u2191\u2192\u2193\u2212';

/** Returns the characters from one code to another. @param {number} first @param {number} last */
function range(first, last) {
  return String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, n) => first + n));
}

const SIGNS = range(0x20, 0x7E) + range(0xA0, 0xFF) + MORE;
const FEATURES = ['kern', 'liga', 'tnum', 'pnum', 'lnum', 'mark', 'ccmp', 'locl'];

const [folder] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
for (const [name, [source, variationAxes]] of Object.entries(FONTS)) {
  const whole = await readFile(require.resolve(`${source}.woff2`));
  const options = { targetFormat: 'woff2', variationAxes, keepFeatures: FEATURES, noHinting: true };
  await writeFile(join(folder, `${name}.woff2`), await subsetFont(whole, SIGNS, options));
}
