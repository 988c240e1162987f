import type { ReportData } from "../src/data";

/** A small report of every part. */
export const wine: ReportData = {
  about: {
    title: "wine.csv",
    shape: "features",
    objects: 178,
    columns: 13,
    similarity: "neighbors",
    distance: "",
    metric: "euclidean",
    scale: "standard",
    scale_reason: "halves of the columns agree more",
    cost: 299.57,
    stop_reason: "converged",
    version: "0.1.0",
    seed: "0",
    command: "shiftcut cluster wine.csv -k 3",
  },
  clusters: { asked: 3, found: 3, sizes: [63, 59, 56], other_clusters: 0, other_objects: 0 },
  warnings: [{ code: "unstable_number", text: "No number of clusters is stable." }],
  agreement: { voters: 26, agreeing: 9, score: 0.7, contested: 4 },
  map: {
    kind: "neighbors",
    axes: [],
    x: [0, 5000, 10000, 2000],
    y: [10000, 0, 5000, 9000],
    labels: [0, 1, 2, 0],
  },
  path: {
    kind: "auto",
    strength: 4,
    constant: null,
    points: [
      point(
        4,
        [63, 59, 56],
        [0, 1, 2],
        [
          [0, 0, 63],
          [1, 0, 7],
          [1, 1, 52],
          [2, 1, 8],
          [2, 2, 48],
        ],
      ),
      point(
        1,
        [70, 60, 48],
        [0, 1, 2],
        [
          [0, 0, 70],
          [1, 0, 50],
          [1, 1, 10],
          [2, 1, 48],
        ],
      ),
      point(0.5, [120, 58], [0, 2], null),
    ],
    judged: [],
  },
  described: {
    is_sample: false,
    clusters: [
      {
        exemplars: ["20", "7"],
        cohesion: 0.94,
        nearest: 1,
        support: 0.9,
        columns: [
          { name: "proline", measure: "median", effect: 2.4, inside: 1095, outside: 560 },
          { name: "hue", measure: "median", effect: -0.6, inside: 0.7, outside: 1 },
        ],
      },
      { exemplars: [], cohesion: 0.8, nearest: null, support: null, columns: [] },
    ],
  },
  blocks: {
    clusters: [0, 0, 1, 2],
    sizes: [31, 32, 59, 56],
    largest: 2,
    means: [1000, 900, -100, -200, 900, 800, 0, -100, -100, 0, 700, 50, -200, -100, 50, 600],
  },
  standing: {
    judged: 178,
    is_sample: false,
    between: [{ name: "73", cluster: 1, next: 0, share: 0.93 }],
    between_count: 4,
    outliers: [{ name: "121", cluster: 1, next: -1, share: 0.1 }],
    outlier_count: 1,
    singles: 0,
  },
  classes: {
    names: ["1", "2", "3"],
    classes: 3,
    table: [
      [59, 0, 0],
      [4, 59, 8],
      [0, 0, 48],
    ],
    ami: 0.8,
    ari: 0.81,
    v_measure: 0.8,
    homogeneity: 0.8,
    completeness: 0.8,
  },
};

function point(
  strength: number,
  sizes: number[],
  numbers: number[],
  flows: [number, number, number][] | null,
) {
  return {
    strength,
    clusters: sizes.length,
    sizes,
    other_clusters: 0,
    other_objects: 0,
    criterion: 0.1,
    agreement: 0.9,
    numbers,
    flows,
  };
}
