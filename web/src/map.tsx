// The map of the objects: moved with the mouse, the buttons or the keyboard.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ObjectMap } from "./data";
import { type Drawing, drawMap, middlesOf, objectAt } from "./draw_map";
import { Name } from "./name";
import { count, percent } from "./numbers";
import { whatIsDrawn, whatTheMapSays } from "./sentences";
import { useColours } from "./theme";
import { extentOf, moved, type Size, scaleOf, type View, WHOLE, zoomed } from "./view";

const STEP = 60;

function useSize(): [{ current: HTMLDivElement | null }, Size] {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 640, height: 460 });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const update = () => {
      const width = Math.max(element.clientWidth, 200);
      setSize({ width, height: Math.round(Math.min(Math.max(width * 0.64, 260), 620)) });
    };
    const observer = new ResizeObserver(update);
    observer.observe(element);
    update();
    return () => observer.disconnect();
  }, []);
  return [box, size];
}

function keyed(view: View, scale: number, key: string): View | null {
  switch (key) {
    case "ArrowLeft":
      return moved(view, scale, STEP, 0);
    case "ArrowRight":
      return moved(view, scale, -STEP, 0);
    case "ArrowUp":
      return moved(view, scale, 0, STEP);
    case "ArrowDown":
      return moved(view, scale, 0, -STEP);
    case "+":
    case "=":
      return zoomed(view, 1.5);
    case "-":
      return zoomed(view, 1 / 1.5);
    case "0":
      return WHOLE;
    default:
      return null;
  }
}

export function MapSection(props: {
  map: ObjectMap;
  objects: number;
  chosen: number | null;
}): JSX.Element {
  const { map, objects, chosen } = props;
  const theme = useColours();
  const [box, size] = useSize();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<View>(WHOLE);
  const [under, setUnder] = useState<{ object: number; x: number; y: number } | null>(null);
  const extent = useMemo(() => extentOf(map.x, map.y), [map]);
  const middles = useMemo(() => middlesOf(map), [map]);
  const drawing: Drawing = { map, extent, middles, view, size, theme, chosen };
  const scale = scaleOf(view, extent, size);

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const ratio = Math.max(window.devicePixelRatio || 1, 2);
    element.width = size.width * ratio;
    element.height = size.height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawMap(context, drawing);
    element.dataset.drawn = String(map.labels.length);
    performance.mark("drawn");
  }, [view, size, theme, chosen, map]);

  const pointOf = (event: PointerEvent) => {
    const corner = canvas.current?.getBoundingClientRect();
    return { x: event.clientX - (corner?.left ?? 0), y: event.clientY - (corner?.top ?? 0) };
  };
  const onMove = (event: PointerEvent) => {
    if (event.buttons === 1 && view.zoom > 1) {
      setView(moved(view, scale, event.movementX, event.movementY));
      setUnder(null);
      return;
    }
    const point = pointOf(event);
    const object = objectAt(drawing, point);
    setUnder(object === null ? null : { object, ...point });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const next = keyed(view, scale, event.key);
    if (next === null) return;
    event.preventDefault();
    setView(next);
  };
  const nameOf = (object: number) => map.names?.[object] ?? String(object);

  return (
    <section id="map" aria-labelledby="map-title">
      <h2 id="map-title">Map of the objects</h2>
      <p>
        {whatIsDrawn(map.labels.length, objects)} {whatTheMapSays(map)}
      </p>
      <div class="picture" ref={box}>
        <div class="tools no-print" role="group" aria-label="View of the map">
          <button type="button" onClick={() => setView(zoomed(view, 1.5))} aria-label="Zoom in">
            +
          </button>
          <button
            type="button"
            onClick={() => setView(zoomed(view, 1 / 1.5))}
            aria-label="Zoom out"
          >
            −
          </button>
          <button type="button" onClick={() => setView(WHOLE)} disabled={view.zoom === 1}>
            Whole map
          </button>
        </div>

        <canvas
          ref={canvas}
          role="img"
          tabIndex={0}
          aria-label={`Map of ${count(map.labels.length)} objects, coloured by cluster. Arrow keys move it once enlarged, plus and minus zoom, 0 shows all. The table below says where each cluster lies.`}
          style={{ width: `${size.width}px`, height: `${size.height}px` }}
          class={view.zoom > 1 ? "movable" : ""}
          onPointerMove={onMove}
          onPointerLeave={() => setUnder(null)}
          onKeyDown={onKey}
        />
        {under && (
          <div
            class="tip"
            style={{
              left: `${Math.min(under.x + 12, size.width - 150)}px`,
              top: `${under.y + 14}px`,
            }}
          >
            <Name text={nameOf(under.object)} />
            <br />
            cluster {map.labels[under.object]}
          </div>
        )}
      </div>
      <details>
        <summary>The map as a table</summary>
        <table>
          <caption>Where the middle of each cluster lies, in percent of the map</caption>
          <thead>
            <tr>
              <th scope="col">Cluster</th>
              <th scope="col">From left</th>
              <th scope="col">From bottom</th>
            </tr>
          </thead>
          <tbody>
            {middles.map(({ cluster, x, y }) => (
              <tr key={cluster}>
                <th scope="row">{cluster}</th>
                <td>{percent(x / 10_000)}</td>
                <td>{percent(y / 10_000)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
