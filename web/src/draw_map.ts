// Draws the objects of the map, and finds the one under a pointer.
import type { ObjectMap } from "./data";
import { colourOf, markPath, shapeOf, type Theme } from "./palette";
import { type Extent, type Size, scaleOf, toPicture, type View } from "./view";

export interface Drawing {
  map: ObjectMap;
  extent: Extent;
  /** The number of each of the labelled clusters, and where it stands. */
  middles: { cluster: number; x: number; y: number }[];
  view: View;
  size: Size;
  theme: Theme;
  /** The cluster that stands out, or null. */
  chosen: number | null;
}

const MOST_NUMBERS = 40;

/** The medians of the positions of the largest clusters. */
export function middlesOf(map: ObjectMap): Drawing["middles"] {
  const members = new Map<number, number[]>();
  map.labels.forEach((label, i) => {
    const list = members.get(label);
    if (list) list.push(i);
    else members.set(label, [i]);
  });
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
  return [...members.entries()]
    .sort(([a], [b]) => a - b)
    .slice(0, MOST_NUMBERS)
    .map(([cluster, list]) => ({
      cluster,
      x: median(list.map((i) => map.x[i] ?? 0)),
      y: median(list.map((i) => map.y[i] ?? 0)),
    }));
}

/** Few objects are drawn large, many small. */
export function radiusOf(objects: number, zoom: number): number {
  const radius = 26 / Math.max(objects, 1) ** 0.26;
  return Math.min(Math.max(radius, 1.6), 5) * Math.min(zoom ** 0.35, 2.5);
}

/** 0, step, 2 step ... modulo n, every number once: no cluster lies on top of all others. */
export function mixedOrder(n: number): number[] {
  let step = Math.max(1, Math.round(n * 0.618));
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  while (divisor(step, n) !== 1 && step > 1) --step;
  return Array.from({ length: n }, (_, i) => (i * step) % n);
}

export function drawMap(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { map, extent, view, size, theme, chosen } = drawing;
  context.clearRect(0, 0, size.width, size.height);
  const scale = scaleOf(view, extent, size);
  const middle = middleOf(extent, view);
  const radius = radiusOf(map.labels.length, view.zoom);
  const marks = new Map<number, Path2D>();
  const drawOne = (i: number) => {
    const label = map.labels[i] ?? 0;
    const at = toPicture(middle, scale, size, map.x[i] ?? 0, map.y[i] ?? 0);
    if (at.x < -9 || at.y < -9 || at.x > size.width + 9 || at.y > size.height + 9) return;
    let mark = marks.get(label);
    if (!mark) {
      mark = new Path2D(markPath(shapeOf(label), 0, 0, radius));
      marks.set(label, mark);
    }
    context.fillStyle = colourOf(label, theme);
    context.translate(at.x, at.y);
    context.fill(mark);
    if (radius >= 3) context.stroke(mark);
    context.translate(-at.x, -at.y);
  };
  const order = mixedOrder(map.labels.length);
  context.strokeStyle = theme === "dark" ? "#12161c" : "#ffffff";
  context.lineWidth = 0.75;
  context.globalAlpha = chosen === null ? 0.85 : 0.12;
  for (const i of order) if (map.labels[i] !== chosen) drawOne(i);
  context.globalAlpha = 0.95;
  if (chosen !== null) for (const i of order) if (map.labels[i] === chosen) drawOne(i);
  context.globalAlpha = 1;
  drawNumbers(context, drawing, middle, scale);
}

/** Zoom 1 shows the middle of what is there. */
function middleOf(extent: Extent, view: View): View {
  if (view.zoom > 1) return view;
  return {
    ...view,
    x: (extent.x[0] + extent.x[1]) / 2,
    y: (extent.y[0] + extent.y[1]) / 2,
  };
}

function drawNumbers(
  context: CanvasRenderingContext2D,
  { middles, size, theme, chosen }: Drawing,
  view: View,
  scale: number,
): void {
  context.font = "700 16px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 5;
  context.lineJoin = "round";
  context.strokeStyle = theme === "dark" ? "#12161c" : "#ffffff";
  context.fillStyle = theme === "dark" ? "#f2f5f9" : "#14181f";
  for (const { cluster, x, y } of middles) {
    if (chosen !== null && cluster !== chosen) continue;
    const at = toPicture(view, scale, size, x, y);
    context.strokeText(String(cluster), at.x, at.y);
    context.fillText(String(cluster), at.x, at.y);
  }
}

/** The object nearest to a point of the picture, at most `within` away; or null. */
export function objectAt(
  { map, extent, view, size }: Drawing,
  point: { x: number; y: number },
  within = 12,
): number | null {
  const scale = scaleOf(view, extent, size);
  const middle = middleOf(extent, view);
  let best: number | null = null;
  let least = within * within;
  for (let i = 0; i < map.labels.length; ++i) {
    const at = toPicture(middle, scale, size, map.x[i] ?? 0, map.y[i] ?? 0);
    const squared = (at.x - point.x) ** 2 + (at.y - point.y) ** 2;
    if (squared < least) {
      least = squared;
      best = i;
    }
  }
  return best;
}
