// What a stage is made of: the trace that a simulation leaves, and what a drawing is drawn on.
// A description is made by tunables/reader/stage.py, a trace by the run that it names.

interface StageSetting {
  name: string;
  label: string;
  low: number; // of a whole number
  high: number;
  choices: string[]; // empty where it is a number
  choice_texts: string[];
}

// What a reader may do to the machine while it runs.
interface Deed {
  name: string;
  label: string; // of its button
  told: string; // what is said of it afterwards
  range: [number, number] | null; // of its value, null if it takes none
  value: number | null; // that is offered
  unit: string;
}

// A moment worth seeing, which a link leads to.
interface Beat {
  name: string;
  label: string; // of the link
  title: string; // of the picture
  settings: State;
  against: State | null; // of a run beside it, on the same clock
  at: number; // in the machine's measure
  until: number | null; // where a run from there rests
}

// The run, or two, that are to be seen, at a moment of their own or at that which is on.
interface Wanted {
  settings: State;
  against?: State | null;
  at?: number;
  late?: number;
  until?: number | null;
}

// In the machine's measure; late, by the other run, where the first is over.
interface Moment {
  at: number;
  late?: number;
}

interface Staged {
  name: string;
  title: string;
  machine: string; // which drawing
  module: string; // of the run
  given?: State; // what it takes beside the settings
  settings: StageSetting[];
  beats: Beat[]; // the stage opens at the first
  deeds?: Deed[]; // those done are the setting "deeds"
  trace: Columns; // of the first beat
}

// What a run leaves, for the machine that replays it.
type Columns = BatchColumns | ScanColumns | RasterColumns | StormColumns | PortColumns
  | CommitColumns | PipelineColumns | WindowColumns | SliceColumns | SessionColumns;

interface Run {
  trace: Columns;
  against?: Columns; // the run beside it
}

// Chapter 1: what each client does from when on, in the order in which it happens.
interface BatchColumns {
  hypothesis: string;
  clients: number;
  max_delay_s: number;
  timeout_s: number;
  retries: number;
  base_s: number; // each hypothesis has its own
  think_s: number;
  pool_threads: number;
  commit_threads: number;
  seconds: number; // that the stage shows
  formula_s: number; // the response time of the closed form
  exact: boolean; // or an approximation
  mean_s: number; // of all batches, also of those that are not shown
  begin_us: number[];
  client: number[];
  does: number[]; // 0 asks, 1 waits for a thread, 2 works, 3 is held, 4 is answered
  flush: number[]; // that ends what is held, or -1
}

interface Flush {
  at_s: number;
  clients: number[]; // whom it freed
}

interface Batches extends BatchColumns {
  rows: number[][]; // of each client
  begins: Float64Array[]; // of these, in seconds
  begin_s: Float64Array; // of each row
  end_s: Float64Array;
  previous: Int32Array; // the client's row before, or the same
  asked: Int32Array; // the row with which its batch began
  took_s: Float64Array; // its client's last answer, NaN before the first
  answered_s: Float64Array; // each answer's time
  sum_s: Float64Array; // of the response times of so many answers
  flushes: Flush[];
  flushed_s: Float64Array; // their times
  counts: Uint8Array; // five after each row: clients by what they do
  watched_s: Float64Array; // client 1's events, and the end
}

interface BatchesState {
  trace: Batches;
  t: number; // in seconds
  counts: number[]; // clients, by what they do
  rows: number[]; // in which each client is
  answers: number;
  mean_s: number | null; // of these
  recent_s: number | null; // of the last fifty
  flush: Flush | null; // the last
}

// Chapter 3: the run of a cache, a number a request in each column.
interface ScanColumns {
  files: number;
  places: number;
  cost: number; // of a miss, in hits
  formula: number | null; // the slowdown that the closed form gives
  file: number[];
  hit: number[];
  victim: number[]; // -1: nobody left
  place: number[];
}

interface Scan extends ScanColumns {
  length: number; // in requests
  begins: Float64Array; // of each request, in hits; the last is the end
  holds: Int16Array; // each place's file after each request, -1 while it is empty
  used: Int32Array; // the request that used it last
  misses: Int32Array; // from the second scan on, before each request
  nextMiss: Int32Array; // the first from each request on, or -1
}

interface Slot {
  file: number; // -1: empty
  recency: number; // 0 to 1: used just now
  mark: '' | 'hit' | 'read';
}

interface ScanState {
  trace: Scan;
  t: number;
  k: number; // the request, from 0
  file: number;
  hit: boolean;
  part: number; // of the request that is done
  victim: number;
  place: number;
  scan: number; // from 0
  cached: boolean[]; // by file
  slots: Slot[];
  next: { file: number; ahead: number; place: number } | null; // the next miss
  counted: number; // requests since the second scan
  misses: number; // of these
  slowdown: number | null; // over these
}

// What the tape of either of chapter 3's stages shows of a run; an event is a request, or a row.
interface Taped {
  cost: number; // of a miss, in hits
  formula: number | null;
  length: number; // in events
  begins: Float64Array; // of each event, in hits; the last is the end
}

// Chapter 3, second stage: every write of some scans, at the report's size.
interface RasterColumns {
  files: number;
  places: number;
  scans: number;
  cost: number; // of a miss, in hits
  formula: number | null;
  columns: number; // graphs in a row of the picture
  run: number[]; // how many misses, hits, misses, ... follow each other
}

interface Raster extends RasterColumns {
  rows: number; // of a scan's picture
  length: number; // in rows, of all scans
  hit: Uint8Array; // each write
  first: Int32Array; // write of each row, and the end
  begins: Float64Array; // of each row, in hits; the last is the end
  hits: Int32Array; // before each row
}

