// What chapter 2's run left, as sorted times that may be searched.

export const ANSWERED = '0', LATE = '1'; // fates; the others were not served
const MICROSECONDS = 1e6;

/** Sums of gaps in microseconds, in seconds. @param {number[]} gaps */
function summed(gaps) {
  let sum = 0;
  return Float64Array.from(gaps, (gap) => {
    sum += gap;
    return sum / MICROSECONDS;
  });
}

/** @param {Float64Array} begins @param {number[]} lengths in microseconds */
function ends(begins, lengths) {
  return begins.map((begin, k) => Math.round(begin * MICROSECONDS + lengths[k]) / MICROSECONDS);
}

/** When to stop on the way: at what happens to the client that is watched, or else at each second.
 * @param {StormColumns} columns @param {Float64Array[]} times */
function stops({ watched, timeout, end }, times) {
  const [asked] = times;
  const moments = watched.flatMap((k) => [asked[k] + timeout, ...times.map((column) => column[k])]);
  const seconds = Array.from({ length: end }, (_, second) => second);
  const kept = watched.length ? moments.filter((time) => time < end) : seconds;
  return Float64Array.from(new Set([0, ...kept, end])).sort();
}

/** @param {Float64Array} times @param {number} end */
function bySecond(times, end) {
  const counts = new Int32Array(end);
  for (const time of times) if (time < end) counts[Math.floor(time)] += 1;
  return counts;
}

/** @param {StormColumns} columns @returns {Storm} */
export function prepare(columns) {
  const { gap, wait, service, fate, end } = columns;
  const asked = summed(gap), turn = ends(asked, wait), left = ends(turn, service);
  const attempts = Int32Array.from(fate, (_, k) => k);
  const pick = (/** @type {string} */ fates, /** @type {Float64Array} */ times) => (
    times.filter((_, k) => fates.includes(fate[k])));
  const served = attempts.filter((k) => fate[k] <= LATE);
  const done = pick(ANSWERED + LATE, left), answered = pick(ANSWERED, left);
  return {
    ...columns, asked, turn, left, served, done, answered,
    taken: pick(ANSWERED + LATE, turn),
    again: asked.filter((_, k) => columns.tried[k] > '0'),
    begins: stops(columns, [asked, turn, left]),
    seconds: { sent: bySecond(asked, end), done: bySecond(done, end), answered: bySecond(answered, end) },
  };
}
