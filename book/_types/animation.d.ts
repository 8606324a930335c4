// The contract between an animation's frame and its renderers. A description is written by
// tunables/views/animation.py, a trace by the run that it names; each renderer has the types of its own trace.

interface AnimationSetting {
  name: string;
  label: string;
  low: number; // of an integer
  high: number;
  choices: string[]; // empty for an integer
  choice_texts: string[];
}

// What a reader may do to a run while it goes on.
interface Intervention {
  name: string;
  label: string; // of its button
  sentence: string; // what is said afterwards
  range: [number, number] | null; // of its value, null if it takes none
  value: number | null; // the default
  unit: string;
}

// A moment worth seeing, with a link to it.
interface Bookmark {
  name: string;
  label: string; // of the link
  title: string; // of the picture
  settings: State;
  against: State | null; // of a run beside it, on the same clock
  at: number; // in the renderer's measure
  since: number | null; // from where a link plays into it
}

// One run or two to be shown, at a moment of their own or at the current one.
interface Wanted {
  settings: State;
  against?: State | null;
  at?: number;
  late?: number;
  until?: number; // where a run from there pauses
}

// In the renderer's measure; late is counted in the other run, once the first is over.
interface Moment {
  at: number;
  late?: number;
}

interface Animated {
  name: string;
  title: string;
  renderer: string; // its name
  module: string; // of the run
  given?: State; // arguments of the run besides the settings
  settings: AnimationSetting[];
  bookmarks: Bookmark[]; // the animation opens at the first
  deeds?: Intervention[]; // those done are the setting "deeds"
  trace: object; // of the first bookmark
}

interface Run {
  trace: object;
  against?: object; // the run beside it
}

interface Surface {
  put(tag: string, attributes: Record<string, string | number>, text?: string): void;
}

// How whole runs of an animation are drawn, a panel each, in a picture drawn with the stills.
interface Overview<Trace> {
  tall: number; // px, of a panel
  length?(trace: Trace): number; // if panels share a scale; the longest is as wide as the picture
  result(trace: Trace): string; // the result of the run, beside its label
  unit: string; // after the result in a sentence
  draw(trace: Trace, width: number, surface: Surface, longest: number): void;
  foot(width: number, surface: Surface, first: Trace): void; // below all panels
}

// A number of the run, large above the machine; the drawing repeats none of them.
interface Figure {
  label: string; // what it is, in words: "misses from scan 2 on"
  short?: string; // the label on a phone, two or three words
  value: string;
  unit?: string; // after the value, small: "s", "of 13"
  tone?: 'hit' | 'miss' | 'model' | 'wait' | 'held' | 'work';
}

// One animation, as pure functions.
interface Renderer<Trace, At> {
  prepare(columns: any): Trace;
  state(trace: Trace, t: number): At;
  sentence(state: At): string;
  figures?(state: At): Figure[]; // two to four, the same ones at every moment of a run
  // Three layers, from the bottom: what changes with the run, with each frame, with each event.
  backdrop(trace: Trace, width: number, height: number, surface: Surface): void;
  moving(state: At, width: number, height: number, surface: Surface): void;
  scene(state: At, width: number, height: number, surface: Surface): void;
  height(width: number): number;
  tape(width: number): { width: number; height: number }; // the time axis at the foot
  begins(trace: Trace): Float64Array; // the times of the events, and of the end
  measure: string; // of a moment: 'request' or 'second', with its conversion to and from time
  timeOf(trace: Trace, at: number): number;
  atOf(trace: Trace, t: number): number;
  watches?: string; // the setting that chooses the watched client or user
  words: { start: string; event: string }; // on the buttons: to the start; one event on or back
  round(state: At, trace: Trace): number; // the time at which another run is in the same round
  beside?(state: At, trace: Trace): number; // the time in a run beside it; without it, the same time
  rule(trace: Trace): string; // of the pace
  pace: { each: number; words: string }[]; // time per second, at each speed
}
