// Which part of the map is seen: grid positions to points of the picture, and back.
import { GRID } from "./data";

export interface View {
  /** Grid units in the middle of the picture. */
  x: number;
  y: number;
  /** How many times the whole map is enlarged. */
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

export const WHOLE: View = { x: GRID / 2, y: GRID / 2, zoom: 1 };
const MARGIN = 18;
const MOST_ZOOM = 200;

export interface Extent {
  x: [number, number];
  y: [number, number];
}

export function extentOf(xs: readonly number[], ys: readonly number[]): Extent {
  const extent: Extent = { x: [GRID, 0], y: [GRID, 0] };
  for (let i = 0; i < xs.length; ++i) {
    const x = xs[i] ?? 0;
    const y = ys[i] ?? 0;
    extent.x = [Math.min(extent.x[0], x), Math.max(extent.x[1], x)];
    extent.y = [Math.min(extent.y[0], y), Math.max(extent.y[1], y)];
  }
  return extent;
}

/** Points of the picture for one grid unit: the whole map fits, and both axes have one scale. */
export function scaleOf(view: View, extent: Extent, { width, height }: Size): number {
  const wide = Math.max(extent.x[1] - extent.x[0], 1);
  const high = Math.max(extent.y[1] - extent.y[0], 1);
  const fit = Math.min((width - 2 * MARGIN) / wide, (height - 2 * MARGIN) / high);
  return Math.max(fit, 1e-6) * view.zoom;
}

export function toPicture(view: View, scale: number, size: Size, x: number, y: number) {
  return {
    x: size.width / 2 + (x - view.x) * scale,
    y: size.height / 2 - (y - view.y) * scale,
  };
}

export function moved(view: View, scale: number, right: number, down: number): View {
  return bounded({ ...view, x: view.x - right / scale, y: view.y + down / scale });
}

export function zoomed(view: View, factor: number): View {
  return bounded({ ...view, zoom: view.zoom * factor });
}

function bounded(view: View): View {
  const zoom = Math.min(Math.max(view.zoom, 1), MOST_ZOOM);
  if (zoom === 1) return WHOLE;
  const within = (value: number) => Math.min(Math.max(value, 0), GRID);
  return { x: within(view.x), y: within(view.y), zoom };
}
