// Objects that hardly belong where they are.
import type { JSX } from "preact";
import type { Standing, Standings } from "./data";
import { Mark, Name } from "./name";
import { count, counted, percent } from "./numbers";

function Table(props: {
  caption: string;
  share: string;
  rows: Standing[];
  hasNext: boolean;
}): JSX.Element {
  const { caption, share, rows, hasNext } = props;
  return (
    <div class="scroll">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Object</th>
            <th scope="col">Cluster</th>
            {hasNext && <th scope="col">Also near</th>}
            <th scope="col" class="number">
              {share}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              <th scope="row">
                <Name text={row.name} />
              </th>
              <td>
                <Mark cluster={row.cluster} /> {row.cluster}
              </td>
              {hasNext && (
                <td>
                  <Mark cluster={row.next} /> {row.next}
                </td>
              )}
              <td class="number">{percent(row.share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function StandingSection({ standing }: { standing: Standings }): JSX.Element {
  const { judged, between, outliers } = standing;
  const of = standing.is_sample ? `the ${count(judged)} objects drawn` : "all objects";
  return (
    <section id="standing" aria-labelledby="standing-title">
      <h2 id="standing-title">Doubtful objects</h2>
      <p>
        Of {of}, {count(standing.between_count)} lie between clusters: their affinity to another
        cluster is at least half of that to their own. {count(standing.outlier_count)} are outliers:
        their affinity is less than a quarter of what is usual in their cluster.
        {standing.singles > 0 && ` ${counted(standing.singles, "cluster")} of a single object.`}
      </p>
      <div class="two">
        {between.length > 0 && (
          <Table
            caption={`Between clusters${less(between.length, standing.between_count)}`}
            share="To the other"
            rows={between}
            hasNext
          />
        )}
        {outliers.length > 0 && (
          <Table
            caption={`Outliers${less(outliers.length, standing.outlier_count)}`}
            share="Of the usual"
            rows={outliers}
            hasNext={false}
          />
        )}
      </div>
    </section>
  );
}

const less = (shown: number, all: number): string =>
  shown < all ? `, the first ${count(shown)} of ${count(all)}` : "";
