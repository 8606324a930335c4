// Draws stills, the animations as pictures for readers without scripts and for print: reads JSON, a line per picture,
// with what `still` takes, or, where there are labels, `overview`; writes {sentence, svg} for each.
import fs from 'node:fs';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { overviews } from './overviews.js';
import { timeIn, titles } from './_static/animation/compare.js';
import { renderers } from './_static/animation/renderers.js';
import { HELD, HIT, INK, MISS, MODEL, SOFT, WAIT, WORK, markup } from './_static/animation/surface.js';

export const WIDTH = 340; // two fit side by side on a wide page, and one on a phone
const TITLE = 36; // px above each of two runs: the setting that differs, and its value
const LABEL = 19, FOOT = 18; // px above each panel of an overview, and below all

const FIGURES = 42; // px above a drawing, for its figures
const TONES = { hit: HIT, miss: MISS, model: MODEL, wait: WAIT, held: HELD, work: WORK };

/** The figures in columns, each over its label. @param {Figure[]} figures */
function drawFigures(figures) {
  const pitch = WIDTH / figures.length;
  return markup((surface) => {
    for (const [n, { label, short = label, value, unit, tone }] of figures.entries()) {
      const large = { x: n * pitch, y: 17, 'font-size': 18, 'font-weight': 600, fill: tone ? TONES[tone] : INK };
      surface.put('text', large, unit ? `${value} ${unit}` : value);
      surface.put('text', { x: n * pitch, y: 33, 'font-size': 12, fill: SOFT }, short);
    }
  });
}

/** The height of a picture, and its figures and layers as markup.
 * @param {Renderer<any, any>} renderer @param {any} state */
export function draw(renderer, state) {
  const figures = renderer.figures?.(state) ?? [], top = figures.length ? FIGURES : 0, tall = renderer.height(WIDTH);
  const layers = markup((surface) => {
    renderer.backdrop(state.trace, WIDTH, tall, surface);
    renderer.moving(state, WIDTH, tall, surface);
    renderer.scene(state, WIDTH, tall, surface);
  });
  return { tall: top + tall, inside: `${drawFigures(figures)}<g transform="translate(0 ${top})">${layers}</g>` };
}

/** Two states, one below the other, each under its title.
 * @param {ReturnType<typeof draw>[]} drawings @param {string[]} names */
function drawBoth([one, other], names) {
  return [one, other].map(({ inside }, n) => {
    const [label, value] = names[n].split(': ');
    return `<g transform="translate(0 ${n * (one.tall + TITLE + 4)})"><text x="0" y="12" fill="${INK}">${label}:</text>`
      + `<text x="0" y="29" font-weight="600" fill="${INK}">${value}</text>`
      + `<g transform="translate(0 ${TITLE})">${inside}</g></g>`;
  }).join('');
}

/** @param {Renderer<any, any>} renderer @param {any[]} states @param {string[]} names @param {string} label */
function picture(renderer, states, names, label) {
  const drawings = states.map((state) => draw(renderer, state)), [{ tall, inside }] = drawings;
  const two = drawings.length > 1, height = two ? 2 * (tall + TITLE) + 4 : tall;
  return `<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-size="13" `
    + `role="img" aria-label="${label}">${two ? drawBoth(drawings, names) : inside}</svg>`;
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
