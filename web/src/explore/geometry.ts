// Objects on the map: where they are, which of them a pointer or a lasso means.
import { GRID } from "../data";
import { type Extent, type Size, scaleOf, toPicture, type View } from "../view";

export interface Points {
  x: Float32Array;
  y: Float32Array;
}

export interface Point {
  x: number;
  y: number;
}

/** Pairs of coordinates to the grid that views are of, with one scale for both axes. */
export function onGrid(places: Float32Array): Points {
  const n = places.length >> 1;
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < n; ++i) {
    const x = places[2 * i] ?? 0;
    const y = places[2 * i + 1] ?? 0;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < bottom) bottom = y;
    if (y > top) top = y;
  }
  const unit = Math.max(right - left, top - bottom);
  const factor = unit > 0 ? GRID / unit : 0;
  const x = new Float32Array(n);
  const y = new Float32Array(n);
  for (let i = 0; i < n; ++i) {
    x[i] = GRID / 2 + ((places[2 * i] ?? 0) - (left + right) / 2) * factor;
    y[i] = GRID / 2 + ((places[2 * i + 1] ?? 0) - (bottom + top) / 2) * factor;
  }
  return { x, y };
}

export function extentOfPoints({ x, y }: Points): Extent {
  const range = (values: Float32Array): [number, number] => {
    let low = GRID;
    let high = 0;
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return [low, high];
  };
  return { x: range(x), y: range(y) };
}

/** The view with the middle of what is there in the middle, where all of it is shown. */
export function centred(view: View, extent: Extent): View {
  if (view.zoom > 1) return view;
  return { ...view, x: (extent.x[0] + extent.x[1]) / 2, y: (extent.y[0] + extent.y[1]) / 2 };
}

/** From a point of the picture to the grid. */
export function toGrid(view: View, extent: Extent, size: Size, point: Point): Point {
  const scale = scaleOf(view, extent, size);
  const middle = centred(view, extent);
  return {
    x: middle.x + (point.x - size.width / 2) / scale,
    y: middle.y - (point.y - size.height / 2) / scale,
  };
}

export function onPicture(view: View, extent: Extent, size: Size, x: number, y: number): Point {
  return toPicture(centred(view, extent), scaleOf(view, extent, size), size, x, y);
}

/** The object nearest to a place on the grid, at most `within` away; -1: none. */
export function nearest({ x, y }: Points, at: Point, within: number): number {
  let best = -1;
  let least = within * within;
  for (let i = 0; i < x.length; ++i) {
    const right = (x[i] ?? 0) - at.x;
    const up = (y[i] ?? 0) - at.y;
    const squared = right * right + up * up;
    if (squared < least) {
      least = squared;
      best = i;
    }
  }
  return best;
}

/** The objects within a polygon on the grid, by the rule of even and odd. */
export function within({ x, y }: Points, polygon: readonly Point[]): number[] {
  if (polygon.length < 3) return [];
  const xs = polygon.map((point) => point.x);
  const ys = polygon.map((point) => point.y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const inside: number[] = [];
  for (let i = 0; i < x.length; ++i) {
    const u = x[i] ?? 0;
    const v = y[i] ?? 0;
    if (u >= left && u <= right && v >= bottom && v <= top && holds(xs, ys, u, v)) inside.push(i);
  }
  return inside;
}

function holds(xs: number[], ys: number[], u: number, v: number): boolean {
  let odd = false;
  for (let i = 0, j = xs.length - 1; i < xs.length; j = i++) {
    const [x1, y1, x2, y2] = [xs[i] ?? 0, ys[i] ?? 0, xs[j] ?? 0, ys[j] ?? 0];
    if (y1 > v !== y2 > v && u < ((x2 - x1) * (v - y1)) / (y2 - y1) + x1) odd = !odd;
  }
  return odd;
}

const MOST_JUDGED = 60_000;

/** The medians of the positions of the largest clusters, of a sample where there are many. */
export function middles(
  { x, y }: Points,
  labels: Int32Array,
  most: number,
): { cluster: number; x: number; y: number }[] {
  const step = Math.max(1, Math.floor(labels.length / MOST_JUDGED));
  const members = new Map<number, number[]>();
  for (let i = 0; i < labels.length; i += step) {
    const label = labels[i] ?? -1;
    if (label < 0) continue;
    const list = members.get(label);
    if (list) list.push(i);
    else members.set(label, [i]);
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
  return [...members.entries()]
    .sort(([a, one], [b, other]) => other.length - one.length || a - b)
    .slice(0, most)
    .map(([cluster, list]) => ({
      cluster,
      x: median(list.map((i) => x[i] ?? 0)),
      y: median(list.map((i) => y[i] ?? 0)),
    }));
}

/** Clusters and their sizes, by number. */
export function sizesOf(labels: Int32Array): { cluster: number; size: number }[] {
  const sizes: number[] = [];
  for (const label of labels) if (label >= 0) sizes[label] = (sizes[label] ?? 0) + 1;
  const list: { cluster: number; size: number }[] = [];
  sizes.forEach((size, cluster) => {
    if (size > 0) list.push({ cluster, size });
  });
  return list;
}
