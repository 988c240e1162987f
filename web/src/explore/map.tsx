// The map of the explorer: a layer of points, and what is drawn over it.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { keyed, pointIn, Tip, useBox, ZoomButtons } from "../map_parts";
import { Name } from "../name";
import { count } from "../numbers";
import { useColours } from "../theme";
import { moved, type Size, scaleOf, type View, WHOLE, zoomed } from "../view";
import {
  extentOfPoints,
  middles,
  nearest,
  onPicture,
  type Point,
  toGrid,
  within,
} from "./geometry";
import { Painter } from "./painter";
import { type PointLayer, pointLayer } from "./points";
import type { Model, Store } from "./store";

const NUMBERS = 40;
const REACH = 12;

type Tool = "select" | "move";

/** What a pressed pointer does. */
type Drag =
  | { kind: "lasso"; path: Point[] }
  | { kind: "pan" }
  | { kind: "carry"; to: Point }
  | null;

const sizeIn = (element: HTMLElement): Size => ({
  width: Math.max(element.clientWidth, 160),
  height: Math.max(element.clientHeight, 160),
});

function marksOf(model: Model, labels: Int32Array, marks: Uint8Array): boolean {
  marks.fill(0);
  const stand = (objects: readonly number[]) => {
    for (const i of objects) marks[i] = 1;
    return objects.length > 0;
  };
  if (model.chosen !== null) {
    for (let i = 0; i < labels.length; ++i) marks[i] = labels[i] === model.chosen ? 1 : 0;
    return true;
  }
  return stand(model.changed) || stand(model.selection);
}

