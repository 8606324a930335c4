// Numbers and lists as sentences hold them.

/** A number rounded to a whole one, its thousands apart: 8,072. @param {number} number */
export const grouped = (number) => Math.round(number).toLocaleString('en');

/** One, two and three. @param {string[]} words */
export const listed = (words) => words.join(', ').replace(/, ([^,]*)$/, ' and $1');
