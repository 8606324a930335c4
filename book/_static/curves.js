// The curves of an explorer's charts: drawn piece by piece after the numbers of a state.
const PIECE_S = 0.004; // work on the curves between two looks at the controls
const SLOW_MS = 12; // an answer that takes longer than this
const PAUSE_MS = 120; // of the hand, before such a model's curves are drawn

/** @typedef {import('./asker.js').Asker<'tunables.page.explorer'>} ExplorerAsker */

export class Curves {
  /**
   * @param {ExplorerAsker} asker
   * @param {{ asked: object | null, took_ms: number }} engine that is asked for numbers, which go first
   * @param {import('./curve/chart.js').Chart[]} charts
   */
  constructor(asker, engine, charts) {
    this.asker = asker;
    this.engine = engine;
    this.charts = charts;
    /** @type {object | null} */
    this.drawing = null; // the turn that draws, or was broken off by a question for numbers
  }

  // Draws the curves of the state last answered, and stops for a slider that has moved on.
  async draw() {
    const turn = {};
    this.drawing = turn;
    // A point of a slow model's curve would keep the next answer waiting: the hand must rest first.
    if (this.engine.took_ms > SLOW_MS) await new Promise((rest) => setTimeout(rest, PAUSE_MS));
    while (this.drawing === turn && !this.engine.asked) await this.drawPiece(turn);
  }

  /** @param {object} turn */
  async drawPiece(turn) {
    const reply = await this.asker.ask({ draw_s: PIECE_S });
    if (this.drawing !== turn) return;
    if (!reply) this.drawing = null;
    else if ('views' in reply) {
      reply.views?.forEach(({ curve }, index) => this.charts[index].showCurve(curve));
      this.drawing = null;
    }
  }

  // A question that was refused broke the drawing off.
  resume() {
    if (this.drawing) this.draw();
  }
}
