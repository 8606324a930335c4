// An explorer's chart: what it shows, and what it is drawn from.

type Sampled = { x: number; y: number | null }[]; // from left to right; null: beyond all numbers

interface Axes {
  parameter: Bounds & { unit: string };
  domain: [number, number]; // of y
  unit: string;
}

interface Frame {
  width: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: ((value: number) => number) & { invert(px: number): number };
  y: (value: number) => number;
  xs: { value: number; x: number; middle: number; text: string }[]; // no text where it would touch
  ys: { value: number; text: string }[];
  yUnit: string;
  yFactor: number;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Word {
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
  text: string;
}

// A published number in a chart.
interface Evidence {
  x: number;
  y: number;
  low: number; // of the interval that rounds to it
  high: number;
  allowed: [number, number] | null; // what the model may say of it
  way: -1 | 0 | 1; // a bound: the value lies below or above
  holds: boolean; // its conditions are those of the curve
  text: string; // its name
  short: string; // what its conditions have that the curve's have not
  told: string; // all that is known of it
}

interface KeptCurve {
  state: State;
  points: Sampled;
}

interface Simulation {
  x: number;
  y: number;
  low: number;
  high: number;
  text: string;
}

// All that a chart shows at a moment.
interface Plotted {
  axes: Axes;
  curve: Sampled;
  here: { x: number; y: number | null } | null;
  kept: { points: Sampled; text: string }[];
  text: string; // the present curve, beside those that are kept
  evidence: Evidence[];
  simulated: Simulation[];
  reading: number | null; // where the crosshair stands
  unit: string; // of y, as it is shown
  say: (value: number | null) => string; // of y
}
