// The parts of a report, of the groups as they are now.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { BlockSection } from "../blocks";
import { ClassSection } from "../classes";
import type { ReportData } from "../data";
import { Card } from "../described";
import { PathSection } from "../path";
import { howAlike, howSure, shiftUsed, whatWasDone } from "../sentences";
import { StandingSection } from "../standing";
import type { Api } from "./api";
import type { Model, Store } from "./store";

interface Sections {
  version: number;
  /** The number here of each cluster of the data. */
  numbers: number[];
  data: ReportData;
}

/** The data with the numbers that the clusters have here. */
export function renumbered({ numbers, data }: Pick<Sections, "numbers" | "data">): ReportData {
  const of = (cluster: number) => (cluster < 0 ? cluster : (numbers[cluster] ?? cluster));
  const standings = data.standing;
  return {
    ...data,
    blocks: data.blocks && { ...data.blocks, clusters: data.blocks.clusters.map(of) },
    standing: standings && {
      ...standings,
      between: standings.between.map((one) => ({
        ...one,
        cluster: of(one.cluster),
        next: of(one.next),
      })),
      outliers: standings.outliers.map((one) => ({ ...one, cluster: of(one.cluster) })),
    },
    described: data.described && {
      ...data.described,
      clusters: data.described.clusters.map((one) => ({
        ...one,
        nearest: one.nearest === null ? null : of(one.nearest),
      })),
    },
  };
}

export function AboutPanel(props: { store: Store; model: Model; api: Api }): JSX.Element {
  const { store, model, api } = props;
  const [sections, setSections] = useState<Sections | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isCurrent = sections !== null && sections.version === model.state.version;
  const load = async () => {
    setBusy(true);
    await store.guarded(async () => {
      setSections(await api.json<Sections>("api/sections"));
      store.say("This is what sets the clusters apart.");
    });
    setBusy(false);
  };
  const data = sections && isCurrent ? renumbered(sections) : null;
  return (
    <section class="about" aria-labelledby="about-title">
      <h2 id="about-title">About the clusters</h2>
      {!isCurrent && (
        <p>
          <button type="button" onClick={load} disabled={isBusy}>
            {isBusy ? "Working …" : "What sets them apart"}
          </button>
        </p>
      )}
      {data && sections && (
        <>
          <p>
            {whatWasDone(data)} {howAlike(data)} {shiftUsed(data)}
            {data.agreement && ` ${howSure(data.agreement)}`}
          </p>
          <div class="cards">
            {data.described?.clusters
              .map((description, k) => ({ description, cluster: sections.numbers[k] ?? k, k }))
              .filter(({ cluster }) => model.chosen === null || model.chosen === cluster)
              .map(({ description, cluster, k }) => (
                <Card
                  key={cluster}
                  cluster={cluster}
                  size={data.clusters.sizes[k] ?? 0}
                  description={description}
                />
              ))}
          </div>
          {data.standing && <StandingSection standing={data.standing} />}
          {data.blocks && data.blocks.clusters.length > 1 && <BlockSection blocks={data.blocks} />}
          <PathSection path={data.path} />
          {data.classes && <ClassSection classes={data.classes} numbers={sections.numbers} />}
        </>
      )}
    </section>
  );
}
