// The shift path: how the clusters divide as the shift grows stronger.
import type { JSX } from "preact";
import type { Path, PathPoint } from "./data";
import { count, percent, short } from "./numbers";
import { byStrength, chosenPoint, plateausOf, sharesOf } from "./path_columns";

const WIDTH = 940;
const HEIGHT = 220;
const TOP = 34;
const BOTTOM = 46;
const LEFT = 8;

/** All columns fill the page; many are as narrow as their numbers allow. */
const columnWidth = (points: number): number =>
  Math.round(Math.min(Math.max(WIDTH / points, 46), 84));

function Column(props: {
  point: PathPoint;
  x: number;
  width: number;
  isChosen: boolean;
}): JSX.Element {
  const { point, x, width, isChosen } = props;
  let y = TOP;
  const blocks = sharesOf(point).map((share, k) => {
    const height = share * HEIGHT;
    const block = (
      <rect
        key={k}
        class={k < point.sizes.length ? "block" : "block rest"}
        x={x + 6}
        y={y}
        width={width - 12}
        height={Math.max(height - 1, 0.5)}
      />
    );
    y += height;
    return block;
  });
  return (
    <g class={isChosen ? "column chosen" : "column"}>
      <title>{`Strength ${short(point.strength)}: ${count(point.clusters)} clusters`}</title>
      {blocks}
      <text class="clusters" x={x + width / 2} y={TOP - 8}>
        {count(point.clusters)}
      </text>
      <text class="strength" x={x + width / 2} y={TOP + HEIGHT + 16}>
        {Number(point.strength.toPrecision(2))}
      </text>
    </g>
  );
}

function Picture({ points, chosen }: { points: PathPoint[]; chosen: number }): JSX.Element {
  const column = columnWidth(points.length);
  const width = LEFT * 2 + column * points.length;
  return (
    <svg
      class="path"
      width={width}
      height={TOP + HEIGHT + BOTTOM}
      viewBox={`0 0 ${width} ${TOP + HEIGHT + BOTTOM}`}
      role="img"
      aria-label="How the clusters divide as the shift grows stronger; the table below has the numbers"
    >
      {points.map((point, i) => (
        <Column
          key={i}
          point={point}
          x={LEFT + i * column}
          width={column}
          isChosen={i === chosen}
        />
      ))}
      {plateausOf(points).map(({ first, last }) => (
        <line
          key={first}
          class="plateau"
          x1={LEFT + first * column + 6}
          x2={LEFT + (last + 1) * column - 6}
          y1={TOP + HEIGHT + 26}
          y2={TOP + HEIGHT + 26}
        />
      ))}
      <text class="axis" x={LEFT + 6} y={TOP + HEIGHT + 42}>
        strength of the shift, weak to strong
      </text>
    </svg>
  );
}

export function PathSection({ path }: { path: Path }): JSX.Element | null {
  if (path.points.length === 0) return null;
  const points = byStrength(path.points);
  const chosen = chosenPoint(points, path.strength);
  return (
    <section id="path" aria-labelledby="path-title">
      <h2 id="path-title">Over the strengths of the shift</h2>
      <p>
        The stronger the shift, the more alike objects must be to share a cluster. Each column is a
        strength, divided by the sizes of its clusters, with their number above; the blue one was
        chosen. A number that stays the same over a range of strengths (a line below) is a stable
        one.
      </p>
      <div class="scroll" tabIndex={0} role="group" aria-label="Picture of the path">
        <Picture points={points} chosen={chosen} />
      </div>
      <details>
        <summary>The path as a table</summary>
        <div class="scroll">
          <table>
            <caption class="hidden">Strengths of the shift</caption>
            <thead>
              <tr>
                <th scope="col" class="number">
                  Strength
                </th>
                <th scope="col" class="number">
                  Clusters
                </th>
                <th scope="col" class="number">
                  Agreement with its neighbours
                </th>
                <th scope="col">Largest clusters</th>
              </tr>
            </thead>
            <tbody>
              {points.map((point, i) => (
                <tr key={i} class={i === chosen ? "chosen" : ""}>
                  <th scope="row" class="number">
                    {short(point.strength)}
                    {i === chosen ? " (chosen)" : ""}
                  </th>
                  <td class="number">{count(point.clusters)}</td>
                  <td class="number">{point.agreement.toFixed(2)}</td>
                  <td>{point.sizes.slice(0, 6).map(count).join(", ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
      {path.judged.length > 0 && <Judged path={path} />}
    </section>
  );
}

function Judged({ path }: { path: Path }): JSX.Element {
  return (
    <table>
      <caption>Numbers of clusters that were judged</caption>
      <thead>
        <tr>
          <th scope="col" class="number">
            Clusters
          </th>
          <th scope="col" class="number">
            Length of the plateau
          </th>
          <th scope="col" class="number">
            Agreement of the votes
          </th>
        </tr>
      </thead>
      <tbody>
        {path.judged.map(({ clusters, length, score }) => (
          <tr key={clusters}>
            <th scope="row" class="number">
              {count(clusters)}
            </th>
            <td class="number">{short(length)}</td>
            <td class="number">{percent(score)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
