// What stages show, at nine moments of each run, by turns at an event and wherever the run is: reads
// {machine, traces} as JSON, a line each; writes for each a list of [run, moment, sentence,
// fingerprint on a phone, fingerprint on a wide page].
import { createHash } from 'node:crypto';
import readline from 'node:readline';
import { machines } from '../../book/_static/stage/machines.js';
import { markup } from '../../book/_static/stage/surface.js';

const WIDTHS = [340, 688], MOMENTS = 8; // and the end

/** The drawing and all that buttons and the clock take from a state, in few letters.
 * @param {Machine<any, any>} machine @param {any} trace @param {number} t @param {number} width */
function fingerprint(machine, trace, t, width) {
  const state = machine.state(trace, t), height = machine.height(width), at = machine.atOf(trace, t);
  const layers = ['backdrop', 'moving', 'scene'].map((layer) => markup((surface) => {
    const taken = layer === 'backdrop' ? trace : state;
    machine[/** @type {'scene'} */ (layer)](taken, width, height, surface);
  }));
  const rest = [machine.tape(width), at, machine.timeOf(trace, at), machine.round(state, trace),
    machine.beside?.(state, trace), machine.rule(trace), machine.words, machine.pace, machine.measure];
  return createHash('sha256').update(JSON.stringify([layers, rest])).digest('hex').slice(0, 12);
}

/** @param {Machine<any, any>} machine @param {object[]} traces */
function shown(machine, traces) {
  return traces.flatMap((columns, run) => {
    const trace = machine.prepare(columns), begins = machine.begins(trace), last = begins.length - 1;
    return Array.from({ length: MOMENTS + 1 }, (_, moment) => {
      const share = moment / MOMENTS, t = moment % 2 ? share * begins[last] : begins[Math.round(share * last)];
      const prints = WIDTHS.map((width) => fingerprint(machine, trace, t, width));
      return [run, moment, machine.sentence(machine.state(trace, t)), ...prints];
    });
  });
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { machine, traces } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(shown(machines[machine], traces))}\n`);
});
