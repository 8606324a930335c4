// What the labs that run in the page share: book/_static/labs/frame.js.

// A lab's worker as one script: gzipped, as base64, with its WebAssembly if it has any.
interface Packed {
  script: string;
  wasm?: string;
}

// What the page gives to a lab's script, book/_static/labs/NAME/lab.js.
interface LabTools {
  law(): LawSession;
  loadScript(path: string): Promise<unknown>;
  place(path: string): string;
  fromDisk: boolean;
  guess(): number | null; // the reader's, or null
}

// A session with tunables/page/labs/NAME.py.
interface LawSession {
  ask(request: { function: string; arguments: object }): Promise<{ answer: any } | Refusal>;
  end(what: string): void;
}

// A message of a lab's worker: a note on the way, the final answer, or a failure.
interface WorkerMessage {
  note?: any;
  done?: any;
  failure?: string;
}
