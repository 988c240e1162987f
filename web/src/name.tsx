// Names from the data: always text, and the direction they are written in stays their own.
import type { JSX } from "preact";
import { colourOf, markPath, shapeOf } from "./palette";
import { useColours } from "./theme";

export function Name({ text }: { text: string }): JSX.Element {
  return <bdi class="name">{text === "" ? "(empty)" : text}</bdi>;
}

/** The mark of a cluster beside its number. */
export function Mark({ cluster }: { cluster: number }): JSX.Element {
  const theme = useColours();
  return (
    <svg class="mark" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <path d={markPath(shapeOf(cluster), 7, 7, 5)} fill={colourOf(cluster, theme)} />
    </svg>
  );
}
