// The look of a cluster: one of eight colours that people with colour blindness tell apart (after
// Okabe and Ito, and Tol), and one of five shapes. Neighbouring clusters differ in both, and the
// first 40 clusters in at least one; pictures name clusters by number as well.

export type Theme = "light" | "dark";
export type Shape = "circle" | "square" | "triangle" | "diamond" | "cross";

const COLOURS: Record<Theme, readonly string[]> = {
  light: ["#0072b2", "#d55e00", "#00845f", "#b8569a", "#6b3d00", "#3a95d0", "#882255", "#8f8f00"],
  dark: ["#5aaee6", "#f58a42", "#2fc79c", "#e3a0c8", "#ffe08a", "#9cd3f5", "#d17ba6", "#c4c466"],
};
const SHAPES: readonly Shape[] = ["circle", "square", "triangle", "diamond", "cross"];

export const COLOUR_COUNT = 8;

export function colourOf(cluster: number, theme: Theme): string {
  return COLOURS[theme][cluster % COLOUR_COUNT] ?? "#888888";
}

export function shapeOf(cluster: number): Shape {
  return SHAPES[cluster % SHAPES.length] ?? "circle";
}

/** The path of a mark of area pi r^2 around a point. */
export function markPath(shape: Shape, x: number, y: number, r: number): string {
  const s = r * 0.886;
  switch (shape) {
    case "circle":
      return `M${x - r},${y}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0Z`;
    case "square":
      return `M${x - s},${y - s}h${2 * s}v${2 * s}h${-2 * s}Z`;
    case "triangle": {
      const t = r * 1.347;
      return `M${x},${y - t * 1.1547}L${x + t},${y + t * 0.5774}H${x - t}Z`;
    }
    case "diamond": {
      const d = r * 1.2533;
      return `M${x},${y - d}L${x + d},${y}L${x},${y + d}L${x - d},${y}Z`;
    }
    case "cross": {
      const a = r * 0.396;
      const b = 3 * a;
      return (
        `M${x - a},${y - b}h${2 * a}v${b - a}h${b - a}v${2 * a}h${a - b}v${b - a}h${-2 * a}` +
        `v${a - b}h${a - b}v${-2 * a}h${b - a}Z`
      );
    }
  }
}

/** Orange below 0, blue above, the paper at 0; `value` from -1 to 1. */
export function diverging(value: number, theme: Theme): string {
  const ends =
    theme === "dark"
      ? [
          [240, 140, 60],
          [100, 180, 245],
        ]
      : [
          [200, 90, 10],
          [10, 80, 160],
        ];
  const paper = theme === "dark" ? [27, 33, 41] : [250, 250, 250];
  const end = (value < 0 ? ends[0] : ends[1]) ?? paper;
  const part = Math.min(Math.abs(value), 1);
  const channel = (i: number) =>
    Math.round((paper[i] ?? 0) + part * ((end[i] ?? 0) - (paper[i] ?? 0)));
  return `rgb(${channel(0)},${channel(1)},${channel(2)})`;
}
