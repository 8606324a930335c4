// The whole of some runs in one picture, for `make stills`: a panel a run, one under the other, each
// under its label and what came of it. No page loads this: it is drawn once, and kept.
import { INK, MODEL } from '../_static/stage/colours.js';
import { machines } from '../_static/stage/machines.js';
import { markup } from '../_static/stage/surface.js';
import { batches } from './batches.js';
import { pipeline } from './pipeline.js';
import { port } from './port.js';
import { scan } from './scan.js';
import { slices } from './slices.js';
import { storm } from './storm.js';

/** @type {Record<string, Whole<any>>} */
const wholes = { batches, pipeline, port, scan, slices, storm };

const WIDTH = 340; // as the other stills
const TITLE = 19, FOOT = 18; // px

/** @param {Whole<any>} drawing @param {any} run @param {{ label: string, y: number, widest: number }} at */
function panel(drawing, run, { label, y, widest }) {
  const inside = markup((surface) => {
    surface.put('text', { x: 0, y: 12, fill: INK }, label);
    const result = { x: WIDTH, y: 12, 'text-anchor': 'end', 'font-weight': 600, fill: MODEL };
    surface.put('text', result, drawing.result(run));
  });
  const picture = markup((surface) => drawing.draw(run, WIDTH, surface, widest));
  return `<g transform="translate(0 ${y})">${inside}<g transform="translate(0 ${TITLE})">${picture}</g></g>`;
}

/** The words and the picture of some runs, each from its beginning to its end.
 * @param {{ machine: string, traces: object[], labels: string[] }} asked
 * @returns {{ sentence: string, svg: string }} */
export function whole({ machine, traces, labels }) {
  const drawing = wholes[machine], runs = traces.map((columns) => machines[machine].prepare(columns));
  const pitch = TITLE + drawing.tall + 6, height = runs.length * pitch + FOOT;
  const widest = Math.max(...runs.map(drawing.length ?? (() => 1)));
  const panels = runs.map((run, n) => panel(drawing, run, { label: labels[n], y: n * pitch, widest }));
  const foot = markup((surface) => drawing.foot(WIDTH, surface, runs[0]));
  const sentence = runs.map((run, n) => `${labels[n]}: ${drawing.result(run)}${drawing.unit}.`).join(' ');
  return {
    sentence,
    svg: `<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-size="12" role="img" `
      + `aria-label="${sentence}">${panels.join('')}<g transform="translate(0 ${height - FOOT})">${foot}</g></svg>`,
  };
}
