// The matrix of similarities, ordered by cluster.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { bandsOf, betweenClusters, cellOf } from "./block_values";
import type { Blocks } from "./data";
import { Mark } from "./name";
import { short } from "./numbers";
import { diverging, type Theme } from "./palette";
import { useColours } from "./theme";

const SIDE = 520;
const SHOWN = 12;
const LEAST = 5;

function draw(context: CanvasRenderingContext2D, blocks: Blocks, theme: Theme): void {
  const bands = bandsOf(blocks);
  for (const { at: y, size: height, group: row } of bands) {
    for (const { at: x, size: width, group: column } of bands) {
      context.fillStyle = diverging(cellOf(blocks, row, column), theme);
      context.fillRect(x * SIDE, y * SIDE, width * SIDE + 0.6, height * SIDE + 0.6);
    }
  }
  context.strokeStyle = theme === "dark" ? "#e8ecf2" : "#171b22";
  context.lineWidth = 1;
  let last = 0;
  bands.forEach(({ at, group }, i) => {
    const isBorder = i > 0 && blocks.clusters[group] !== blocks.clusters[group - 1];
    if (!isBorder || (at - last) * SIDE < LEAST) return; // lines would cover small clusters
    last = at;
    context.beginPath();
    context.moveTo(at * SIDE, 0);
    context.lineTo(at * SIDE, SIDE);
    context.moveTo(0, at * SIDE);
    context.lineTo(SIDE, at * SIDE);
    context.stroke();
  });
}

function usePicture(paint: (context: CanvasRenderingContext2D) => void, theme: Theme) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context) paint(context);
  }, [theme]);
  return canvas;
}

export function BlockSection({ blocks }: { blocks: Blocks }): JSX.Element {
  const theme = useColours();
  const matrix = usePicture((context) => {
    context.setTransform(2, 0, 0, 2, 0, 0);
    draw(context, blocks, theme);
  }, theme);
  const scale = usePicture((context) => {
    for (let x = 0; x < 160; ++x) {
      context.fillStyle = diverging(x / 79.5 - 1, theme);
      context.fillRect(x, 0, 1, 14);
    }
  }, theme);
  const between = useMemo(() => betweenClusters(blocks, SHOWN), [blocks]);
  return (
    <section id="blocks" aria-labelledby="blocks-title">
      <h2 id="blocks-title">Similarities, ordered by cluster</h2>
      <p>
        Each cell is the mean similarity between two groups of objects, after the shift: above 0
        (blue) speaks for the same cluster, below 0 (orange) for different ones. Clusters follow
        each other by size, and within a cluster the most typical objects come first. Squares on the
        diagonal that stand out are clusters that hold together; blue elsewhere is what they share.
      </p>
      <canvas
        ref={matrix}
        class="matrix"
        width={2 * SIDE}
        height={2 * SIDE}
        role="img"
        aria-label="Matrix of the mean similarities between groups of objects, ordered by cluster; the table below has those between clusters"
      />
      <p class="legend">
        −{short(blocks.largest ?? 0)}
        <canvas ref={scale} width={160} height={14} aria-hidden="true" />
        {short(blocks.largest ?? 0)}
      </p>
      <details>
        <summary>The similarities between clusters as a table</summary>
        <div class="scroll" tabIndex={0} role="group" aria-label="Table of similarities">
          <table>
            <caption>
              Mean similarity after the shift, between the largest clusters and within them
            </caption>
            <thead>
              <tr>
                <th scope="col">Cluster</th>
                {between.map(({ cluster }) => (
                  <th scope="col" class="number" key={cluster}>
                    {cluster}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {between.map(({ cluster, means }) => (
                <tr key={cluster}>
                  <th scope="row">
                    <Mark cluster={cluster} /> {cluster}
                  </th>
                  {means.map((mean, k) => (
                    <td class="number" key={k}>
                      {short(mean)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}
