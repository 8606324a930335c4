// What other scripts define: bundles that are loaded later, and packages without types.

type Vega = typeof import('../_bundle/vega.js');

declare const vega: Vega; // by vega.js

declare var tunablesVega: Promise<Vega> | undefined; // shared by all widgets of a notebook

declare module '*.css' {
  const style: string;
  export default style;
}

declare var tunablesBegun: { worker: Worker; events: Event[] } | undefined; // by engine/begin.js, in a page's head
declare var tunablesLoaded: Map<string, Promise<unknown>> | undefined; // scripts of the page by path: engine/files.js
declare var tunablesKept: { script: string; wasm: string } | undefined; // by engine/files.js, once the page is idle
declare var tunablesEngine: { script: string; wasm: string }; // by engine-from-disk.js
declare var tunablesPython: Record<string, Record<string, string>>; // by python/*.js, by part

declare var tunablesLaws: Record<string, Record<string, string>>; // by laws/*.js, by lab
declare var tunablesLabs: Record<string, { open(section: HTMLElement, tools: LabTools): void }>; // by labs/*.js
declare var tunablesPacks: Record<string, Packed>; // by labs/*-worker.js, by lab

declare var tunablesAudit: typeof import('../_static/audit/page.js'); // by audit.js

declare var tunablesSimulations: Record<string, SourcePart>; // by simulations/*.js, by chapter

declare module '@micropython/micropython-webassembly-pyscript/micropython.mjs' {
  interface MicroPython {
    FS: { mkdir(path: string): void; writeFile(path: string, text: string): void };
    registerJsModule(name: string, module: Record<string, (...values: any[]) => unknown>): void;
    runPython(source: string): void;
    pyimport(module: string): Record<string, (description: string) => { reply(request: string): string }>;
  }
  export function loadMicroPython(options: { url: string }): Promise<MicroPython>;
}

interface VegaView {
  data(name: string, rows: Row[]): VegaView;
  runAsync(): Promise<VegaView>;
  finalize(): VegaView;
}

declare module 'vega-view' {
  interface Options { renderer: 'svg'; container: Element; hover: boolean; expr: object }
  export const View: new (runtime: object, options: Options) => VegaView;
}

declare module 'vega-parser' {
  export function parse(spec: object, config: object, options: { ast: boolean }): object;
}

declare module 'vega-interpreter' {
  export const expressionInterpreter: object;
}

declare module 'vega-dataflow' {
  export const transforms: Record<string, unknown>;
}

declare module 'vega-encode';
declare module 'vega-transforms';
declare module 'vega-view-transforms';

declare function toggleFullScreen(): void; // the theme's

// Sphinx's, on the search page.
type Found = [name: string, title: string, anchor: string, about: string | null, score: number, file: string];
declare const Documentation: { TRANSLATIONS: Record<string, string> };
declare const Scorer: { score: (found: Found) => number };
declare const Stemmer: new () => { stemWord(word: string): string };
declare const stopwords: string[];
declare var splitQuery: (query: string) => string[];
declare const Search: {
  _parseQuery(query: string): [query: string, ...sets: Set<string>[]];
  htmlToText(html: string, anchor: string): string;
  performObjectSearch(object: string, terms: Set<string>): Found[];
  makeSearchSummary(html: string, words: Set<string>, anchor: string): Element;
};

declare module 'd3-array' {
  export function ticks(start: number, stop: number, count: number): number[];
  export function nice(start: number, stop: number, count: number): [number, number];
}
