// What the program puts into the page (src/page/page.cpp), section by section.

export interface Sizes {
  sizes: number[];
  other_clusters: number;
  other_objects: number;
}

export interface About {
  title: string;
  shape: "features" | "similarity" | "distance" | "graph";
  objects: number;
  columns: number | null;
  similarity: string;
  distance: string;
  metric: string;
  scale: string;
  scale_reason: string;
  cost: number | null;
  stop_reason: string;
  version: string;
  seed: string;
  command: string;
}

export interface Clusters extends Sizes {
  asked: number | null;
  found: number;
}

export interface Warning {
  code: string;
  text: string;
}

export interface Agreement {
  voters: number;
  agreeing: number;
  score: number;
  contested: number;
}

/** Positions are whole numbers from 0 to 10,000; names are row numbers where there are none. */
export interface ObjectMap {
  kind: "column" | "columns" | "components" | "neighbors";
  /** Names of the columns that are the axes; may be empty. */
  axes: string[];
  x: number[];
  y: number[];
  labels: number[];
  names?: string[];
}

export interface PathPoint extends Sizes {
  strength: number;
  clusters: number;
  criterion: number;
  agreement: number;
  /** Of the clusters of `sizes`; they keep their numbers along the path as far as possible. */
  numbers: number[] | null;
  /** [place in sizes, place in those of the next point, objects]; the place after the last is all
   * other clusters. */
  flows: [number, number, number][] | null;
}

export interface Path {
  kind: string;
  strength: number;
  constant: number | null;
  points: PathPoint[];
  judged: { clusters: number; length: number; score: number }[];
}

/** Groups of objects of one cluster each (-1: of several), and how alike they are on average. */
export interface Blocks {
  clusters: number[];
  sizes: number[];
  largest: number | null;
  /** groups x groups, from -1000 to 1000, growing with the square root. */
  means: number[];
}

export interface Contrast {
  name: string;
  measure: "median" | "mean" | "share";
  /** .2 is small, .5 medium, .8 large; above 0: more in the cluster. */
  effect: number;
  inside: number;
  outside: number;
}

export interface Description {
  exemplars: string[];
  cohesion: number;
  nearest: number | null;
  support: number | null;
  columns: Contrast[];
}

export interface Standing {
  name: string;
  cluster: number;
  next: number;
  share: number;
}

export interface Standings {
  judged: number;
  is_sample: boolean;
  between: Standing[];
  between_count: number;
  outliers: Standing[];
  outlier_count: number;
  singles: number;
}

export interface Classes {
  names: string[];
  classes: number;
  table: number[][];
  ami: number;
  ari: number;
  v_measure: number;
  homogeneity: number;
  completeness: number;
}

export interface ReportData {
  about: About;
  clusters: Clusters;
  warnings: Warning[];
  agreement: Agreement | null;
  map: ObjectMap | null;
  described: { is_sample: boolean; clusters: Description[] } | null;
  blocks: Blocks | null;
  path: Path;
  standing: Standings | null;
  classes: Classes | null;
}

export const GRID = 10_000;

export function readData(page: Document): ReportData {
  const text = page.getElementById("report-data")?.textContent ?? "";
  return JSON.parse(text) as ReportData;
}
