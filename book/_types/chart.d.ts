// An explorer's chart: what it shows, and how it is drawn.

type CurvePoints = { x: number; y: number | null }[]; // from left to right; null is infinity

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
  xs: { value: number; x: number; middle: number; text: string }[]; // no text if it would overlap
  ys: { value: number; text: string }[];
  yUnit: string;
  yFactor: number;
}

interface Ring {
  x: number;
  y: number;
  radius: number;
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
  allowed: [number, number] | null; // what the model may say
  way: -1 | 0 | 1; // a bound: the value is below or above
  holds: boolean; // whether its conditions are those of the curve
  text: string; // its name
  details: string; // in a sentence
}

interface KeptCurve {
  state: State;
  points: CurvePoints;
}

interface SimulatedPoint {
  x: number;
  y: number;
  low: number;
  high: number;
  text: string;
}

// The content of a chart at a moment.
interface ChartContent {
  axes: Axes;
  curve: CurvePoints;
  here: { x: number; y: number | null } | null;
  kept: { points: CurvePoints; text: string }[];
  text: string; // the name of the present curve beside kept ones
  evidence: Evidence[];
  simulated: SimulatedPoint[];
  reading: number | null; // x of the crosshair
  unit: string; // of y, as it is shown
  say: (value: number | null) => string; // of y
}
