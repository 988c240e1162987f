// The sizes of the clusters; choosing one lets it stand out on the map.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Clusters } from "./data";
import { Mark } from "./name";
import { count, counted, percent } from "./numbers";
import { colourOf } from "./palette";
import { useColours } from "./theme";

const FIRST = 20;

export function ClusterSection(props: {
  clusters: Clusters;
  objects: number;
  chosen: number | null;
  choose: (cluster: number | null) => void;
}): JSX.Element {
  const { clusters, objects, chosen, choose } = props;
  const theme = useColours();
  const [isWhole, setWhole] = useState(clusters.sizes.length <= FIRST + 5);
  const largest = clusters.sizes[0] ?? 1;
  const shown = isWhole ? clusters.sizes : clusters.sizes.slice(0, FIRST);
  return (
    <section id="clusters" aria-labelledby="clusters-title">
      <h2 id="clusters-title">Sizes of the clusters</h2>
      <div class="scroll">
        <table class="sizes">
          <caption class="hidden">Clusters by decreasing size</caption>
          <thead>
            <tr>
              <th scope="col">Cluster</th>
              <th scope="col" class="number">
                Objects
              </th>
              <th scope="col" class="number">
                Share
              </th>
              <th scope="col">
                <span class="hidden">Bar</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((size, k) => (
              <tr key={k} class={chosen === k ? "chosen" : ""}>
                <th scope="row">
                  <button
                    type="button"
                    class="cluster"
                    aria-pressed={chosen === k}
                    onClick={() => choose(chosen === k ? null : k)}
                    title="Let it stand out on the map"
                  >
                    <Mark cluster={k} /> {k}
                  </button>
                </th>
                <td class="number">{count(size)}</td>
                <td class="number">{percent(size / objects)}</td>
                <td class="wide" aria-hidden="true">
                  <span
                    class="bar"
                    style={{
                      width: `${Math.max((100 * size) / largest, 0.3)}%`,
                      background: colourOf(k, theme),
                    }}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!isWhole && (
        <button type="button" class="no-print" onClick={() => setWhole(true)}>
          Show all {count(clusters.sizes.length)}
        </button>
      )}
      {clusters.other_clusters > 0 && (
        <p>
          {counted(clusters.other_clusters, "more cluster")} hold{" "}
          {counted(clusters.other_objects, "object")} together.
        </p>
      )}
    </section>
  );
}
