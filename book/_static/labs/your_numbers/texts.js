// The text of a file, a piece after the other: refused with a sentence unless it is plain text.

export const LARGEST_MIB = 64;
const PIECE_BYTES = 2 ** 20;

/** Why a text cannot be read, in a sentence for the reader. */
export class Refused extends Error {}

// First bytes of files that people take for a table, and what to do about each.
const NO_TEXT = [
  { bytes: [0x50, 0x4b, 3, 4], what: 'a spreadsheet or ZIP archive, not text; save the table as CSV (UTF-8)' },
  { bytes: [0x1f, 0x8b], what: 'compressed; unpack the file first' },
  { bytes: [0xff, 0xfe], what: 'UTF-16 text; save the file as UTF-8' },
  { bytes: [0xfe, 0xff], what: 'UTF-16 text; save the file as UTF-8' },
  { bytes: [0x25, 0x50, 0x44, 0x46], what: 'a PDF, not a table; save the table as CSV (UTF-8)' },
];

/** @param {Uint8Array} first bytes of the file */
function checkKind(first) {
  const found = NO_TEXT.find(({ bytes }) => bytes.every((byte, place) => first[place] === byte));
  if (found) throw new Refused(`This is ${found.what}.`);
}

/**
 * @param {TextDecoder} decoder
 * @param {Uint8Array} bytes
 * @param {boolean} stream
 */
function decoded(decoder, bytes, stream) {
  try {
    return decoder.decode(bytes, { stream }).replaceAll('\ufeff', ''); // a mark without width
  } catch {
    throw new Refused('This is no UTF-8 text: a binary file, or one in another encoding; save it as UTF-8.');
  }
}

/**
 * Yields [text, share of the file that was read].
 * @param {Blob} blob
 * @returns {AsyncGenerator<[string, number]>}
 */
export async function* pieces(blob) {
  if (blob.size > LARGEST_MIB * 2 ** 20) {
    const size = Math.round(blob.size / 2 ** 20);
    throw new Refused(`${size} MiB are too many: at most ${LARGEST_MIB}; take a shorter span of time.`);
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let start = 0; start < blob.size; start += PIECE_BYTES) {
    const end = Math.min(start + PIECE_BYTES, blob.size);
    const bytes = new Uint8Array(await blob.slice(start, end).arrayBuffer());
    if (start === 0) checkKind(bytes);
    yield [decoded(decoder, bytes, end < blob.size), end / blob.size];
  }
}

/**
 * What parts the cells of the first line that is not blank: tab, semicolon or comma.
 * @param {string} text
 */
export function delimiterOf(text) {
  const first = text.trimStart().split(/[\r\n]/, 1)[0].trim();
  return ['\t', ';'].find((candidate) => first.includes(candidate)) ?? ',';
}
