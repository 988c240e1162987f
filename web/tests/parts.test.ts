import { describe, expect, test } from "vitest";
import { bandsOf, betweenClusters } from "../src/block_values";
import { readData } from "../src/data";
import { middlesOf, mixedOrder, objectAt } from "../src/draw_map";
import { colourOf, diverging, markPath, shapeOf, type Theme } from "../src/palette";
import { byStrength, chosenPoint, plateausOf, sharesOf } from "../src/path_columns";
import { extentOf, moved, scaleOf, WHOLE, zoomed } from "../src/view";
import { wine } from "./example";

const map = wine.map ?? expect.fail("the example has a map");
const size = { width: 600, height: 400 };

describe("the map", () => {
  test("draws every object once, in a mixed order", () => {
    for (const n of [0, 1, 2, 7, 100, 20000]) {
      const order = mixedOrder(n);
      expect(new Set(order).size).toBe(n);
    }
  });

  test("finds the object under a pointer", () => {
    const extent = extentOf(map.x, map.y);
    const drawing = {
      map,
      extent,
      middles: middlesOf(map),
      view: WHOLE,
      size,
      theme: "light" as Theme,
      chosen: null,
    };
    const scale = scaleOf(WHOLE, extent, size);
    const at = { x: 300 - 5000 * scale, y: 200 - 5000 * scale };
    expect(objectAt(drawing, at)).toBe(0);
    expect(objectAt(drawing, { x: 1, y: 1 }, 2)).toBeNull();
  });

  test("stays where it is when nothing is enlarged", () => {
    expect(moved(WHOLE, 0.1, 50, 50)).toEqual(WHOLE);
    const large = zoomed(WHOLE, 4);
    expect(large.zoom).toBe(4);
    expect(moved(large, 0.1, 50, 0).x).toBe(4500);
    expect(zoomed(large, 1 / 100)).toEqual(WHOLE);
  });

  test("writes numbers at medians of the positions", () => {
    expect(middlesOf(map).map(({ cluster }) => cluster)).toEqual([0, 1, 2]);
  });
});

describe("marks", () => {
  test("of the first 40 clusters differ", () => {
    const marks = new Set<string>();
    for (let k = 0; k < 40; ++k) marks.add(colourOf(k, "light") + shapeOf(k));
    expect(marks.size).toBe(40);
    expect(shapeOf(0)).not.toBe(shapeOf(1));
    expect(markPath(shapeOf(4), 0, 0, 3)).not.toContain("NaN");
  });

  test("stand out from the paper", () => {
    const paper = { light: "#ffffff", dark: "#12161c" };
    for (const theme of ["light", "dark"] as const) {
      for (let k = 0; k < 8; ++k) {
        expect(contrast(colourOf(k, theme), paper[theme])).toBeGreaterThan(3);
      }
    }
  });

  // Brettel, Vienot and Mollon by the matrices of Machado et al. (2009), severity 1.
  test("differ for people with colour blindness, in colour or in shape", () => {
    const views = {
      protan: [0.152, 1.053, -0.205, 0.115, 0.786, 0.099, -0.004, -0.048, 1.052],
      deutan: [0.367, 0.861, -0.228, 0.28, 0.673, 0.047, -0.012, 0.043, 0.969],
    };
    const cases = Object.values(views).flatMap((matrix) =>
      (["light", "dark"] as const).map((theme) => ({ matrix, theme })),
    );
    for (const { matrix, theme } of cases) {
      for (let a = 0; a < 10; ++a) {
        for (let b = 0; b < a; ++b) {
          const x = seen(colourOf(a, theme), matrix);
          const y = seen(colourOf(b, theme), matrix);
          const distance = Math.hypot(...x.map((value, i) => value - (y[i] ?? 0)));
          expect(distance > 0.06 || shapeOf(a) !== shapeOf(b), `${a} and ${b}, ${theme}`).toBe(
            true,
          );
        }
      }
    }
  });
});

describe("the path", () => {
  const points = byStrength(wine.path.points);

  test("goes from weak to strong", () => {
    expect(points.map((point) => point.strength)).toEqual([0.5, 1, 4]);
    expect(chosenPoint(points, 4)).toBe(2);
  });

  test("has a plateau where the number stays", () => {
    expect(plateausOf(points)).toEqual([{ first: 1, last: 2, clusters: 3 }]);
  });

  test("divides every column as a whole", () => {
    for (const point of points) {
      expect(sharesOf(point).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
    }
    expect(sharesOf({ ...wine.path.points[0], sizes: [1], other_objects: 3 } as never)).toEqual([
      0.25, 0.75,
    ]);
  });
});

describe("the matrix of similarities", () => {
  const blocks = wine.blocks ?? expect.fail("the example has blocks");

  test("covers its side", () => {
    const bands = bandsOf(blocks);
    expect((bands.at(-1)?.at ?? 0) + (bands.at(-1)?.size ?? 0)).toBeCloseTo(1);
  });

  test("gives the similarities between clusters back", () => {
    const table = betweenClusters(blocks, 12);
    expect(table.map(({ cluster }) => cluster)).toEqual([0, 1, 2]);
    expect(table[1]?.means[1]).toBeCloseTo(2 * 0.7 ** 2);
    expect(table[0]?.means[2]).toBeLessThan(0);
    expect(table[0]?.means[2]).toBeCloseTo(table[2]?.means[0] ?? Number.NaN);
  });

  test("has colours of both signs", () => {
    expect(diverging(0, "light")).not.toBe(diverging(1, "light"));
    expect(diverging(-1, "dark")).not.toBe(diverging(1, "dark"));
  });
});

test("data are read from the page as text", () => {
  document.body.innerHTML = `<script type="application/json" id="report-data">{"about":{"title":"\\u003cb\\u003e"}}</script>`;
  expect(readData(document).about.title).toBe("<b>");
});

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = channels(colour);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function seen(colour: string, matrix: number[]): number[] {
  const from = channels(colour);
  return [0, 3, 6].map((row) =>
    from.reduce((sum, value, i) => sum + value * (matrix[row + i] ?? 0), 0),
  );
}
