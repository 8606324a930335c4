// What the page's JavaScript and the book's Python say to each other. Each description is made by
// the function named at it, for a box of the page; each reply by the Page of the module in Pages.

type Value = number | string; // of a parameter
type State = Record<string, Value>; // by the parameters' names
type Row = Record<string, number | string | null>; // of a chart

interface Refusal {
  refusal: string; // a sentence for the reader
}

// ---- An explorer, or an operator's card: tunables/reader/description.py, describe

interface Bounds {
  low: number;
  high: number;
  scale: 'linear' | 'log';
  whole: boolean;
}

interface Parameter extends Bounds {
  name: string;
  label: string;
  title: string; // the label, with the unit
  unit: string;
  unit_text: string; // as it stands behind a number
  default: Value;
  origin: string;
  source: string;
  choices: string[]; // empty where it has a range
  choice_texts?: string[]; // what a reader sees of the choices
  hidden?: boolean; // stays at its default
}

interface Case {
  name: string;
  parameters: Parameter[];
  defaults: State;
}

// A run and how many make an interval: tunables/reader/simulation.py, describe_simulation
interface Simulated {
  module: string;
  run: string; // its function
  needed: string | null; // the function that says how many runs some settings take
  replications: number;
  seed: number;
  highest_seed: number;
  most_runs: number;
}

interface Simulable {
  name: string;
  parameters: Pick<Parameter, 'name' | 'low' | 'high' | 'whole' | 'choices'>[];
  outputs: { name: string; digits: number | null }[];
  predictor: string;
  simulation: Simulated;
}

// What is simulated; assumptions are arguments of the run that the case has no parameter for.
interface Experiment {
  state: State;
  assumptions?: State;
  seed: number;
  replications?: number; // as many as the settings need, if it is left out
  against?: Against;
}

// Other settings to compare with, and with the same random numbers or not.
interface Against {
  state: State;
  output: string;
  common: boolean;
}

// What runs at two settings tell so far, A, B and B − A: tunables/page/pairs.py, told
interface Told {
  texts: string[];
  verdict: string;
  widths: string[][]; // runs; A's half-width, that times the root of the runs; that of B − A
  points: { x: number; y: number; of: string }[];
}

// What is known after a replication.
interface Replicated {
  needed: number;
  intervals: Record<string, [mean: number, half_width: number]>;
  texts: Record<string, string>; // of the intervals
  predicted: Record<string, number | null>;
  compared?: Told;
}

interface Explored extends Case {
  title: string;
  predictor: string; // the module of the closed form
  outputs: { name: string; label: string; unit: string; unit_text: string; digits: number | null }[];
  rows: Published[];
  views: { x: string; y: string; title: string; points: number; domain: [number, number] }[];
  main_outputs: string[]; // told first
  main_parameters: string[]; // whose controls come first
  simulation?: Simulated; // a card has none
}

interface Published {
  label: string;
  output: string | null; // of the model, if one gives this number
  settings: State;
  value: number;
  resolution: number;
  relation: string;
  published_text: string;
  unit: string;
  digits: number | null;
  status: string;
  remark: string;
  allowed?: [number, number]; // what the model may say, as far as the fitted numbers' digits go
  allowed_text?: string;
}

// The numbers of a state; its curves are asked for afterwards, piece by piece.
interface Numbers {
  state: State; // as it was understood
  outputs: Record<string, number | string | null>;
  output_texts: Record<string, string>;
  rows: { model: number | null; model_text: string; error_text: string }[];
}

// The curves of the state last asked for; {} while there is more to do.
interface Drawing {
  views?: Record<'curve' | 'here', Sampled>[];
}

// ---- A question before its answer: tunables/reader/guess.py, describe_guess

interface Guessed {
  name: string;
  question: string;
  label: string;
  unit: string;
  unit_text: string;
  value: number;
  relation: string;
  resolution: number;
  standing: string; // what it proves that the model gives this number
  remark: string;
  rows: { name: string; value: number | null; text: string; error_text: string }[];
}

interface Judged {
  guess: number;
  html: string;
}

// ---- A practice box: tunables/reader/problem_markup.py, practice_html

interface ProblemName {
  kind: string;
  seed: Value;
}

interface Practised extends ProblemName {
  chapter: number;
  longest_seed: number; // in characters
  longest_answer: number;
  small_numbers: number; // of problems drawn by chance
  kinds: { name: string; title: string }[];
}

interface Problem extends ProblemName {
  title: string;
  question: string;
  wanted: string; // the unit, and how near the answer must come
  answer: string;
  steps: string[];
  remark: string;
  link: string;
}

interface Verdict {
  verdict: string;
  sentence: string;
}

// ---- A validity map: tunables/reader/validity.py, map_html

interface Axis {
  name: string;
  label: string;
  short: string;
  unit: string;
  unit_text: string;
  values: number[];
  texts: string[];
  assumed: number | null; // what the closed form takes, which has no parameter for it
}

interface Tolerance {
  low: number;
  high: number;
  usual: number;
}

