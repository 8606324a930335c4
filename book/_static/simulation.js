// A simulation, replication by replication: told after each, and stopped at once.

/** Why there are no numbers: what was asked was refused, or nobody asks any more. */
export class NotSimulated extends Error {}

export const CANCELLED = 'The simulation was cancelled.';

/**
 * How many runs there will be: those asked for, or as many as the settings need. One whose
 * settings leave nothing to chance is all.
 * @param {number} needed
 * @param {number | undefined} asked
 */
function countOf(needed, asked) {
  return needed === 1 ? 1 : asked ?? needed;
}

/** @param {number} count */
export function runsText(count) {
  return count === 1 ? '1 run' : `${count} runs`;
}

export class Simulation {
  /**
   * @param {Host} host
   * @param {Simulable} description
   */
  constructor(host, description) {
    this.host = host;
    this.description = description;
    /** @type {SimulationTalk | null} */
    this.talk = null;
    /** @type {((error: NotSimulated) => void) | null} */
    this.stop = null; // the one that runs
  }

  /**
   * Resolves to the last reply. Rejects with a NotSimulated, or with an EngineError.
   * @param {Experiment} experiment
   * @param {(reply: Replicated, done: number, count: number) => void} told after each run
   * @returns {Promise<Replicated>}
   */
  async run(experiment, told) {
    this.cancel();
    /** @type {Promise<never>} */
    const cancelled = new Promise((_, reject) => {
      this.stop = reject;
    });
    const { stop } = this;
    try {
      return await Promise.race([this.replicate(experiment, told, () => this.stop === stop), cancelled]);
    } finally {
      if (this.stop === stop) this.stop = null;
    }
  }

  /**
   * @param {Experiment} experiment
   * @param {(reply: Replicated, done: number, count: number) => void} told
   * @param {() => boolean} goesOn
   */
  async replicate({ replications, assumptions = {}, ...asked }, told, goesOn) {
    this.talk ??= this.host.simulation(this.description);
    for (let replication = 0; ; replication += 1) {
      const reply = await this.talk.ask({ simulate: { ...asked, assumptions, replication } });
      if ('refusal' in reply) throw new NotSimulated(reply.refusal);
      const count = countOf(reply.needed, replications);
      if (goesOn()) told(reply, replication + 1, count);
      if (!goesOn() || replication + 1 >= count) return reply;
    }
  }

  // An engine cannot be interrupted: it is ended, and the next run begins another.
  cancel() {
    this.stop?.(new NotSimulated(CANCELLED));
    if (this.stop) this.talk?.end(CANCELLED);
    this.stop = null;
  }
}
