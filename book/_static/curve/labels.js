// The words in a chart, each where it stands on no other and the curve crosses it least.
import { evidenceWords } from './evidence.js';
import { read } from './lines.js';
import { height } from './scales.js';
import { Room, boxOf } from './words.js';

const BAR_PX = 24; // of title and buttons, above all words
const LOOKS = [0, 0.2, 0.4, 0.6, 0.8, 1]; // at these parts of a word's width

/**
 * These places for words, those first that the curve crosses least.
 * @param {Word[]} places
 * @param {Sampled} curve
 * @param {Frame} plot
 */
export function besideCurve(places, curve, plot) {
  const crossed = (/** @type {Word} */ word) => {
    const { left, right, top, bottom } = boxOf(word);
    return LOOKS.filter((share) => {
      const y = height(plot, read(curve, plot.x.invert(left + share * (right - left)), plot.x));
      return y > top - 3 && y < bottom + 1;
    }).length;
  };
  const costs = new Map(places.map((word) => [word, crossed(word)]));
  return places.sort((a, b) => Number(costs.get(a)) - Number(costs.get(b)));
}

/**
 * The places for a curve's name: at its right end, above the line or under it.
 * @param {Sampled} points
 * @param {string} text
 * @param {Frame} plot
 * @returns {Word[]}
 */
function curveWords(points, text, plot) {
  const end = points[points.length - 1];
  if (!text || !end) return [];
  const y = height(plot, end.y);
  return [-8, 18, -24, 34].map((dy) => ({ x: plot.right, y: y + dy, anchor: 'end', text }));
}

/**
 * Words never stand on words: the marker's value stays, then the curves' names, then the published
 * numbers that hold, then those that do not, whose signs tell all when they are pointed at.
 * @param {Plotted} shown
 * @param {Frame} plot
 * @param {Word[]} marker the places for its value
 * @param {Evidence[]} seen
 * @returns {{ name: string, word: Word }[]}
 */
export function wordsOf({ curve, kept, text }, plot, marker, seen) {
  const room = new Room({ left: plot.left, right: plot.width, top: BAR_PX, bottom: plot.bottom });
  const asked = [
    { name: 'value', places: marker },
    { name: 'name model', places: curveWords(curve, text, plot) },
    ...kept.map((each, n) => ({ name: `name kept-${n + 1}`, places: curveWords(each.points, each.text, plot) })),
    ...[true, false].flatMap((holds) => seen.filter((item) => item.holds === holds).map((item) => (
      { name: holds ? 'words' : 'words is-faded', places: besideCurve(evidenceWords(item, plot), curve, plot) }))),
  ];
  return asked.flatMap(({ name, places }) => {
    const word = room.find(places);
    return word ? [{ name, word }] : [];
  });
}
