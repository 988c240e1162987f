// What the map of the report and that of the explorer share: their size, keys, buttons and tips.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { moved, type Size, type View, WHOLE, zoomed } from "./view";

const STEP = 60;

/** The element that a map lies in, and the size that the map has there. */
export function useBox(
  sizeIn: (element: HTMLElement) => Size,
): [{ current: HTMLDivElement | null }, Size] {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 640, height: 480 });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const update = () => setSize(sizeIn(element));
    const observer = new ResizeObserver(update);
    observer.observe(element);
    update();
    return () => observer.disconnect();
  }, []);
  return [box, size];
}

/** The view after a key; null: the key does nothing. */
export function keyed(view: View, scale: number, event: KeyboardEvent): View | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  switch (event.key) {
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

export function ZoomButtons(props: { view: View; setView: (view: View) => void }): JSX.Element {
  const { view, setView } = props;
  return (
    <>
      <button type="button" onClick={() => setView(zoomed(view, 1.5))} aria-label="Zoom in">
        +
      </button>
      <button type="button" onClick={() => setView(zoomed(view, 1 / 1.5))} aria-label="Zoom out">
        −
      </button>
      <button type="button" onClick={() => setView(WHOLE)} disabled={view.zoom === 1}>
        Whole map
      </button>
    </>
  );
}

/** What is under the pointer. */
export function Tip(props: {
  at: { x: number; y: number };
  size: Size;
  children: ComponentChildren;
}): JSX.Element {
  const { at, size, children } = props;
  return (
    <div
      class="tip"
      style={{ left: `${Math.min(at.x + 12, size.width - 150)}px`, top: `${at.y + 14}px` }}
    >
      {children}
    </div>
  );
}

/** Where the pointer is in an element. */
export function pointIn(element: Element | null, event: { clientX: number; clientY: number }) {
  const corner = element?.getBoundingClientRect();
  return { x: event.clientX - (corner?.left ?? 0), y: event.clientY - (corner?.top ?? 0) };
}
