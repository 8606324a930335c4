// A text that is no table, whole: the page's Python reads it.
import { BINARY, LINE_END } from './rows.js';
import { pieces, Refused } from './texts.js';

const LONGEST_MIB = 1;

/** @param {Blob} blob */
export async function wholeText(blob) {
  if (blob.size > LONGEST_MIB * 2 ** 20) {
    throw new Refused(`More than ${LONGEST_MIB} MiB is too long for this fit in the page; the command line takes it.`);
  }
  let text = '';
  for await (const [piece] of pieces(blob)) text += piece;
  const binary = BINARY.exec(text);
  if (binary) throw new Refused(`Line ${text.slice(0, binary.index).split(LINE_END).length}: binary data, not text.`);
  return { text };
}
