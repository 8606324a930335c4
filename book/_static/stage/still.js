// A stage as a picture: the same drawing as markup, for readers without scripts and for print.
import { INK } from './colours.js';
import { timeIn, titles } from './compare.js';
import { machines } from './machines.js';
import { markup } from './surface.js';

const WIDTH = 340; // two stand side by side on a wide page, and one on a phone

const TITLE = 36; // px over each of two: the setting that differs, and its value

/** @param {Machine<any, any>} machine @param {any} state */
function drawn(machine, state) {
  const tall = machine.height(WIDTH);
  return markup((surface) => {
    machine.backdrop(state.trace, WIDTH, tall, surface);
    machine.moving(state, WIDTH, tall, surface);
    machine.scene(state, WIDTH, tall, surface);
  });
}

/** One under the other, each under its title.
 * @param {Machine<any, any>} machine @param {any[]} states @param {string[]} named */
function both(machine, states, named) {
  const tall = machine.height(WIDTH) + TITLE + 4;
  return states.map((state, n) => {
    const [label, value] = named[n].split(': ');
    return `<g transform="translate(0 ${n * tall})"><text x="0" y="12" fill="${INK}">${label}:</text>`
      + `<text x="0" y="29" font-weight="600" fill="${INK}">${value}</text>`
      + `<g transform="translate(0 ${TITLE})">${drawn(machine, state)}</g></g>`;
  }).join('');
}

/** @param {Machine<any, any>} machine @param {any[]} states @param {string[]} named @param {string} label */
function picture(machine, states, named, label) {
  const one = machine.height(WIDTH), height = states.length > 1 ? 2 * (one + TITLE) + 4 : one;
  const inside = states.length > 1 ? both(machine, states, named) : drawn(machine, states[0]);
  return `<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-size="13" `
    + `role="img" aria-label="${label}">${inside}</svg>`;
}

/** The words and the picture of a beat, and of what stands beside it, at the same time.
 * @param {{ machine: string, traces: object[], settings: StageSetting[], states: State[], at: number }} beat
 * @returns {{ sentence: string, beside?: string, svg: string }} */
export function still({ machine: name, traces, settings, states, at }) {
  const machine = machines[name], runs = traces.map((columns) => machine.prepare(columns));
  const t = machine.timeOf(runs[0], at);
  const shown = runs.map((trace) => machine.state(trace, timeIn(machine, runs[0], t, trace)));
  const [sentence, other] = shown.map((state) => machine.sentence(state)), named = titles(settings, states);
  if (!other) return { sentence, svg: picture(machine, shown, named, sentence) };
  const beside = `${named[1]}. ${other}`;
  return { sentence, beside, svg: picture(machine, shown, named, `${named[0]}. ${sentence} ${beside}`) };
}
