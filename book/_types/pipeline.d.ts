// Chapter 5's stage: the run of a pipeline, by stage and then by batch, as its `play` returns it.
interface PipelineColumns {
  site: string;
  compress: string;
  room: string; // 'steady': each batch takes the same time; else they vary, and so many may wait
  lcrs: number; // records in all
  batches: number; // that they are sent in
  stages: string[];
  rates: number[]; // of the stages, by the closed form, in records a second
  departed_ms: number[]; // when each batch leaves each stage
  served_ms: number[] | null; // when its work there is done; null: then
}

// One stage's part of it, a number a batch, in seconds.
interface PipelinePart {
  begun: Float64Array;
  served: Float64Array;
  departed: Float64Array;
  worked: Float64Array; // on the batches before each
  held: Float64Array; // by these, once they were done
}

interface Pipeline extends PipelineColumns {
  parts: PipelinePart[];
  begins: Float64Array; // when each mark is done, from the start
  end: number;
  pace: number; // of the slowest stage
  closed: number; // the seconds that it takes
}

interface PipelineState {
  trace: Pipeline;
  t: number;
  where: number[]; // batches before each stage and in it, and done
  works: { busy: number; blocked: number; slowest: boolean }[]; // shares of the last while, by stage
  done: number; // batches
  soFar: number | null; // records a second
}