interface RasterState {
  trace: Raster;
  t: number;
  row: number; // of all scans
  scan: number; // from 0
  done: number; // writes
  here: number; // of these in this scan
  found: number; // of these in the cache
  slowdown: number | null; // since the second scan
}

// Chapter 6: the runs of a loop; times in nanoseconds, a number a run where nothing else is said.
interface SliceColumns {
  quantum: number;
  queues: number;
  formula: number | null; // the mean slice that the closed form gives
  late_formula: number | null; // and the mean lateness of a timer
  length: number[];
  queue: number[];
  items: number[];
  granularity: number[]; // items between two looks, during the run
  looks: number[]; // how many
  look: number[]; // when each was, from the beginning of its run
  due: number[]; // of each timer
  late: number[];
}

interface Slices extends SliceColumns {
  runs: number;
  begins: Float64Array; // of each run; the last is the end
  looksBefore: Float64Array; // each run
  lateBefore: Float64Array; // the lateness of the timers before each, in all
  served: Float64Array; // when each timer was
  longest: number; // run
  widest: number; // granularity
  highest: number; // mean slice so far, ns
}

interface SlicesState {
  trace: Slices;
  t: number;
  done: number; // runs
  since: number; // the beginning of the run that is on
  mean: number | null; // slice so far
  answered: number; // timers
  late: number | null; // mean of these
  waiting: number[]; // when each timer that waits was due
}

// Chapter 6, second stage: keepalives by turns of the sessions, in nanoseconds; the rest in seconds.
interface SessionColumns {
  sessions: number;
  keepalive: number;
  hold: number;
  begin: number; // of the task
  block: number; // how long it takes
  sliced: boolean;
  formula: number; // sessions that the closed form loses
  due: number[];
  sent: number[];
  dropped: number[]; // -1: never
}

interface Sessions extends SessionColumns { // with due, sent and dropped in seconds, Infinity: never
  before: number[]; // each session's last keepalive before the run
  begins: Float64Array; // of the events; the last is the end
}

interface Session {
  left: number; // of its hold time
  waits: number; // how long its keepalive has waited
  dropped: number | null; // when
}

interface SessionsState {
  trace: Sessions;
  t: number;
  all: Session[];
  dropped: number; // how many
}

// Chapter 2: from a time on, the lowest and highest load that sustain themselves, if any does.
type Era = [number, number | null, number | null];

// Chapter 2: a storm, an attempt after the other in each column.
interface StormColumns {
  rate: number; // of new requests, a second
  capacity: number; // requests a second
  timeout: number; // s
  tries: number; // of a client
  end: number; // s
  deeds: [number, string, number | null][]; // time, name, value
  eras: Era[];
  watched: number[]; // attempts of the client that is watched
  gap: number[]; // microseconds since the attempt before was sent
  wait: number[]; // in the line
  service: number[]; // with the server
  fate: string; // a digit each
  tried: string; // which attempt of its client, a digit each
}

interface Storm extends StormColumns {
  begins: Float64Array; // where one stops on the way
  asked: Float64Array; // s
  turn: Float64Array;
  left: Float64Array;
  served: Int32Array; // the attempts that were served at all
  taken: Float64Array; // when their turns came
  done: Float64Array; // and when they were done
  answered: Float64Array; // when those were done who still waited
  again: Float64Array; // when a client asked not for the first time
  seconds: { sent: Int32Array; done: Int32Array; answered: Int32Array };
}

interface Followed {
  sent: number;
  served: number;
  inTime: boolean; // one of these
  gaveUp: number | null; // s
}

interface StormState {
  trace: Storm;
  t: number;
  first: number; // in line, by attempts
  waits: number; // the first in line who is still waited for
  sent: number; // behind the last in line
  now: number; // with the server, or -1
  down: boolean;
  served: number; // in the last seconds
  inTime: number; // of these
  asked: number; // in the same seconds
  again: number; // of these, not for the first time
  followed: Followed | null;
  mean: number | null; // attempts a second under the rules in force
  lowest: number | null; // of the loads that sustain themselves
  highest: number | null;
}

interface Surface {
  put(tag: string, attributes: Record<string, string | number>, text?: string): void;
}

// How whole runs of a stage are drawn, a panel each, for a picture that is made with its stills.
interface Whole<Trace> {
  tall: number; // px, of a panel
  length?(trace: Trace): number; // where panels share a scale; the longest is as wide as the picture
  result(trace: Trace): string; // what came of it, beside its label
  unit: string; // behind that in a sentence
  draw(trace: Trace, width: number, surface: Surface, longest: number): void;
  foot(width: number, surface: Surface, first: Trace): void; // beneath all
}

// One chapter's stage, as pure functions.
interface Machine<Trace, At> {
  prepare(columns: any): Trace;
  state(trace: Trace, t: number): At;
  sentence(state: At): string;
  // Three layers, from below: what a run, a frame, an event changes.
  backdrop(trace: Trace, width: number, height: number, surface: Surface): void;
  moving(state: At, width: number, height: number, surface: Surface): void;
  scene(state: At, width: number, height: number, surface: Surface): void;
  height(width: number): number;
  tape(width: number): { width: number; height: number }; // where time runs, at the foot
  begins(trace: Trace): Float64Array; // the times of the events, and of the end
  measure: string; // of a moment: 'request' or 'second', and how it is turned to and from time
  timeOf(trace: Trace, at: number): number;
  atOf(trace: Trace, t: number): number;
  watches?: string; // the setting that says who is watched
  words: { start: string; event: string }; // of the buttons: to the start; one event on or back
  round(state: At, trace: Trace): number; // when another run is in the same round
  beside?(state: At, trace: Trace): number; // when it is in a run beside; without it, at the same time
  rule(trace: Trace): string; // of the pace
  pace: { each: number; words: string }[]; // time a second, at each speed
}
