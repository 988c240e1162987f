// The shift path: how the clusters divide as the shift grows stronger.
import type { JSX } from "preact";
import type { Path, PathPoint } from "./data";
import { count, percent, short } from "./numbers";
import { colourOf } from "./palette";
import {
  alluvial,
  type Block,
  byStrength,
  chosenPoint,
  plateausOf,
  type Ribbon,
} from "./path_columns";
import { useColours } from "./theme";

const WIDTH = 940;
const HEIGHT = 220;
const TOP = 36;
const BOTTOM = 46;
const LEFT = 8;

/** All columns fill the page; many are as narrow as their numbers allow. */
const columnWidth = (points: number): number =>
  Math.round(Math.min(Math.max(WIDTH / points, 46), 120));

const BAR = 12;

function Column(props: {
  point: PathPoint;
  blocks: Block[];
  x: number;
  width: number;
  isChosen: boolean;
}): JSX.Element {
  const { point, blocks, x, width, isChosen } = props;
  const theme = useColours();
  const left = x + width / 2 - BAR / 2;
  return (
    <g class={isChosen ? "column chosen" : "column"}>
      <title>{`Strength ${short(point.strength)}: ${count(point.clusters)} clusters`}</title>
      {blocks.map(({ place, cluster, share, at }) => (
        <rect
          key={place}
          class={cluster === null ? "block rest" : "block"}
          x={left}
          y={TOP + at * HEIGHT}
          width={BAR}
          height={Math.max(share * HEIGHT - 1, 0.5)}
          fill={cluster === null ? undefined : colourOf(cluster, theme)}
        />
      ))}
      {isChosen && (
        <rect class="frame" x={left - 4} y={TOP - 4} width={BAR + 8} height={HEIGHT + 7} rx={3} />
      )}
      <text class="clusters" x={x + width / 2} y={TOP - 10}>
        {count(point.clusters)}
      </text>
      <text class="strength" x={x + width / 2} y={TOP + HEIGHT + 16}>
        {point.strength < 0.001
          ? point.strength.toExponential(0)
          : Number(point.strength.toPrecision(2))}
      </text>
    </g>
  );
}

function Ribbons(props: { ribbons: Ribbon[]; x: number; width: number }): JSX.Element {
  const { ribbons, x, width } = props;
  const theme = useColours();
  const left = x + width / 2 + BAR / 2;
  const right = left + width - BAR;
  const middle = (left + right) / 2;
  const y = (at: number) => (TOP + at * HEIGHT).toFixed(1);
  return (
    <>
      {ribbons.map(({ from, to, fromAt, toAt, share }, i) => (
        <path
          key={i}
          class={to.cluster === null ? "ribbon rest" : "ribbon"}
          fill={to.cluster === null ? undefined : colourOf(to.cluster, theme)}
          d={
            `M${left},${y(fromAt)}C${middle},${y(fromAt)} ${middle},${y(toAt)} ${right},${y(toAt)}` +
            `V${y(toAt + share)}C${middle},${y(toAt + share)} ${middle},${y(fromAt + share)} ` +
            `${left},${y(fromAt + share)}Z`
          }
        >
          <title>{`${nameOf(from)} to ${nameOf(to)}: ${percent(share)} of the objects`}</title>
        </path>
      ))}
    </>
  );
}

const nameOf = ({ cluster }: Block): string =>
  cluster === null ? "smaller clusters" : `cluster ${cluster}`;

function Picture({ points, chosen }: { points: PathPoint[]; chosen: number }): JSX.Element {
  const column = columnWidth(points.length);
  const width = LEFT * 2 + column * points.length;
  const { columns, ribbons } = alluvial(points);
  return (
    <svg
      class="path"
      width={width}
      height={TOP + HEIGHT + BOTTOM}
      viewBox={`0 0 ${width} ${TOP + HEIGHT + BOTTOM}`}
      role="img"
      aria-label="How objects flow between clusters as the shift grows stronger; the table below has the numbers"
    >
      {ribbons.map((between, i) => (
        <Ribbons key={i} ribbons={between} x={LEFT + i * column} width={column} />
      ))}
      {points.map((point, i) => (
        <Column
          key={i}
          point={point}
          blocks={columns[i] ?? []}
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
        strength, divided by the sizes of its clusters, with their number above; the framed one was
        chosen. The ribbons are the objects that go from a cluster at one strength to a cluster at
        the next; clusters that share most objects have the same colour. A number that stays the
        same over a range of strengths (a line below) is a stable one.
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
