// A curve on the screen: cut where it leaves the frame, read between its points.
/** @typedef {[x: number, y: number]} Point */

/**
 * Where the way from a to b goes through a height.
 * @param {Point} a
 * @param {Point} b
 * @param {number} y
 * @returns {Point}
 */
function through([ax, ay], [bx, by], y) {
  return Number.isFinite(by - ay) ? [ax + ((bx - ax) * (y - ay)) / (by - ay), y] : [Number.isFinite(ay) ? ax : bx, y];
}

/**
 * The parts of a curve that lie within two heights, with null between them.
 * @param {Point[]} points in pixels
 * @param {number} top
 * @param {number} bottom
 */
function within(points, top, bottom) {
  const inside = ([, y] = points[0]) => y >= top && y <= bottom;
  /** @type {(Point | null)[]} */
  const made = [];
  points.forEach((b, n) => {
    const a = points[n - 1];
    if (a) {
      const crossed = [top, bottom].filter((y) => (a[1] < y) !== (b[1] < y) && a[1] !== y && b[1] !== y);
      const met = crossed.map((y) => through(a, b, y)).sort((p, q) => (p[1] - q[1]) * (b[1] - a[1]));
      made.push(...met);
    }
    made.push(inside(b) ? b : null);
  });
  return made;
}

/**
 * The path of a curve. What JSON has no word for lies above all.
 * @param {Sampled} points
 * @param {Frame} plot
 */
export function path(points, { x, y, top, bottom }) {
  /** @type {Point[]} */
  const placed = points.map((point) => [x(point.x), point.y === null ? -Infinity : y(point.y)]);
  const digits = (/** @type {number} */ px) => Number(px.toFixed(2));
  let d = '', pen = 'M';
  for (const point of within(placed, top, bottom)) {
    if (point) d += `${pen}${digits(point[0])},${digits(point[1])}`;
    pen = point ? 'L' : 'M';
  }
  return d;
}

/**
 * The value of a curve at x, by a straight line on the screen between the points beside it.
 * @param {Sampled} points
 * @param {number} at
 * @param {(x: number) => number} place
 */
export function read(points, at, place) {
  const after = points.findIndex(({ x }) => x >= at);
  if (after < 0) return points[points.length - 1]?.y ?? null;
  const b = points[after], a = points[after - 1];
  if (!a || b.x === at || a.y === null || b.y === null) return b.y;
  return a.y + ((b.y - a.y) * (place(at) - place(a.x))) / (place(b.x) - place(a.x));
}
