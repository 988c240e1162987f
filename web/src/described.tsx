// What sets each cluster apart from the others.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Contrast, Description, ReportData } from "./data";
import { Mark, Name } from "./name";
import { count, counted, percent, short } from "./numbers";
import { diverging } from "./palette";
import { useColours } from "./theme";

const FIRST = 8;
const LARGE = 2;

export function DescribedSection(props: {
  data: ReportData;
  described: NonNullable<ReportData["described"]>;
}): JSX.Element {
  const { data, described } = props;
  const { clusters } = described;
  const [isWhole, setWhole] = useState(clusters.length <= FIRST + 2);
  const shown = isWhole ? clusters : clusters.slice(0, FIRST);
  const hasColumns = clusters.some(({ columns }) => columns.length > 0);
  return (
    <section id="described" aria-labelledby="described-title">
      <h2 id="described-title">What sets each cluster apart</h2>
      <p>
        Typical objects represent a cluster. Cohesion is the share of the similarity of its objects
        to their neighbours that stays within it.
        {hasColumns &&
          " The columns are those that differ most from all other objects: an effect of 0.2 is small, 0.5 medium, 0.8 large, and above 0 means more than elsewhere."}
        {described.is_sample && " Computed from the objects drawn on the map."}
      </p>
      <div class="cards">
        {shown.map((description, k) => (
          <Card key={k} cluster={k} size={data.clusters.sizes[k] ?? 0} description={description} />
        ))}
      </div>
      {!isWhole && (
        <p class="no-print">
          <button type="button" onClick={() => setWhole(true)}>
            Show {clusters.length < data.clusters.found ? "the first" : "all"}{" "}
            {count(clusters.length)}
          </button>
        </p>
      )}
    </section>
  );
}

export function Card(props: {
  cluster: number;
  size: number;
  description: Description;
}): JSX.Element {
  const { cluster, size, description } = props;
  const { exemplars, cohesion, nearest, support, columns } = description;
  return (
    <article class="card" aria-labelledby={`cluster-${cluster}`}>
      <h3 id={`cluster-${cluster}`}>
        <Mark cluster={cluster} /> Cluster {cluster}
      </h3>
      <p>
        {counted(size, "object")}; cohesion {percent(cohesion)}
        {support !== null && `; supported by ${percent(support)} of the votes`}
        {nearest !== null && (
          <>
            ; nearest is <Mark cluster={nearest} /> {nearest}
          </>
        )}
        .
      </p>
      {exemplars.length > 0 && (
        <p>
          Typical:{" "}
          {exemplars.map((name, i) => (
            <span key={i}>
              {i > 0 && ", "}
              <Name text={name} />
            </span>
          ))}
          .
        </p>
      )}
      {columns.length > 0 && <Columns columns={columns} />}
    </article>
  );
}

const shownValue = ({ measure }: Contrast, value: number): string =>
  measure === "share" ? percent(value) : short(value);

function Columns({ columns }: { columns: Contrast[] }): JSX.Element {
  const theme = useColours();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col" class="number">
            Here
          </th>
          <th scope="col" class="number">
            Elsewhere
          </th>
          <th scope="col" class="number">
            Effect
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {columns.map((column, i) => {
          const part = Math.min(Math.abs(column.effect) / LARGE, 1);
          return (
            <tr key={i}>
              <th scope="row">
                <Name text={column.name} />
              </th>
              <td class="number">{shownValue(column, column.inside)}</td>
              <td class="number">{shownValue(column, column.outside)}</td>
              <td class="number">{column.effect.toFixed(1)}</td>
              <td aria-hidden="true">
                <span class="effect">
                  <span
                    style={{
                      left: `${column.effect < 0 ? 50 - 50 * part : 50}%`,
                      width: `${50 * part}%`,
                      background: diverging(Math.sign(column.effect) * 0.9, theme),
                    }}
                  />
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
