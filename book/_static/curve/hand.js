// The hand on a chart: by mouse, touch and keys. Dragging moves the marker; pointing reads the curve.
import { isDirect, STEPS, toPosition, toValue } from '../controls.js';
import { valueAt } from './scales.js';

const PAGE = 10; // positions of a slider

/**
 * What a chart does for the hand.
 * @typedef {object} Chart
 * @property {SVGSVGElement} svg
 * @property {Parameter} parameter
 * @property {Frame | null} plot
 * @property {number | null} reading
 * @property {() => number} x the marker's
 * @property {(x: number | null) => void} read
 * @property {(x: number, ends?: boolean) => void} set
 * @property {(x: number, y: number) => void} point
 */

/**
 * @param {number} now
 * @param {number} steps
 * @param {Bounds} bounds
 */
function moved(now, steps, bounds) {
  if (isDirect(bounds)) return Math.min(bounds.high, Math.max(bounds.low, now + steps));
  return toValue(Math.min(STEPS, Math.max(0, toPosition(now, bounds) + steps)), bounds);
}

/**
 * Where a key leads.
 * @param {string} key
 * @param {number} now
 * @param {Bounds} bounds
 */
export function keyed(key, now, bounds) {
  /** @type {Record<string, number>} */
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: PAGE, PageDown: -PAGE };
  if (key === 'Home') return bounds.low;
  if (key === 'End') return bounds.high;
  return key in steps ? moved(now, steps[key], bounds) : null;
}

/** One pointer on a chart. */
class Pointer {
  /** @param {Chart} chart */
  constructor(chart) {
    this.chart = chart;
    this.drags = false;
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button) return;
    this.drags = true;
    this.chart.svg.setPointerCapture(event.pointerId);
    this.move(event);
  }

  /** @param {PointerEvent} event */
  move({ clientX, clientY, pointerType }) {
    const { chart, drags } = this;
    if (!chart.plot || !(drags || pointerType === 'mouse')) return;
    const { left, top } = chart.svg.getBoundingClientRect();
    const x = valueAt(chart.plot, chart.parameter, clientX - left);
    if (drags) chart.set(x);
    chart.point(clientX - left, clientY - top);
    chart.read(x);
  }

  // A finger that is gone points at nothing.
  up() {
    if (this.drags) this.chart.set(this.chart.x(), true);
    this.drags = false;
  }

  leave() {
    if (!this.drags) this.chart.read(null);
  }
}

/** @param {Chart} chart */
export function listen(chart) {
  const { svg } = chart, pointer = new Pointer(chart);
  svg.addEventListener('pointerdown', (event) => pointer.down(event));
  svg.addEventListener('pointermove', (event) => pointer.move(event));
  svg.addEventListener('pointerup', (event) => {
    pointer.up();
    if (event.pointerType !== 'mouse') pointer.leave();
  });
  svg.addEventListener('pointercancel', () => {
    pointer.up();
    pointer.leave();
  });
  svg.addEventListener('pointerleave', () => pointer.leave());
  svg.addEventListener('blur', () => pointer.leave());
  listenToKeys(chart);
}

/** @param {Chart} chart */
function listenToKeys(chart) {
  const { svg, parameter } = chart;
  svg.addEventListener('focus', () => {
    if (svg.matches(':focus-visible')) chart.read(chart.x());
  });
  svg.addEventListener('keydown', (event) => {
    const now = chart.reading ?? chart.x();
    const to = keyed(event.key, now, parameter);
    if (to !== null) chart.read(to);
    else if (event.key === 'Enter') chart.set(now, true);
    else if (event.key === 'Escape') chart.read(null);
    else return;
    event.preventDefault();
  });
}