interface Mapped {
  name: string;
  title: string;
  x: Axis;
  y: Axis;
  output: string;
  unit: string;
  digits: number | null;
  settings: State; // off the axes
  cells: [closed: number | null, simulated: number, half_width: number][][];
  predictor: string;
  parameters: (Simulable['parameters'][number] & Pick<Parameter, 'label' | 'unit_text'>)[];
  outputs: { name: string; digits: number | null }[];
  simulation: Simulated;
  signs: Record<string, string>; // of a verdict
  tolerance: Tolerance;
}

interface Verdicts {
  verdicts: string[][];
  sizes: number[][]; // of the misses
  texts: string[][];
  summary: string;
}

// ---- Two settings compared: tunables/reader/comparing.py, describe_comparison

interface Comparable extends Simulable {
  parameters: Mapped['parameters'];
  defaults: State;
  labels: string[]; // of the outputs
  runs: number;
  varied: { name: string; title: string; a: number; b: number }[]; // what may differ
}

// ---- The ledger: tunables/reader/ledger_records.py, book_lines

// What the lines simulate: tunables/reader/ledger_page.py, simulations
interface LedgerSimulations {
  cases: Record<string, Simulable & Pick<Mapped, 'parameters'>>;
  rows: ({ case: string; output: string; state: State } | null)[]; // a line each
}

type LedgerRecord = Record<string, number | string | boolean | null>;

// ---- The engine

interface Pages {
  'tunables.page.explorer': {
    description: Explored;
    request: { state: State } | { draw_s: number };
    reply: Numbers | Drawing | Refusal;
  };
  'tunables.page.guessing': { description: Guessed; request: { text: string }; reply: Judged | Refusal };
  'tunables.page.practice': {
    description: { chapter: number };
    request: ProblemName & { answer?: string };
    reply: Problem | Verdict | Refusal;
  };
  'tunables.page.simulating': {
    description: Simulable;
    request: { simulate: Experiment & { assumptions: State; replication: number } };
    reply: Replicated | Refusal;
  };
  'tunables.page.staging': {
    description: Staged;
    request: { play: { settings: State; against?: State | null } };
    reply: Run | Refusal;
  };
  [lab: `tunables.page.labs.${string}`]: {
    description: object;
    request: { call: string; given: object };
    reply: { answer: any } | Refusal; // of the function: tunables/page/labs/answering.py
  };
  'tunables.page.verdict': {
    description: Mapped;
    request: { tolerance: number; cells?: (Mapped['cells'][number][number] | null)[][] };
    reply: Verdicts | Refusal;
  };
}

type Module = keyof Pages;
type Asked<M extends Module> = Pages[M]['request'];
type Replied<M extends Module> = Pages[M]['reply'];

// ---- Where live parts stand: a page of the book, or the output of a notebook's cell

interface Host {
  // How the reader is told of who answers; hint: what may help when nobody does.
  engine: { name: string; again: string; hint: string; isUp(): boolean };
  session<M extends Module>(module: M, description: Pages[M]['description']): Talk<M>;
  simulation(description: Simulable): SimulationTalk;
  simulates(simulation: Simulated): boolean; // here
  staging(description: Staged): Talk<'tunables.page.staging'>;
  entries: Entries;
  prints: boolean; // a card alone, on paper
  signal: AbortSignal; // the part is gone
  follow(follower: Follower): void;
  vega(): Promise<Vega>;
}

// A talk with the class Page of a Python module; rejects with an EngineError.
interface Talk<M extends Module> {
  ask(request: Asked<M>): Promise<Replied<M>>;
}

interface SimulationTalk extends Talk<'tunables.page.simulating'> {
  end(what: string): void; // at once; the next question begins anew
}

// What outlives the part, by keys such as "rrd.graphs" and "guess.rrd.slowdown".
interface Entries {
  readEntry(key: string): string | null;
  readEntries(prefix: string): [name: string, text: string][]; // of each prefix.name
  writeEntries(entries: Record<string, Value | null>): void; // null takes one out
  address?(section: Element): string; // a link to the section with all that is kept
}

// Told of what comes from outside: other entries, or a sentence for the reader.
interface Follower {
  moved(): void;
  told?(sentence: string): void;
}

// The widget's traits in the browser: tunables/reader/live.py, Live
interface Traits {
  markup: string;
  entries: Record<string, Value>;
  notice: string;
}

interface Model {
  get<K extends keyof Traits>(name: K): Traits[K];
  set<K extends keyof Traits>(name: K, value: Traits[K]): void;
  save_changes(): void;
  send(message: object): void;
  on(event: string, act: (heard: any) => void): void;
  off(event: string, act: (heard: any) => void): void;
}

// A question to the worker; the first of a session tells what it is about.
interface Question {
  question: number;
  session: number;
  request: object;
  module?: string;
  description?: object;
}

// A chapter's compiled experiments: WebAssembly as base64, and what its entries take and return.
interface KernelCode {
  code: string;
  entries: Record<string, { takes: string; returns: string }>;
}

// What the worker is given to know, by paths.
interface Taught {
  python: Record<string, string>;
  kernels?: KernelCode;
}

// What the worker says: that the engine is up, or down and why; which chapter's Python it lacks; or
// a reply, or why there is none.
interface Heard {
  up?: boolean;
  down?: string;
  lacks?: string;
  question?: number;
  reply?: object;
  failure?: string;
}
