// Clusters against known classes.
import type { JSX } from "preact";
import type { Classes } from "./data";
import { Name } from "./name";
import { count } from "./numbers";

const SCORES: [
  keyof Classes & ("ami" | "ari" | "v_measure" | "homogeneity" | "completeness"),
  string,
][] = [
  ["ami", "Adjusted mutual information"],
  ["ari", "Adjusted Rand index"],
  ["v_measure", "V-measure"],
  ["homogeneity", "Homogeneity"],
  ["completeness", "Completeness"],
];

/** `numbers` are those of the clusters. */
export function ClassSection(props: { classes: Classes; numbers: number[] }): JSX.Element {
  const { classes, numbers } = props;
  const columns = classes.table[0]?.length ?? 0;
  const title = (k: number) =>
    k === columns - 1 && columns < numbers.length ? "others" : String(numbers[k] ?? k);
  return (
    <section id="classes" aria-labelledby="classes-title">
      <h2 id="classes-title">Against the known classes</h2>
      <p>
        1 is a perfect match; the first two scores are about 0 for clusters drawn at random. The
        clusters were found without the classes.
      </p>
      <dl>
        {SCORES.map(([field, name]) => (
          <div key={field}>
            <dt>{name}</dt>
            <dd>{classes[field].toFixed(3)}</dd>
          </div>
        ))}
      </dl>
      <div class="scroll" tabIndex={0} role="group" aria-label="Classes and clusters">
        <table>
          <caption>Objects of each class (rows) in each cluster (columns)</caption>
          <thead>
            <tr>
              <th scope="col">Class</th>
              {Array.from({ length: columns }, (_, k) => (
                <th scope="col" class="number" key={k}>
                  {title(k)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {classes.table.map((row, c) => (
              <Row key={c} name={classes.names[c] ?? "others"} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Row({ name, row }: { name: string; row: number[] }): JSX.Element {
  const all = row.reduce((sum, objects) => sum + objects, 0);
  return (
    <tr>
      <th scope="row">
        <Name text={name} />
      </th>
      {row.map((objects, k) => (
        <td
          key={k}
          class="heat"
          style={{
            background: `color-mix(in srgb, var(--heat) ${Math.round((70 * objects) / Math.max(all, 1))}%, transparent)`,
          }}
        >
          {objects > 0 ? count(objects) : "·"}
        </td>
      ))}
    </tr>
  );
}
