// The shift path as columns of a picture: one per strength, divided by the sizes of its clusters.
import type { PathPoint } from "./data";

/** Strengths next to each other at which the number of clusters is the same. */
export interface Plateau {
  first: number;
  last: number;
  clusters: number;
}

/** All plateaus of two strengths or more, from weak to strong. */
export function plateausOf(points: readonly PathPoint[]): Plateau[] {
  const plateaus: Plateau[] = [];
  points.forEach((point, i) => {
    const before = plateaus.at(-1);
    if (before && before.clusters === point.clusters) before.last = i;
    else plateaus.push({ first: i, last: i, clusters: point.clusters });
  });
  return plateaus.filter((plateau) => plateau.last > plateau.first);
}

/** The path from weak to strong: from few clusters to many. */
export function byStrength(points: readonly PathPoint[]): PathPoint[] {
  return [...points].sort((a, b) => a.strength - b.strength);
}

/** The shares of the clusters of a point, the rest last. */
export function sharesOf(point: PathPoint): number[] {
  const all = point.sizes.reduce((sum, size) => sum + size, point.other_objects);
  const shares = point.sizes.map((size) => size / all);
  return point.other_objects > 0 ? [...shares, point.other_objects / all] : shares;
}

export function chosenPoint(points: readonly PathPoint[], strength: number): number {
  let best = 0;
  points.forEach((point, i) => {
    const distance = Math.abs(point.strength - strength);
    if (distance < Math.abs((points[best]?.strength ?? 0) - strength)) best = i;
  });
  return best;
}
