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

export interface Block {
  /** The place among the sizes of the point; the one after the last is all other clusters. */
  place: number;
  /** The cluster; null: several. */
  cluster: number | null;
  share: number;
  /** Where it begins, from 0 to 1. */
  at: number;
}

export interface Ribbon {
  /** Of the column it leaves, and of the next. */
  from: Block;
  to: Block;
  /** Where it begins in both, and how wide it is. */
  fromAt: number;
  toAt: number;
  share: number;
}

export interface Alluvial {
  columns: Block[][];
  /** Between each column and the next. */
  ribbons: Ribbon[][];
}

/** Flows into a column from the weaker one: the program lists points from strong to weak, and the
 * flows stand at the stronger one. */
const flowsInto = (point: PathPoint): [number, number, number][] =>
  (point.flows ?? []).map(([strong, weak, objects]) => [weak, strong, objects]);

/** Columns of blocks, each ordered so that ribbons cross little; points are from weak to strong. */
export function alluvial(points: readonly PathPoint[]): Alluvial {
  const columns: Block[][] = [];
  const ribbons: Ribbon[][] = [];
  points.forEach((point, p) => {
    const before = points[p - 1];
    const flows = before ? flowsInto(point) : [];
    const left = columns[p - 1] ?? [];
    const shares = sharesOf(point);
    const all = point.sizes.reduce((sum, size) => sum + size, point.other_objects);
    const middle = (place: number) => {
      let sum = 0;
      let weight = 0;
      for (const [from, to, objects] of flows) {
        const block = left.find((one) => one.place === from);
        if (to !== place || !block) continue;
        sum += objects * (block.at + block.share / 2);
        weight += objects;
      }
      return weight > 0 ? sum / weight : place;
    };
    const order = shares
      .map((share, place) => ({ share, place, key: before ? middle(place) : place }))
      .sort((a, b) => a.key - b.key || a.place - b.place);
    let at = 0;
    const column = order.map(({ share, place }) => {
      const cluster = place < point.sizes.length ? (point.numbers?.[place] ?? null) : null;
      const block = { place, cluster, share, at };
      at += share;
      return block;
    });
    columns.push(column);
    if (before) ribbons.push(ribbonsOf(flows, left, column, all));
  });
  return { columns, ribbons };
}

function ribbonsOf(
  flows: [number, number, number][],
  left: Block[],
  right: Block[],
  all: number,
): Ribbon[] {
  const rank = (column: Block[], place: number) => column.findIndex((one) => one.place === place);
  const leaves = left.map(({ at }) => at);
  const enters = right.map(({ at }) => at);
  const list = flows
    .map(([from, to, objects]) => ({ a: rank(left, from), b: rank(right, to), objects }))
    .filter(({ a, b }) => a >= 0 && b >= 0)
    .sort((one, other) => one.a - other.a || one.b - other.b)
    .map(({ a, b, objects }) => {
      const share = objects / all;
      const fromAt = leaves[a] ?? 0;
      leaves[a] = fromAt + share;
      return { a, b, share, fromAt };
    });
  return list
    .sort((one, other) => one.b - other.b || one.a - other.a)
    .flatMap(({ a, b, share, fromAt }) => {
      const toAt = enters[b] ?? 0;
      enters[b] = toAt + share;
      const [from, to] = [left[a], right[b]];
      return from && to ? [{ from, to, fromAt, toAt, share }] : [];
    });
}
