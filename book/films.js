// Draws the frames of a film of an animation, with the same drawing as its stills: reads JSON, a line per scene, with
// what `frames` takes; writes a line of JSON per frame.
import readline from 'node:readline';
import { WIDTH, draw } from './stills.js';
import { timeIn, titles } from './_static/animation/compare.js';
import { renderers } from './_static/animation/renderers.js';

/** @typedef {{ renderer: string, traces: object[], settings: AnimationSetting[], states: State[], at: number,
 *   since: number | null, count: number, lead_s: number }} Scene */

/** When a scene begins and ends. It ends at its bookmark, and begins where a link to it does, or some seconds before,
 * at the usual speed.
 * @param {Renderer<any, any>} renderer @param {any} trace @param {Scene} scene */
function span(renderer, trace, { at, since, lead_s }) {
  const t = renderer.timeOf(trace, at);
  return [since === null ? Math.max(0, t - lead_s * renderer.pace[1].each) : renderer.timeOf(trace, since), t];
}

/** The frames of a scene at equal distances: a drawing of each run, all of one size, with the titles of two runs.
 * @param {Scene} scene
 * @returns {Generator<{ width: number, tall: number, names: string[], drawings: string[] }>} */
function* frames(scene) {
  const renderer = renderers[scene.renderer], runs = scene.traces.map((columns) => renderer.prepare(columns));
  const [begin, end] = span(renderer, runs[0], scene), names = titles(scene.settings, scene.states);
  for (let n = 0; n < scene.count; n++) {
    const t = begin + (end - begin) * n / (scene.count - 1);
    const states = runs.map((trace) => renderer.state(trace, timeIn(renderer, runs[0], t, trace)));
    const drawn = states.map((state) => draw(renderer, state));
    yield { width: WIDTH, tall: drawn[0].tall, names, drawings: drawn.map(({ inside }) => inside) };
  }
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  for (const frame of frames(JSON.parse(line))) process.stdout.write(`${JSON.stringify(frame)}\n`);
});
