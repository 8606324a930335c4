// Events by their times, the last of which is the end of the run; and moments, as links count them.

/** The number of times up to t, of some times in order. @param {ArrayLike<number>} times @param {number} t */
export function countAt(times, t) {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The end of the run. @param {Float64Array} begins */
export const endOf = (begins) => begins[begins.length - 1];

/** The last event that has begun. @param {Float64Array} begins @param {number} t */
export function eventAt(begins, t) {
  return Math.min(Math.max(0, countAt(begins, t) - 1), begins.length - 2);
}

/** The time at which the next event begins, or the last one ends. @param {Float64Array} begins @param {number} t */
export function after(begins, t) {
  return begins[eventAt(begins, t) + 1];
}

/** The time at which the current event began or, at that time, the one before.
 * @param {Float64Array} begins @param {number} t */
export function before(begins, t) {
  const event = eventAt(begins, t);
  return t > begins[event] ? begins[event] : begins[Math.max(0, event - 1)];
}

const PARTS = 1000;

/** Count moments by the number of the event, from 1, and the part of it that is over, to the thousandth. The end is one
 * more than the last event. */
export const byNumber = {
  /** @param {{ begins: Float64Array }} trace @param {number} at */
  timeOf({ begins }, at) {
    const last = begins.length - 1, event = Math.min(last, Math.max(0, Math.floor(at) - 1));
    if (event === last) return endOf(begins);
    const part = Math.round(PARTS * Math.max(0, at - 1 - event)) / PARTS;
    return begins[event] + part * (begins[event + 1] - begins[event]);
  },
  /** @param {{ begins: Float64Array }} trace @param {number} t */
  atOf({ begins }, t) {
    if (t >= endOf(begins)) return begins.length;
    const event = eventAt(begins, t), part = (t - begins[event]) / (begins[event + 1] - begins[event]);
    return event + 1 + Math.round(PARTS * part) / PARTS;
  },
};

/** Count moments by the clock itself, to the thousandth. */
export const bySecond = {
  /** @param {unknown} trace @param {number} at */
  timeOf: (trace, at) => at,
  /** @param {unknown} trace @param {number} t */
  atOf: (trace, t) => Math.round(t * 1000) / 1000,
};
