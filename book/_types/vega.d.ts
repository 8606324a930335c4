// Of a Vega specification, compiled from Vega-Lite, what the page reads or changes.

interface SpecAxis {
  orient: string;
  title?: string | string[] | { signal: string };
  labelFlush?: boolean;
}

interface SpecLegend {
  stroke?: string; // the name of a scale, as are the three below
  fill?: string;
  shape?: string;
  strokeDash?: string;
  columns?: number;
}

interface Spec {
  title?: { text: string | string[] };
  height?: number | { signal: string };
  data: { name: string; values?: Row[] }[];
  scales: { name: string; domain: string[] | object }[];
  axes?: SpecAxis[];
  legends?: SpecLegend[];
  config?: { legend?: object };
}

type Datasets = Record<string, Row[]>;
