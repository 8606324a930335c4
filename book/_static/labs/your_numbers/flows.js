// Flows that share a port equally, to try chapter 4's fit with.

/**
 * When each flow has got its share: the port gives all the flows that are there the same.
 * @param {number[]} starts in seconds, in order
 * @param {number[]} works seconds that each would take alone
 */
export function shared(starts, works) {
  const ends = new Array(starts.length).fill(0);
  /** @type {{ flow: number, left: number }[]} */
  let there = [];
  let now = 0;
  /** @param {number} until */
  const serve = (until) => {
    while (there.length) {
      const least = there.reduce((a, b) => (b.left < a.left ? b : a));
      const end = now + least.left * there.length;
      const gone = (Math.min(end, until) - now) / there.length;
      for (const each of there) each.left -= gone;
      now += gone * there.length;
      if (end > until) return;
      ends[least.flow] = end;
      there = there.filter((each) => each !== least);
    }
    now = until;
  };
  starts.forEach((start, flow) => {
    serve(start);
    now = start;
    there.push({ flow, left: works[flow] });
  });
  serve(Infinity);
  return ends;
}
