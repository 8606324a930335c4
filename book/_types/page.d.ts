// The messages between the page's JavaScript and the book's Python. Each description is made by the function named at
// it, for a box of the page; each reply by the class named in Pages.

type Value = number | string; // of a parameter
type State = Record<string, Value>; // by the parameters' names
type Row = Record<string, number | string | null>; // of a chart

interface Refusal {
  refusal: string; // a sentence for the reader
}

interface RefusedState extends Refusal {
  parameter: string | null; // the refused one, if the sentence is about one
}

// ---- An explorer, or an operator's card: tunables/views/explorer.py, describe

interface Bounds {
  low: number;
  high: number;
  scale: 'linear' | 'log';
  integer: boolean;
}

interface Parameter extends Bounds {
  name: string;
  label: string;
  title: string; // the label, with the unit
  unit: string;
  unit_text: string; // as it follows a number
  default: Value;
  origin: string;
  source: string;
  choices: string[]; // empty for a range
  choice_texts?: string[]; // the choices in the reader's words
  hidden?: boolean; // stays at its default
}

interface Case {
  name: string;
  parameters: Parameter[];
  defaults: State;
}

// A run, and how many runs make an interval: tunables/views/simulation.py, describe_simulation
interface SimulationDescription {
  module: string;
  run: string; // its function
  needed: string | null; // the function that says how many runs settings need
  replications: number;
  seed: number;
  highest_seed: number;
  most_runs: number;
}

interface SimulatedCase {
  name: string;
  parameters: Pick<Parameter, 'name' | 'low' | 'high' | 'integer' | 'choices'>[];
  outputs: { name: string; digits: number | null }[];
  predictor: string;
  simulation: SimulationDescription;
}

// An experiment to simulate; assumptions are arguments of the run for which the case has no parameter.
interface Experiment {
  state: State;
  assumptions?: State;
  seed: number;
  replications?: number; // default: as many as the settings need
  against?: Against;
}

// Other settings to compare with, with or without the same random numbers.
interface Against {
  state: State;
  output: string;
  common: boolean;
}

// Results so far of runs at two settings, A, B and B − A: tunables/page/simulation.py
interface ComparisonReport {
  texts: string[];
  verdict: string;
  widths: string[][]; // runs; A's half-width, that times the root of the runs; that of B − A
  points: { x: number; y: number; of: string }[];
}

// The results after a replication.
interface ReplicationReport {
  needed: number;
  intervals: Record<string, [mean: number, half_width: number]>;
  texts: Record<string, string>; // of the intervals
  spoken: Record<string, string>; // the texts with units, for screen readers
  predicted: Record<string, number | null>;
  compared?: ComparisonReport;
}

interface ExplorerDescription extends Case {
  title: string;
  predictor: string; // the module of the closed form
  outputs: { name: string; label: string; unit: string; unit_text: string; digits: number | null }[];
  rows: Published[];
  views: { x: string; y: string; title: string; points: number; domain: [number, number] }[];
  main_outputs: string[]; // shown first
  main_parameters: string[]; // whose controls come first
  simulation?: SimulationDescription; // a card has none
}

interface Published {
  label: string;
  output: string | null; // of the model, if one gives this number
  settings: State;
  value: number;
  resolution: number;
  relation: string; // the document's own
  compared: string; // how a number of the model that agrees compares with it
  side: string; // for a bound of the model: the number is 'at least' or 'at most' the model's; else ''
  published_text: string;
  unit: string;
  digits: number | null;
  status: string;
  remark: string;
  allowed?: [number, number]; // what the model may say, given the digits of the fitted numbers
  allowed_text?: string;
}

// The numbers of a state; its curves are asked for later, piece by piece.
interface Numbers {
  state: State; // as it was understood
  outputs: Record<string, number | string | null>;
  output_texts: Record<string, string>;
  rows: { model: number | null; model_text: string; error_text: string }[];
}

// The curves of the last state; {} while there is more to do.
interface Drawing {
  views?: Record<'curve' | 'here', CurvePoints>[];
}

// ---- A question before its answer: tunables/views/guess.py, guess

interface GuessDescription {
  name: string;
  question: string;
  label: string;
  unit: string;
  unit_text: string;
  value: number;
  relation: string;
  resolution: number;
  standing: string; // what it means that the model gives this number
  remark: string;
  because: string; // why the natural guess is off
  wrong: [number, string][]; // usual wrong guesses, each with its sentence
  rows: { name: string; value: number | null; text: string; error_text: string }[];
}

interface Judgement {
  guess: number;
  off: string; // how far off the guess is, such as "4×"
  side: string; // such as "too low"
  html: string;
}

