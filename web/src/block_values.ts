// Values of the matrix of similarities.
import type { Blocks } from "./data";

/** From -1 to 1, growing with the square root of the similarity. */
export function cellOf({ clusters, means }: Blocks, row: number, column: number): number {
  return (means[row * clusters.length + column] ?? 0) / 1000;
}

/** Where each group lies on a side of length 1. */
export function bandsOf({ sizes }: Blocks): { group: number; at: number; size: number }[] {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  let at = 0;
  return sizes.map((size, group) => {
    const band = { group, at, size: size / all };
    at += band.size;
    return band;
  });
}

/** Mean similarities of the first clusters. */
export function betweenClusters(
  blocks: Blocks,
  most: number,
): { cluster: number; means: number[] }[] {
  const clusters = [...new Set(blocks.clusters)].filter((cluster) => cluster >= 0).slice(0, most);
  const groups = clusters.map((cluster) =>
    blocks.clusters.flatMap((of, group) => (of === cluster ? [group] : [])),
  );
  const mean = (rows: number[], columns: number[]) => {
    let sum = 0;
    let pairs = 0;
    for (const row of rows) {
      for (const column of columns) {
        const value = cellOf(blocks, row, column);
        const weight = (blocks.sizes[row] ?? 0) * (blocks.sizes[column] ?? 0);
        sum += weight * Math.sign(value) * value ** 2 * (blocks.largest ?? 0);
        pairs += weight;
      }
    }
    return pairs > 0 ? sum / pairs : 0;
  };
  return clusters.map((cluster, a) => ({
    cluster,
    means: groups.map((columns) => mean(groups[a] ?? [], columns)),
  }));
}
