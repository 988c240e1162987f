import { beforeEach, describe, expect, test } from "vitest";
import { renumbered } from "../src/explore/about";
import { Api, type Changed, Refused, type State, type Transport } from "../src/explore/api";
import {
  extentOfPoints,
  middles,
  nearest,
  onGrid,
  onPicture,
  sizesOf,
  toGrid,
  within,
} from "../src/explore/geometry";
import { toggled } from "../src/explore/map";
import { Painter } from "../src/explore/painter";
import type { Frame, Part, PointLayer } from "../src/explore/points";
import { flows, Store, saved } from "../src/explore/store";
import { alluvial, byStrength } from "../src/path_columns";
import { WHOLE, zoomed } from "../src/view";
import { wine } from "./example";

const size = { width: 600, height: 400 };
const square = onGrid(Float32Array.of(0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5));

describe("places", () => {
  test("fill the grid with one scale", () => {
    expect([...square.x]).toEqual([0, 10000, 10000, 0, 5000]);
    const wide = onGrid(Float32Array.of(0, 0, 4, 1));
    expect([...wide.y]).toEqual([3750, 6250]);
    expect([...onGrid(Float32Array.of(3, 3)).x]).toEqual([5000]);
    expect(onGrid(new Float32Array()).x).toHaveLength(0);
  });

  test("come back from the picture, at any zoom", () => {
    const extent = extentOfPoints(square);
    for (const view of [WHOLE, zoomed({ ...WHOLE, x: 3000, y: 7000 }, 3)]) {
      const at = onPicture(view, extent, size, 2500, 6000);
      const again = toGrid(view, extent, size, at);
      expect(again.x).toBeCloseTo(2500);
      expect(again.y).toBeCloseTo(6000);
    }
  });

  test("nearest is within reach or nothing", () => {
    expect(nearest(square, { x: 4800, y: 5100 }, 500)).toBe(4);
    expect(nearest(square, { x: 4000, y: 5100 }, 500)).toBe(-1);
  });
});

describe("a lasso", () => {
  test("takes what is inside, also of shapes with bays", () => {
    const around = (x: number, y: number, r: number) => [
      { x: x - r, y: y - r },
      { x: x + r, y: y - r },
      { x: x + r, y: y + r },
      { x: x - r, y: y + r },
    ];
    expect(within(square, around(5000, 5000, 100))).toEqual([4]);
    expect(within(square, around(5000, 5000, 9000))).toEqual([0, 1, 2, 3, 4]);
    const bay = [
      { x: -10, y: -10 },
      { x: 10010, y: -10 },
      { x: 10010, y: 10010 },
      { x: 5900, y: 10010 },
      { x: 5000, y: 100 },
      { x: 4100, y: 10010 },
      { x: -10, y: 10010 },
    ];
    expect(within(square, bay)).toEqual([0, 1, 2, 3]);
    expect(within(square, bay.slice(0, 2))).toEqual([]);
  });

  test("and shift add and take away", () => {
    expect(toggled([1, 2], 3)).toEqual([1, 2, 3]);
    expect(toggled([1, 2], 1)).toEqual([2]);
  });
});

describe("labels", () => {
  test("have sizes and middles", () => {
    const labels = Int32Array.of(0, 0, 2, 2, 2);
    expect(sizesOf(labels)).toEqual([
      { cluster: 0, size: 2 },
      { cluster: 2, size: 3 },
    ]);
    expect(middles(square, labels, 1)).toEqual([{ cluster: 2, x: 5000, y: 10000 }]);
    expect(sizesOf(Int32Array.of(-1, -1))).toEqual([]);
  });

  test("flow from cluster to cluster", () => {
    expect(flows(Int32Array.of(0, 0, 1, 1), Int32Array.of(0, 1, 2, 2), 1)).toEqual([
      { from: 1, to: 2, objects: 2 },
    ]);
  });

  test("of sections get the numbers of the page", () => {
    const data = renumbered({ numbers: [5, 6, 7], data: wine });
    expect(data.standing?.between[0]).toMatchObject({ cluster: 6, next: 5 });
    expect(data.standing?.outliers[0]).toMatchObject({ cluster: 6, next: -1 });
    expect(data.described?.clusters[0]?.nearest).toBe(6);
    expect(data.blocks?.clusters).toEqual([5, 5, 6, 7]);
  });
});