// ---- A practice box: tunables/views/practice.py, practice_html

interface ProblemName {
  kind: string;
  seed: Value;
}

interface PracticeDescription extends ProblemName {
  chapter: number | string; // a word for problems that belong to no chapter
  longest_seed: number; // in characters
  longest_answer: number;
  small_numbers: number; // the greatest number of a problem drawn at random
  kinds: { name: string; title: string }[];
}

interface Problem extends ProblemName {
  title: string;
  question: string;
  wanted: string; // the unit, and the tolerance
  answer: string;
  steps: string[];
  remark: string;
  link: string;
}

interface Verdict {
  verdict: string;
  sentence: string;
}

// ---- A validity map: tunables/views/validity.py, map_html

interface Axis {
  name: string;
  label: string;
  short: string;
  unit: string;
  unit_text: string;
  values: number[];
  texts: string[];
  assumed: number | null; // the value of a closed form without a parameter for it
}

interface Tolerance {
  low: number;
  high: number;
  usual: number;
}

interface MapDescription {
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
  parameters: (SimulatedCase['parameters'][number] & Pick<Parameter, 'label' | 'unit_text'>)[];
  outputs: { name: string; digits: number | null }[];
  simulation: SimulationDescription;
  signs: Record<string, string>; // of a verdict
  tolerance: Tolerance;
}

interface Verdicts {
  verdicts: string[][];
  sizes: number[][]; // of the misses
  texts: string[][];
  summary: string;
}

// ---- Two settings compared: tunables/views/simulation.py, describe_comparison

interface ComparisonDescription extends SimulatedCase {
  parameters: MapDescription['parameters'];
  defaults: State;
  labels: string[]; // of the outputs
  runs: number;
  varied: { name: string; title: string; a: number; b: number }[]; // parameters that may differ
}

// ---- The ledger: tunables/views/ledger.py, book_lines

// The simulations of the lines: tunables/views/ledger.py, simulations
interface LedgerSimulations {
  cases: Record<string, SimulatedCase & Pick<MapDescription, 'parameters'>>;
  rows: ({ case: string; output: string; state: State } | null)[]; // one per line
}

type LedgerRecord = Record<string, number | string | boolean | null>;

// ---- The audit of a table: tunables/views/audit.py, describe_audit

interface AuditDescription {
  menu: [meaning: string, words: string][];
  samples: { name: string; title: string; text: string }[];
  longest_paste: number; // in characters
  longest_link: number;
}

type AuditVerdict = 'follows' | 'possible' | 'impossible' | 'unchecked';

// A cell that holds a number; row and column are counted from 1, as printed.
interface AuditedCell {
  row: number;
  column: number;
  printed: string;
  verdict: AuditVerdict;
  disputed: boolean; // whether a finding blames another cell of its law
  sentence: string;
  needed: string;
  laws: string[];
  interval: [low: number | null, high: number | null] | null;
}

// One table of a reader's text: tunables/audit/report.py, as_data
interface AuditedTable {
  title: string;
  line: number;
  kind: string;
  heads: string[];
  rows: string[][];
  turned: boolean; // whether its rows are quantities
  columns: { head: string; meaning: string; guessed: boolean; unit: string; p: number | null }[];
  relations: { law: string; read_as: string }[];
  cells: AuditedCell[];
  findings: {
    cells: [row: number, column: number][];
    text: string;
    sentences: string[]; // the first says what is wrong
    other_ways: string; // what else would explain it, "" if nothing would
    assumes: string;
    laws: { name: string; formula: string; source: string }[];
  }[];
  summary: string;
  remarks: string[];
}

interface Audited {
  tables: AuditedTable[];
  headline: string; // what was found, in a sentence
  markdown: string;
}

// ---- Handing in: book/_ext/hand_in.py, hand_in_html

interface HandInDescription {
  chapter: string;
  longest_code: number;
  longest_name: number;
  longest_answer: number;
}

// The problems that a code draws: tunables/page/hand_in.py, reply
interface HandInProblems {
  code: string;
  student: string;
  problems: { kind: string; title: string; question: string; wanted: string }[];
}

// What a page has seen of a student's work: tunables/page/hand_in.py, hand_in_of
interface HandInRecord {
  guesses: [name: string, guess: string][];
  steps: [reached: number, all: number];
  map: boolean;
  own_numbers: boolean;
  answers: Record<string, string>;
}

// ---- The engine

