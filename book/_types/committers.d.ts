// Chapter 1's second stage: commits in the order in which their flushes end, as `play` returns them.
interface CommitColumns {
  delay: number; // ms, as all that is not in microseconds
  flush_ms: number;
  clients: number;
  ms: number; // that the stage shows
  formula: number; // commits a second, by the closed form
  asked_us: number[];
  begun_us: number[];
  ended_us: number[];
  client: number[];
  flush: number[];
}

interface SharedFlush {
  begun: number; // ms
  ended: number;
  clients: number[]; // whose commits it brings to the disk
}

interface Commits extends CommitColumns {
  asked: Float64Array; // ms
  flushes: SharedFlush[];
  flushBegins: Float64Array;
  flushEnds: Float64Array;
  done: number[]; // commits after so many flushes
  begins: Float64Array; // of what may be stepped to; the last is the end
}

interface CommitsState {
  trace: Commits;
  t: number;
  from: number; // of the time that is in view
  now: SharedFlush | null; // the flush under way
  last: SharedFlush[]; // up to four that are done
  held: number; // clients whose flush waits for the delay
  waits: number; // for the flush under way
  done: number; // commits
  rate: number | null; // a second, up to the end of the last flush
}
