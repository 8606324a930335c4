// Draws chapter 5's stage: a row a stage, from the log at CERN down to the copy. Left what waits for
// it, a mark for each hundredth of all records; right the stage, its rate, and how busy it is.
import { HIT, INK, MISS, MODEL, SOFT } from './colours.js';
import { MARKS, marksOf, the } from './pipeline-state.js';
import { grouped } from '../quantity.js';
import { TAPE_HEIGHT } from './pipeline-tape.js';
import { px } from './surface.js';

const NARROW = 400; // px, as a phone is
const FIRST = 4, ROWS = 5;
const LINES = 2, A_LINE = MARKS / LINES; // marks
const WIDEST = 8; // from mark to mark
const GAUGE = 4, HATCH = 4;

/** @param {number} width */
function plan(width) {
  const narrow = width < NARROW, box = narrow ? 132 : 156;
  const left = width - box - 1, pitch = Math.min(WIDEST, (left - 10) / A_LINE);
  const row = narrow ? 34 : 43, tall = row - (narrow ? 4 : 7); // of a stage's box
  const lines = { first: tall * 0.37, second: tall * 0.75 }; // of its words
  return { box, tall, left, pitch, row, ...lines, y: (/** @type {number} */ n) => FIRST + n * row };
}

/** @typedef {ReturnType<typeof plan>} Plan */

/** @param {Pipeline} trace */
export const rowsOf = ({ stages }) => stages.length + 1;

/** @param {number} width */
export const height = (width) => FIRST + ROWS * plan(width).row + TAPE_HEIGHT;

/** The first line of a stage's box.
 * @param {Pipeline} trace @param {number} width @param {Surface} surface */
export function boxes({ stages, rates }, width, surface) {
  const at = plan(width);
  for (const [j, stage] of stages.entries()) {
    const name = { x: at.left + 6, y: at.y(j) + at.first, 'font-size': 12, 'font-weight': 700, fill: INK };
    surface.put('text', name, stage[0].toUpperCase() + stage.slice(1));
    const rate = { x: at.left + at.box - 6, y: name.y, 'font-size': 12, 'text-anchor': 'end', fill: SOFT };
    surface.put('text', rate, `${grouped(rates[j])}/s`);
    const middle = at.left + at.box / 2, foot = at.y(j) + at.tall + 1;
    surface.put('path', { d: `M${middle - 4} ${foot}h8l-4 3z`, fill: SOFT });
  }
}

/** Marks in lines that end at the stage; the last is as wide as what there is of it.
 * @param {number} marks @param {number} y @param {Plan} at */
function pile(marks, y, { left, pitch, row }) {
  const tall = row < 40 ? 6 : 7, line = tall + 2;
  let made = '';
  for (let n = 0; n < marks; n += 1) {
    const wide = (pitch - (pitch > 6 ? 2 : 1.4)) * Math.min(1, marks - n);
    const right = left - 7 - Math.floor(n / LINES) * pitch;
    made += `M${px(right - wide)} ${px(y + (n % LINES) * line)}h${px(wide)}v${tall}h${-px(wide)}z`;
  }
  return made || 'M0 0';
}

/** Slanted lines across a part of a gauge. @param {number} x @param {number} wide @param {number} y */
function hatched(x, wide, y) {
  let made = '';
  for (let at = 0; at + GAUGE <= wide; at += HATCH) made += `M${px(x + at)} ${y + GAUGE}l${GAUGE} ${-GAUGE}`;
  return made || 'M0 0';
}

/** How busy a stage is: full at work, hatched while blocked, hollow while it has nothing to do.
 * @param {PipelineState} state @param {number} j @param {Plan} at @param {Surface} surface */
function gauge({ works }, j, at, surface) {
  const { busy, blocked, slowest } = works[j], x = at.left, y = at.y(j) + at.tall - GAUGE;
  const work = at.box * busy, hold = at.box * blocked;
  surface.put('rect', { x, y, width: px(work), height: GAUGE, fill: MODEL });
  surface.put('path', { d: hatched(x + work, hold, y), stroke: MISS, 'stroke-width': 1.5 });
  const frame = { x, y: at.y(j), width: at.box, height: at.tall, rx: 3, fill: 'none' };
  surface.put('rect', { ...frame, stroke: slowest ? INK : SOFT, 'stroke-width': slowest ? 2 : 1 });
  const line = { x: at.left + 6, y: at.y(j) + at.second, 'font-size': 12, fill: slowest ? INK : SOFT };
  surface.put('text', line, `${slowest ? 'slowest,' : 'busy'} ${Math.round(100 * busy)} %`);
}

/** @param {PipelineState} state @param {number} j @param {number} marks */
function words({ trace: { stages } }, j, marks) {
  if (j === 0) return `${marks} in the log`;
  return j === stages.length ? `✓ ${marks} done` : `${marks} for ${the(stages[j])}`;
}

/** @param {PipelineState} state @param {number} width @param {Surface} surface */
export function machine(state, width, surface) {
  const { trace, where } = state, at = plan(width), last = rowsOf(trace) - 1;
  for (const [j, count] of where.entries()) {
    const y = at.y(j), marks = marksOf(trace, count), fill = j === last ? HIT : SOFT;
    const line = { x: 0, y: y + at.first, 'font-size': 13, 'font-weight': marks ? 600 : 400, fill: marks ? INK : SOFT };
    surface.put('text', line, words(state, j, marks));
    surface.put('path', { d: pile((count * MARKS) / trace.batches, y + at.first + 4, at), fill });
    if (j < last) gauge(state, j, at, surface);
  }
}

/** What a mark is. @param {number} width @param {Pipeline} trace @param {Surface} surface */
export function key(width, trace, surface) {
  const at = plan(width), y = at.y(rowsOf(trace) - 1) + at.first;
  const line = { x: at.left + at.box, y, 'font-size': 12, 'text-anchor': 'end', fill: SOFT };
  surface.put('text', line, `of ${MARKS} marks`);
}