interface Pages {
  'tunables.audit.session:AuditSession': {
    description: object;
    request: { text: string; name: string; chosen: ({ columns: Record<string, string>; turned: boolean | null } | null)[] };
    reply: Audited | Refusal;
  };
  'tunables.page.explorer:ExplorerSession': {
    description: ExplorerDescription;
    request: { state: State } | { draw_s: number };
    reply: Numbers | Drawing | RefusedState;
  };
  'tunables.page.guess:GuessSession': { description: GuessDescription; request: { text: string }; reply: Judgement | Refusal };
  'tunables.page.problem:PracticeSession': {
    description: { chapter: number | string };
    request: ProblemName & { answer?: string };
    reply: Problem | Verdict | Refusal;
  };
  'tunables.page.hand_in:HandInSession': {
    description: { chapter: string };
    request: { code: string } | { code: string; kind: string; answer: string } | { code: string; name: string; record: HandInRecord };
    reply: HandInProblems | { read: true } | { text: string } | Refusal;
  };
  'tunables.page.simulation:SimulationSession': {
    description: SimulatedCase;
    request: { simulate: Experiment & { assumptions: State; replication: number } };
    reply: ReplicationReport | Refusal;
  };
  'tunables.page.animation:AnimationSession': {
    description: Animated;
    request: { play: { settings: State; against?: State | null } };
    reply: Run | Refusal;
  };
  [lab: `tunables.page.labs.${string}:LabSession`]: {
    description: object;
    request: { function: string; arguments: object };
    reply: { answer: any } | Refusal; // of the function: tunables/page/labs/__init__.py
  };
  'tunables.page.validity:ValiditySession': {
    description: MapDescription;
    request: { tolerance: number; cells?: (MapDescription['cells'][number][number] | null)[][] };
    reply: Verdicts | Refusal;
  };
}

type Module = keyof Pages;
type RequestOf<M extends Module> = Pages[M]['request'];
type ReplyOf<M extends Module> = Pages[M]['reply'];

// ---- The host of live parts: a page of the book, or the output of a notebook's cell

// A notebook's host is an object of a class, whose methods need their `this`. Taking one off the object
// (`const { animating } = host`) is a type error.
interface Host {
  // Words for the reader about the engine; hint: what may help when it does not answer.
  engine: { name: string; again: string; hint: string; isUp(): boolean };
  session<M extends Module>(this: Host, module: M, description: Pages[M]['description']): EngineSession<M>;
  simulation(this: Host, description: SimulatedCase): SimulationSession;
  simulates(this: Host, simulation: SimulationDescription): boolean; // whether it runs here
  animating(this: Host, description: Animated): EngineSession<'tunables.page.animation:AnimationSession'>;
  urlState: UrlState;
  prints: boolean; // whether a card can be printed alone
  signal: AbortSignal; // aborted when the part is gone
  follow(this: Host, follower: Follower): void;
  vega(this: Host): Promise<Vega>;
  audit(this: Host): Promise<(section: HTMLElement, host: Host) => unknown>; // what mounts it
}

// A session with a Python class, named "module:Class". A failure is an EngineError.
interface EngineSession<M extends Module> {
  ask(request: RequestOf<M>): Promise<ReplyOf<M>>;
}

interface SimulationSession extends EngineSession<'tunables.page.simulation:SimulationSession'> {
  end(what: string): void; // at once; the next question starts again
}

// The state that outlives a part, by keys such as "rrd.graphs" and "guess.rrd.slowdown".
interface UrlState {
  read(this: UrlState, key: string): string | null;
  readAll(this: UrlState, prefix: string): [name: string, text: string][]; // of each prefix.name
  write(this: UrlState, values: Record<string, Value | null>): void; // null removes one
  address?(section: Element, prefix: string): string; // a link to the section with each prefix.name that is kept
  embedding?(section: Element): (() => string) | null; // the code that shows it in another page
}

// Called for changes from outside: of the state, or a sentence for the reader.
interface Follower {
  moved(): void;
  notify?(sentence: string): void;
}

// The widget's traits in the browser: tunables/views/live.py, Live
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
  on(event: string, act: (value: any) => void): void;
  off(event: string, act: (value: any) => void): void;
}

// A question to the worker; the first of a session describes the session.
interface Question {
  question: number;
  session: number;
  request: object;
  module?: string;
  description?: object;
}

// A chapter's compiled experiments: WebAssembly as base64, and the types of its entries.
interface KernelCode {
  code: string;
  entries: Record<string, { takes: string; returns: string }>;
}

// A part of the Python for the worker: sources by path.
interface SourcePart {
  python: Record<string, string>;
  kernels?: KernelCode;
}

// A message of the worker: that the engine is up, or down and why; which chapter's Python it lacks; a reply, or the
// reason why there is none.
interface Message {
  up?: boolean;
  down?: string;
  lacks?: string;
  question?: number;
  reply?: object;
  failure?: string;
}
