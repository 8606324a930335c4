// Draws stills, the animations as pictures for readers without scripts and for print: reads JSON, a line per picture,
// with what `still` takes, or, where there are labels, `overview`; writes {sentence, svg} for each.
import fs from 'node:fs';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { overviews } from './overviews.js';
import { timeIn, titles } from './_static/animation/compare.js';
import { renderers } from './_static/animation/renderers.js';
import { INK, MODEL, markup } from './_static/animation/surface.js';

const WIDTH = 340; // two fit side by side on a wide page, and one on a phone
const TITLE = 36; // px above each of two runs: the setting that differs, and its value
const LABEL = 19, FOOT = 18; // px above each panel of an overview, and below all

/** The layers of a state as markup. @param {Renderer<any, any>} renderer @param {any} state */
function draw(renderer, state) {
  const tall = renderer.height(WIDTH);
  return markup((surface) => {
    renderer.backdrop(state.trace, WIDTH, tall, surface);
    renderer.moving(state, WIDTH, tall, surface);
    renderer.scene(state, WIDTH, tall, surface);
  });
}

/** Two states, one below the other, each under its title.
 * @param {Renderer<any, any>} renderer @param {any[]} states @param {string[]} names */
function drawBoth(renderer, states, names) {
  const tall = renderer.height(WIDTH) + TITLE + 4;
  return states.map((state, n) => {
    const [label, value] = names[n].split(': ');
    return `<g transform="translate(0 ${n * tall})"><text x="0" y="12" fill="${INK}">${label}:</text>`
      + `<text x="0" y="29" font-weight="600" fill="${INK}">${value}</text>`
      + `<g transform="translate(0 ${TITLE})">${draw(renderer, state)}</g></g>`;
  }).join('');
}

/** @param {Renderer<any, any>} renderer @param {any[]} states @param {string[]} names @param {string} label */
function picture(renderer, states, names, label) {
  const one = renderer.height(WIDTH), height = states.length > 1 ? 2 * (one + TITLE) + 4 : one;
  const inside = states.length > 1 ? drawBoth(renderer, states, names) : draw(renderer, states[0]);
  return `<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-size="13" `
    + `role="img" aria-label="${label}">${inside}</svg>`;
}

/** The words and the picture of a bookmark, and of the run beside it, if there is one, at the same time.
 * @param {{ renderer: string, traces: object[], settings: AnimationSetting[], states: State[], at: number }} bookmark
 * @returns {{ sentence: string, beside?: string, svg: string }} */
export function still({ renderer: name, traces, settings, states, at }) {
  const renderer = renderers[name], runs = traces.map((columns) => renderer.prepare(columns));
  const t = renderer.timeOf(runs[0], at);
  const moments = runs.map((trace) => renderer.state(trace, timeIn(renderer, runs[0], t, trace)));
  const [sentence, other] = moments.map((state) => renderer.sentence(state)), names = titles(settings, states);
  if (!other) return { sentence, svg: picture(renderer, moments, names, sentence) };
  const beside = `${names[1]}. ${other}`;
  return { sentence, beside, svg: picture(renderer, moments, names, `${names[0]}. ${sentence} ${beside}`) };
}

/** One run of an overview under its label and its result.
 * @param {Overview<any>} drawing @param {any} run @param {{ label: string, y: number, widest: number }} at */
function panel(drawing, run, { label, y, widest }) {
  const heading = markup((surface) => {
    surface.put('text', { x: 0, y: 12, fill: INK }, label);
    const result = { x: WIDTH, y: 12, 'text-anchor': 'end', 'font-weight': 600, fill: MODEL };
    surface.put('text', result, drawing.result(run));
  });
  const inside = markup((surface) => drawing.draw(run, WIDTH, surface, widest));
  return `<g transform="translate(0 ${y})">${heading}<g transform="translate(0 ${LABEL})">${inside}</g></g>`;
}

/** The words and the picture of some whole runs, a panel each, one below the other.
 * @param {{ renderer: string, traces: object[], labels: string[] }} request
 * @returns {{ sentence: string, svg: string }} */
function overview({ renderer, traces, labels }) {
  const drawing = overviews[renderer], runs = traces.map((columns) => renderers[renderer].prepare(columns));
  const pitch = LABEL + drawing.tall + 6, height = runs.length * pitch + FOOT;
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

if (fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  readline.createInterface({ input: process.stdin }).on('line', (line) => {
    const request = JSON.parse(line);
    process.stdout.write(`${JSON.stringify(request.labels ? overview(request) : still(request))}\n`);
  });
}