export function MapPanel({ store, model }: { store: Store; model: Model }): JSX.Element {
  const { points, state } = model;
  const labels = store.shown;
  const theme = useColours();
  const [box, size] = useBox(sizeIn);
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<PointLayer | null>(null);
  const painter = useRef<Painter | null>(null);
  const [view, setView] = useState<View>(WHOLE);
  const [tool, setTool] = useState<Tool>("select");
  const [drag, setDrag] = useState<Drag>(null);
  const [under, setUnder] = useState<{ object: number; at: Point } | null>(null);
  const [isWhole, setWhole] = useState(true);
  const extent = useMemo(() => extentOfPoints(points), [points]);
  const numbers = useMemo(() => middles(points, labels, NUMBERS), [points, labels]);
  const marks = useMemo(() => new Uint8Array(state.objects), [state.objects]);
  const scale = scaleOf(view, extent, size);
  const ratio = Math.min(window.devicePixelRatio || 1, 2);

  useEffect(() => {
    if (!canvas.current) return;
    const element = canvas.current;
    layer.current = pointLayer(element, points);
    setWhole(layer.current?.isWhole ?? true);
    if (!layer.current) return;
    painter.current = new Painter(layer.current, () => {
      element.dataset.drawn = String(state.objects);
      performance.mark("drawn");
    });
    return () => painter.current?.stop();
  }, [points]);
  useEffect(() => layer.current?.setLabels(labels), [labels, points]);
  const hasMarks = useMemo(() => {
    const has = marksOf(model, labels, marks);
    layer.current?.setMarks(marks);
    return has;
  }, [model.chosen, model.changed, model.selection, labels, marks]);
  useEffect(() => layer.current?.setMarks(marks), [points, hasMarks]);
  useEffect(() => {
    delete canvas.current?.dataset.drawn; // until all are drawn again
    painter.current?.paint({ view, extent, size, ratio, theme, hasMarks });
  }, [
    view,
    extent,
    size,
    ratio,
    theme,
    hasMarks,
    labels,
    model.selection,
    model.changed,
    model.chosen,
  ]);

  const pointOf = (event: { clientX: number; clientY: number }) => pointIn(box.current, event);
  const objectAt = (at: Point) =>
    nearest(points, toGrid(view, extent, size, at), REACH / Math.max(scale, 1e-9));

  const onDown = (event: PointerEvent) => {
    if (event.button === 2) return;
    const at = pointOf(event);
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    setUnder(null);
    if (tool === "move" || event.button === 1) {
      setDrag({ kind: "pan" });
      return;
    }
    const object = objectAt(at);
    const carries = object >= 0 && model.selection.includes(object) && model.preview === null;
    setDrag(carries ? { kind: "carry", to: at } : { kind: "lasso", path: [at] });
  };
  const onMove = (event: PointerEvent) => {
    const at = pointOf(event);
    if (drag?.kind === "pan") setView(moved(view, scale, event.movementX, event.movementY));
    else if (drag?.kind === "lasso") setDrag({ kind: "lasso", path: [...drag.path, at] });
    else if (drag?.kind === "carry") setDrag({ kind: "carry", to: at });
    else {
      const object = objectAt(at);
      setUnder(object < 0 ? null : { object, at });
    }
  };
  const onUp = (event: PointerEvent) => {
    const at = pointOf(event);
    setDrag(null);
    if (drag?.kind === "carry") {
      const target = objectAt(at);
      const cluster = target < 0 ? -1 : (labels[target] ?? -1);
      if (cluster >= 0 && !model.selection.includes(target)) {
        store.change("api/move", { objects: model.selection, cluster });
      } else if (target >= 0) {
        store.explain(target);
      }
      return;
    }
    if (drag?.kind !== "lasso") return;
    const [begin] = drag.path;
    const isClick = drag.path.every(
      (point) => Math.hypot(point.x - (begin?.x ?? 0), point.y - (begin?.y ?? 0)) < 4,
    );
    if (isClick) {
      const object = objectAt(at);
      if (object < 0) {
        store.select([]);
      } else if (event.shiftKey) {
        store.select(toggled(model.selection, object));
      } else {
        store.select([object]);
        store.explain(object);
      }
      return;
    }
    const polygon = drag.path.map((point) => toGrid(view, extent, size, point));
    const inside = within(points, polygon);
    store.select(event.shiftKey ? [...new Set([...model.selection, ...inside])] : inside);
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const at = pointOf(event);
    const before = toGrid(view, extent, size, at);
    const next = zoomed(view, Math.exp(-event.deltaY / 400));
    if (next.zoom === 1) {
      setView(WHOLE);
      return;
    }
    const after = toGrid(next, extent, size, at);
    setView({ ...next, x: next.x + before.x - after.x, y: next.y + before.y - after.y });
  };
  const onKey = (event: KeyboardEvent) => {
    const next = keyed(view, scale, event);
    if (next) setView(next);
    else if (event.key === "Escape") store.select([]);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    const element = canvas.current;
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  });

  const nameOf = (object: number) =>
    model.rows?.rows.find((row) => row.object === object)?.name ?? `object ${object}`;
  const asked = model.question && !model.question.done ? model.question : null;
  const ring = (object: number, text: string) => {
    const at = onPicture(view, extent, size, points.x[object] ?? 0, points.y[object] ?? 0);
    return (
      <g key={text} class="ring">
        <circle cx={at.x} cy={at.y} r="9" />
        {text !== "" && (
          <text x={at.x + 12} y={at.y < 24 ? at.y + 20 : at.y - 8}>
            {text}
          </text>
        )}
      </g>
    );
  };
  return (
    <section class="map-panel" aria-labelledby="map-title">
      <h2 id="map-title" class="hidden">
        Map
      </h2>
      <div class="map-tools">
        <div class="switch" role="group" aria-label="What dragging does">
          <button type="button" aria-pressed={tool === "select"} onClick={() => setTool("select")}>
            Select
          </button>
          <button type="button" aria-pressed={tool === "move"} onClick={() => setTool("move")}>
            Move
          </button>
        </div>
        <div class="switch" role="group" aria-label="Zoom">
          <ZoomButtons view={view} setView={setView} />
        </div>
        {model.changed.length > 0 && (
          <button type="button" onClick={() => store.choose(null)}>
            Show all again
          </button>
        )}
      </div>
      <div class="canvas-box" ref={box}>
        <canvas
          ref={canvas}
          width={Math.round(size.width * ratio)}
          height={Math.round(size.height * ratio)}
          role="img"
          tabIndex={0}
          class={tool === "move" ? "movable" : "lassoed"}
          aria-label={`Map of ${count(state.objects)} objects, coloured by cluster. Arrow keys move it once enlarged, plus and minus zoom, 0 shows all, Escape selects nothing. Clusters, search and the table do the same without the map.`}
          onPointerDown={onDown}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerLeave={() => setUnder(null)}
          onKeyDown={onKey}
        />
        <svg class="over" width={size.width} height={size.height} aria-hidden="true">
          {numbers.map(({ cluster, x, y }) => {
            if (model.chosen !== null && cluster !== model.chosen) return null;
            const at = onPicture(view, extent, size, x, y);
            return (
              <text key={cluster} class="cluster-number" x={at.x} y={at.y}>
                {cluster}
              </text>
            );
          })}
          {asked && model.preview === null && [ring(asked.a, "A"), ring(asked.b, "B")]}
          {model.object !== null && ring(model.object, "")}
          {drag?.kind === "lasso" && (
            <polygon class="lasso" points={drag.path.map(({ x, y }) => `${x},${y}`).join(" ")} />
          )}
          {drag?.kind === "carry" && (
            <circle class="carried" cx={drag.to.x} cy={drag.to.y} r="14" />
          )}
        </svg>
        {under && (
          <Tip at={under.at} size={size}>
            <Name text={nameOf(under.object)} />
            <br />
            cluster {labels[under.object]}
          </Tip>
        )}
        {!isWhole && (
          <p class="plain-note">
            This browser has no WebGL 2: a sample of the objects is drawn. All can be searched.
          </p>
        )}
      </div>
    </section>
  );
}

export function toggled(selection: readonly number[], object: number): number[] {
  return selection.includes(object)
    ? selection.filter((one) => one !== object)
    : [...selection, object];
}
