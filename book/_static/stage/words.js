// Lists as sentences hold them.

/** One, two and three. @param {string[]} words */
export const listed = (words) => words.join(', ').replace(/, ([^,]*)$/, ' and $1');
