// What the labs that run in the page share: book/_static/labs/frame.js.

// A lab's worker as one script: gzipped, as base64, with its WebAssembly if it has any.
interface Packed {
  script: string;
  wasm?: string;
}

// What the page gives to a lab's script, book/_static/labs/NAME/lab.js.
interface LabTools {
  law(): LawTalk;
  loadScript(path: string): Promise<unknown>;
  place(path: string): string;
  fromDisk: boolean;
  guess(): number | null; // the reader's, if there is one
}

// A talk with tunables/page/labs/NAME.py.
interface LawTalk {
  ask(request: { call: string; given: object }): Promise<{ answer: any } | Refusal>;
  end(what: string): void;
}

// What a lab's worker says: something on the way, and what it ends with.
interface Worked {
  told?: any;
  done?: any;
  failure?: string;
}
