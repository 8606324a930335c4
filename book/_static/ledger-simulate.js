// "Simulate" in the ledger: runs the published experiment at a line's settings, and shows what it
// gives beneath what is printed, in all lines of these settings.
import { button, element } from './dom.js';
import { NotSimulated, Simulation, runsText } from './simulation.js';
import { differing } from './state.js';

/** @typedef {NonNullable<LedgerSimulations['rows'][number]> & { press: HTMLButtonElement, place: HTMLElement }} Line */

export class LedgerSimulate {
  /**
   * @param {LedgerSimulations} described
   * @param {HTMLElement[]} cells of the simulated numbers
   * @param {Host} host
   */
  constructor({ cases, rows }, cells, host) {
    const simulated = Object.entries(cases).map(([name, each]) => [name, new Simulation(host, each)]);
    /** @type {Record<string, Simulation>} */
    this.simulations = Object.fromEntries(simulated);
    /** @type {{ line: Line } | null} */
    this.running = null;
    this.said = element('p', { class: 'visually-hidden', role: 'status' });
    const isSimulated = (/** @type {string} */ name) => host.simulates(cases[name].simulation);
    this.lines = rows.map((row, index) => (row && isSimulated(row.case) ? this.makeLine(row, cells[index]) : null));
  }

  /**
   * @param {NonNullable<LedgerSimulations['rows'][number]>} row
   * @param {HTMLElement} cell
   * @returns {Line}
   */
  makeLine(row, cell) {
    const label = cell.closest('tr')?.querySelector('th')?.textContent;
    const place = element('span', { class: 'simulated' });
    /** @type {Line} */
    const line = { ...row, place, press: button('Simulate', () => this.pressed(line)) };
    line.press.setAttribute('aria-label', `Simulate ${label}`);
    cell.append(line.press, place);
    return line;
  }

  /** @param {Line} line */
  pressed(line) {
    if (this.running?.line === line) this.simulations[line.case].cancel();
    else this.run(line).catch(() => {}); // the reader has been told
  }

  /**
   * Resolves to {output: [mean, half-width]} at the settings of a line, counted from 0.
   * @param {number} index
   */
  async simulate(index) {
    const line = this.lines[index];
    if (!line) throw new NotSimulated('This number has no simulation.');
    return this.run(line);
  }

  /** @param {Line} line */
  async run(line) {
    if (this.running) this.simulations[this.running.line.case].cancel();
    const running = { line };
    this.running = running;
    const simulation = this.simulations[line.case];
    const experiment = { state: line.state, seed: simulation.description.simulation.seed };
    this.mark(line, 'Cancel', 'Simulating.');
    try {
      const reply = await simulation.run(experiment, (told, done, count) => this.show(line, told, done, count));
      this.end(running, line.place.textContent);
      return reply.intervals;
    } catch (error) {
      this.end(running, /** @type {Error} */ (error).message);
      throw error;
    }
  }

  /**
   * @param {{ line: Line }} running
   * @param {string} words
   */
  end(running, words) {
    const again = this.running !== running && this.running?.line === running.line;
    if (!again) this.mark(running.line, 'Simulate', words);
    if (this.running === running) this.running = null;
  }

  /**
   * @param {Line} line
   * @param {string} name
   * @param {string} words
   */
  mark({ press, place }, name, words) {
    const label = press.getAttribute('aria-label') ?? '';
    press.textContent = name;
    press.setAttribute('aria-label', label.replace(/^\w+/, name));
    place.textContent = words;
    this.said.textContent = words;
  }

  /**
   * @param {Line} line
   * @param {Replicated} told
   * @param {number} done
   * @param {number} count
   */
  show(line, { texts }, done, count) {
    const far = done < count ? `${done} of ${runsText(count)}` : runsText(count);
    for (const each of this.lines) {
      const same = each?.case === line.case && !differing(each.state, line.state).length;
      if (each && same) each.place.textContent = `${texts[each.output]}, ${far}`;
    }
  }
}
