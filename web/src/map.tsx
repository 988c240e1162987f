// The map of the objects: moved with the mouse, the buttons or the keyboard.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ObjectMap } from "./data";
import { type Drawing, drawMap, middlesOf, objectAt } from "./draw_map";
import { keyed, pointIn, Tip, useBox, ZoomButtons } from "./map_parts";
import { Name } from "./name";
import { count, percent } from "./numbers";
import { whatIsDrawn, whatTheMapSays } from "./sentences";
import { useColours } from "./theme";
import { extentOf, moved, type Size, scaleOf, type View, WHOLE } from "./view";

const sizeIn = (element: HTMLElement): Size => {
  const width = Math.max(element.clientWidth, 200);
  return { width, height: Math.round(Math.min(Math.max(width * 0.64, 260), 620)) };
};

export function MapSection(props: {
  map: ObjectMap;
  objects: number;
  chosen: number | null;
}): JSX.Element {
  const { map, objects, chosen } = props;
  const theme = useColours();
  const [box, size] = useBox(sizeIn);
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

  const onMove = (event: PointerEvent) => {
    if (event.buttons === 1 && view.zoom > 1) {
      setView(moved(view, scale, event.movementX, event.movementY));
      setUnder(null);
      return;
    }
    const point = pointIn(canvas.current, event);
    const object = objectAt(drawing, point);
    setUnder(object === null ? null : { object, ...point });
  };
  const onKey = (event: KeyboardEvent) => {
    const next = keyed(view, scale, event);
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
      <div class="tools no-print" role="group" aria-label="View of the map">
        <ZoomButtons view={view} setView={setView} />
      </div>
      <div class="picture" ref={box}>
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
          <Tip at={under} size={size}>
            <Name text={nameOf(under.object)} />
            <br />
            cluster {map.labels[under.object]}
          </Tip>
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
