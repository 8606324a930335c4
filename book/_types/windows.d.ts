// Chapter 5's second stage: the windows of connections, round by round, as its `play` returns them.
interface WindowSide {
  site: string;
  rtt_s: number;
  first: number; // the round that is on as the span begins
  windows: number[]; // in segments, of each round
  events: number[]; // 1: a loss, 2: slow start, 3: both
  rate: number; // by the closed form, in records a second
}

interface WindowColumns {
  law: string;
  first_s: number;
  span_s: number;
  lcrs_a_segment: number;
  sides: WindowSide[];
}

interface Windows extends WindowColumns {
  begins: Float64Array; // of the rounds of the last side, since the span began
  ceiling: number; // of the axis, in segments
}

interface WindowSideState {
  side: WindowSide;
  k: number; // the round, among those of the span
  window: number;
  slowStart: boolean;
  losses: number; // so far
  soFar: number | null; // records a second since the span began
}

interface WindowState {
  trace: Windows;
  t: number; // since the span began
  sides: WindowSideState[];
}