describe("the alluvial diagram", () => {
  const points = byStrength(wine.path.points);
  const { columns, ribbons } = alluvial(points);

  test("fills every column, and its ribbons fill the blocks", () => {
    expect(columns).toHaveLength(3);
    for (const column of columns) {
      expect(column.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    }
    ribbons.forEach((between, i) => {
      for (const block of columns[i] ?? []) {
        const out = between.filter(({ from }) => from === block);
        expect(out.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(block.share);
        for (const { fromAt } of out) expect(fromAt).toBeGreaterThanOrEqual(block.at - 1e-9);
      }
      for (const block of columns[i + 1] ?? []) {
        const into = between.filter(({ to }) => to === block);
        expect(into.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(block.share);
      }
    });
  });

  test("needs no flows", () => {
    const bare = points.map((point) => ({ ...point, flows: null, numbers: null }));
    expect(alluvial(bare).ribbons.flat()).toEqual([]);
  });
});

// ---- A program that is played ----

const bytes = (values: number[]) => Int32Array.from(values).buffer;
const jsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).buffer;

class Played {
  state: State = {
    version: 0,
    name: "points",
    objects: 4,
    shape: "features",
    asked: null,
    answers: 0,
    undo: null,
    cost: -1,
    strength: 1,
    path: { points: [{ strength: 1, clusters: 2 }], chosen: 0 },
    warnings: [],
  };
  labels = [0, 0, 1, 1];
  asked: [string, unknown][] = [];
  isGone = false;

  readonly transport: Transport = async (path, body) => {
    if (this.isGone) throw new TypeError("Failed to fetch");
    this.asked.push([path, body === undefined ? undefined : JSON.parse(body)]);
    const ok = (reply: ArrayBufferLike) => ({ status: 200, body: reply as ArrayBuffer });
    const [name = ""] = path.split("?");
    if (name === "api/state") return ok(jsonBytes(this.state));
    if (name === "api/places") return ok(Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1).buffer);
    if (name === "api/labels") {
      return ok(
        bytes([this.state.version, ...(path.includes("point") ? [0, 1, 2, 3] : this.labels)]),
      );
    }
    if (name === "api/question") {
      const question = { done: false, a: 0, b: 1, left: "0", right: "1", heading: "", traits: [] };
      return ok(jsonBytes({ ...question, chance: null }));
    }
    const { version } = JSON.parse(body ?? "{}") as { version?: number };
    if (version !== this.state.version) {
      return { status: 409, body: jsonBytes({ error: "changed since" }) as ArrayBuffer };
    }
    this.state = {
      ...this.state,
      version: this.state.version + 1,
      answers: this.state.answers + 1,
      undo: "an answer",
    };
    this.labels = [0, 1, 1, 1];
    const changed: Changed = { ...this.state, changed: [[1, 1]], changed_count: 1, links: 1 };
    return ok(jsonBytes(changed));
  };
}

class Recorded implements PointLayer {
  readonly isWhole = true;
  /** How often each object of the present picture was drawn, by part. */
  drawn: Record<string, number[]> = {};

  constructor(readonly count: number) {}

  setLabels(): void {}
  setMarks(): void {}
  clear(): void {
    this.drawn = { all: [], unmarked: [], marked: [] };
  }
  draw(part: Part, from: number, to: number): void {
    for (let i = from; i < Math.min(to, this.count); ++i) {
      const times = this.drawn[part] ?? [];
      times[i] = (times[i] ?? 0) + 1;
    }
  }
}

describe("the painter", () => {
  const frame = (hasMarks: boolean): Frame => ({
    view: WHOLE,
    extent: { x: [0, 1], y: [0, 1] },
    size,
    ratio: 1,
    theme: "light",
    hasMarks,
  });
  /** Frames of a length that depends on how many objects are drawn. */
  class Clock {
    now = 0;
    frames = 0;
    private work: ((now: number) => void) | null = null;
    next = (work: (now: number) => void) => {
      this.work = work;
      return 1;
    };
    frame(milliseconds: number): boolean {
      const { work } = this;
      this.work = null;
      this.now += milliseconds;
      ++this.frames;
      work?.(this.now);
      return work !== null;
    }
  }
  const drawn = (layer: Recorded, part: Part) => (layer.drawn[part] ?? []).filter(Boolean).length;

  for (const hasMarks of [false, true]) {
    test(`draws every object of a picture that rests, marks ${hasMarks}`, () => {
      const layer = new Recorded(250_001);
      const clock = new Clock();
      let wholes = 0;
      const painter = new Painter(layer, () => ++wholes, clock.next);
      painter.paint(frame(hasMarks));
      clock.frame(16);
      for (const part of hasMarks ? (["unmarked", "marked"] as const) : (["all"] as const)) {
        expect(drawn(layer, part)).toBeGreaterThan(1000);
      }
      while (clock.frame(16));
      for (const part of hasMarks ? (["unmarked", "marked"] as const) : (["all"] as const)) {
        expect(drawn(layer, part)).toBe(250_001);
      }
      if (!hasMarks) expect(Math.max(...(layer.drawn.all ?? []).slice(0, 1000))).toBe(1);
      expect(wholes).toBe(1);
    });
  }

  test("finds a budget that keeps frames short while the map moves, on any machine", () => {
    for (const [perFrame, fixed] of [
      [2_000_000, 4],
      [40_000, 8],
      [10_000, 12],
    ] as const) {
      const layer = new Recorded(1_000_000);
      layer.draw = () => {};
      const clock = new Clock();
      const painter = new Painter(layer, () => {}, clock.next);
      const lengths: number[] = [];
      for (let i = 0; i < 200; ++i) {
        painter.paint(frame(false));
        const length = Math.max(16.7, fixed + (painter.budget / perFrame) * 16);
        clock.frame(length);
        lengths.push(length);
      }
      const late = lengths.slice(50);
      expect([perFrame, late.reduce((a, b) => a + b) / late.length < 33]).toEqual([perFrame, true]);
      if (perFrame > 1_000_000) expect(painter.budget).toBe(1_000_000);
    }
  });

  test("has nothing to do without objects, and stops", () => {
    const clock = new Clock();
    let wholes = 0;
    const painter = new Painter(new Recorded(0), () => ++wholes, clock.next);
    painter.paint(frame(false));
    expect([clock.frame(16), clock.frame(16), wholes]).toEqual([true, false, 1]);
    painter.paint(frame(false));
    painter.stop();
    clock.frame(16);
    expect(wholes).toBe(1);
  });
});

describe("the store", () => {
  let played: Played;
  let store: Store;
  beforeEach(async () => {
    played = new Played();
    store = new Store(new Api(played.transport));
    await store.load();
  });

  test("loads places, labels and a question", () => {
    expect([...store.shown]).toEqual([0, 0, 1, 1]);
    expect(store.model?.points.x).toHaveLength(4);
    expect(store.model?.question).toMatchObject({ a: 0, b: 1 });
  });

  test("takes in what a change moved", async () => {
    await store.answer("different");
    expect(played.asked).toContainEqual([
      "api/answer",
      { a: 0, b: 1, says: "different", version: 0 },
    ]);
    expect([...store.shown]).toEqual([0, 1, 1, 1]);
    expect(store.model?.changed).toEqual([1]);
    expect(store.status).toEqual({
      text: "Saved: an answer; 1 object changed cluster.",
      kind: "saved",
    });
  });

  test("shows what another window did before it changes anything", async () => {
    played.state = { ...played.state, version: 7 };
    played.labels = [3, 3, 3, 3];
    await store.answer("same");
    expect([...store.shown]).toEqual([3, 3, 3, 3]);
    expect(store.status.text).toContain("Another window");
    await store.answer("same");
    expect(store.status.kind).toBe("saved");
  });

  test("says that the program is gone, and keeps what it shows", async () => {
    played.isGone = true;
    await store.answer("same");
    expect(store.status).toMatchObject({ kind: "trouble" });
    expect(store.status.text).toContain("does not reply");
    expect([...store.shown]).toEqual([0, 0, 1, 1]);
    expect(store.busy).toBe(false);
  });

  test("previews a point of the path, and asks for it once", async () => {
    await store.preview(0);
    expect([...store.shown]).toEqual([0, 1, 2, 3]);
    await store.preview(null);
    await store.preview(0);
    expect(played.asked.filter(([path]) => path === "api/labels?point=0")).toHaveLength(1);
    await store.answer("same");
    expect(store.model?.preview).toBeNull();
  });

  test("has nothing to take back at first", async () => {
    await store.undo();
    expect(store.status.text).toContain("nothing to take back");
    expect(played.state.version).toBe(0);
  });

  test("passes on why something was refused", async () => {
    const api = new Api(async () => ({
      status: 400,
      body: jsonBytes({ error: "row 1 and row 2 must be together" }) as ArrayBuffer,
    }));
    await expect(api.json("api/answer", {})).rejects.toEqual(
      new Refused(400, "row 1 and row 2 must be together"),
    );
  });

  test("says what teaching did", () => {
    const reply: Changed = {
      ...played.state,
      undo: "merging clusters 0 and 1",
      changed: null,
      changed_count: 2,
      links: 3,
      followed: false,
    };
    expect(saved(reply, null)).toBe(
      "Saved: merging clusters 0 and 1 by 3 links; 2 objects changed cluster." +
        " The groups do not follow: the links are kept.",
    );
    expect(saved(reply, "an answer")).toContain("took back an answer");
  });
});
