// What is beside the map: the question, the clusters, the search, and why an object is where it is.
import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { Mark, Name } from "../name";
import { count, counted, percent, short } from "../numbers";
import type { Api, Found, Says } from "./api";
import { sizesOf } from "./geometry";
import type { Model, Store } from "./store";

const ANSWERS: [Says, string, string][] = [
  ["same", "Yes", "y"],
  ["different", "No", "n"],
  ["unsure", "Unsure", "u"],
];
const MOST_TRAITS = 200;

export function QuestionPanel({ store, model }: { store: Store; model: Model }): JSX.Element {
  const { question } = model;
  return (
    <section aria-labelledby="question-title">
      <h2 id="question-title">Do A and B belong together?</h2>
      {question?.done && <p>Nothing is left to ask: the answers settle all pairs.</p>}
      {question && !question.done && (
        <>
          <div class="buttons">
            {ANSWERS.map(([says, text, key]) => (
              <button
                key={says}
                type="button"
                disabled={store.busy}
                onClick={() => store.answer(says)}
                aria-keyshortcuts={key}
              >
                {text} <kbd>{key}</kbd>
              </button>
            ))}
          </div>
          <div class="scroll pair" tabIndex={0} role="group" aria-label="The two objects">
            <table>
              <thead>
                <tr>
                  <th scope="col">{question.heading || "Column"}</th>
                  <th scope="col">
                    A: <Name text={question.left} />
                  </th>
                  <th scope="col">
                    B: <Name text={question.right} />
                  </th>
                </tr>
              </thead>
              <tbody>
                {question.traits.slice(0, MOST_TRAITS).map((trait, i) => (
                  <tr key={i} class={trait.differs ? "differs" : ""}>
                    <th scope="row">
                      {trait.differs && <span aria-hidden="true">≠ </span>}
                      <Name text={trait.name} />
                      {trait.differs && <span class="hidden"> (differs)</span>}
                    </th>
                    <td>
                      <Name text={trait.left} />
                    </td>
                    <td>
                      <Name text={trait.right} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {question.chance !== null && (
            <p class="quiet">
              By the groups, they belong together with {percent(question.chance)}.
            </p>
          )}
        </>
      )}
    </section>
  );
}

const FIRST = 12;

export function ClustersPanel({ store, model }: { store: Store; model: Model }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const [other, setOther] = useState("");
  const labels = store.shown;
  const clusters = useMemo(
    () => sizesOf(labels).sort((a, b) => b.size - a.size || a.cluster - b.cluster),
    [labels],
  );
  const shown = isWhole ? clusters.slice(0, 1000) : clusters.slice(0, FIRST);
  const { chosen } = model;
  const members = () => {
    const list: number[] = [];
    labels.forEach((label, i) => {
      if (label === chosen) list.push(i);
    });
    return list;
  };
  const others = clusters.filter(({ cluster }) => cluster !== chosen).slice(0, 1000);
  const target = (others.find(({ cluster }) => String(cluster) === other) ?? others[0])?.cluster;
  return (
    <section aria-labelledby="clusters-title">
      <h2 id="clusters-title">{counted(clusters.length, "cluster")}</h2>
      <ul class="clusters">
        {shown.map(({ cluster, size }) => (
          <li key={cluster}>
            <button
              type="button"
              class="cluster"
              aria-pressed={chosen === cluster}
              onClick={() => store.choose(chosen === cluster ? null : cluster)}
            >
              <Mark cluster={cluster} /> {cluster} <span class="quiet">{count(size)}</span>
            </button>
          </li>
        ))}
      </ul>
      {!isWhole && clusters.length > FIRST && (
        <button type="button" onClick={() => setWhole(true)}>
          Show {clusters.length > 1000 ? "the first 1,000" : `all ${count(clusters.length)}`}
        </button>
      )}
      {chosen !== null && (
        <form
          class="action"
          onSubmit={(event) => {
            event.preventDefault();
            store.change("api/merge", { clusters: [chosen, target] });
          }}
        >
          <button type="button" onClick={() => store.select(members())}>
            Select cluster {chosen}
          </button>
          {others.length > 0 && model.preview === null && (
            <>
              <label>
                Merge cluster {chosen} with{" "}
                <select
                  value={String(target)}
                  onChange={(event) => setOther(event.currentTarget.value)}
                >
                  {others.map(({ cluster }) => (
                    <option key={cluster} value={String(cluster)}>
                      {cluster}
                    </option>
                  ))}
                </select>
              </label>
              <button type="submit" disabled={store.busy}>
                Merge
              </button>
            </>
          )}
        </form>
      )}
    </section>
  );
}

export function SearchPanel({ store, api }: { store: Store; api: Api }): JSX.Element {
  const text = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<Found | null>(null);
  const look = () =>
    store.guarded(async () => {
      const wanted = text.current?.value ?? "";
      const reply = await api.json<Found>(`api/search?text=${encodeURIComponent(wanted)}`);
      setFound(reply);
      store.say(`${reply.found.length}${reply.is_whole ? "" : " or more"} found.`);
    });
  return (
    <section aria-labelledby="search-title">
      <h2 id="search-title">Find</h2>
      <form
        class="action"
        onSubmit={(event) => {
          event.preventDefault();
          look();
        }}
      >
        <label>
          An id, a row number, a value, or column=value{" "}
          <input ref={text} maxLength={200} autocomplete="off" />
        </label>
        <button type="submit">Find</button>
        {found && found.found.length > 0 && (
          <button
            type="button"
            onClick={() => store.select(found.found.map(({ object }) => object))}
          >
            Select {found.found.length}
          </button>
        )}
      </form>
      {found && (
        <ul class="found">
          {found.found.map(({ object, name, where }) => (
            <li key={object}>
              <button
                type="button"
                class="link"
                onClick={() => {
                  store.select([object]);
                  store.explain(object);
                }}
              >
                <Name text={name} />
              </button>
              {where !== "" && (
                <span class="quiet">
                  {" "}
                  <Name text={where} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function WhyPanel({ store, model }: { store: Store; model: Model }): JSX.Element | null {
  const { why, object } = model;
  if (object === null) return null;
  const cluster = (number: number) =>
    number < 0 ? (
      "a cluster of its own"
    ) : (
      <>
        cluster <Mark cluster={number} /> {number}
      </>
    );
  return (
    <section aria-labelledby="why-title" aria-live="polite">
      <h2 id="why-title">Why it is there</h2>
      {!why && <p>Working …</p>}
      {why && (
        <>
          <p>
            <Name text={why.name} /> is in {cluster(why.own.cluster)}, to which its affinity is{" "}
            {short(why.own.affinity)}.
            {why.next && (
              <>
                {" "}
                The next best is {cluster(why.next.cluster)}, with {short(why.next.affinity)}.
              </>
            )}
          </p>
          {why.own.ties.length > 0 && (
            <p>
              Most similar there:{" "}
              {why.own.ties.map(({ object: tie, name }, i) => (
                <span key={tie}>
                  {i > 0 && ", "}
                  <button type="button" class="link" onClick={() => store.explain(tie)}>
                    <Name text={name} />
                  </button>
                </span>
              ))}
              .
            </p>
          )}
          {why.must_link.length + why.cannot_link.length > 0 && (
            <p>
              Answers bind it to {counted(why.must_link.length, "object")} and keep it from{" "}
              {count(why.cannot_link.length)}.
            </p>
          )}
          {model.preview === null && (
            <button
              type="button"
              disabled={store.busy}
              onClick={() => store.change("api/pin", { object })}
            >
              Pin it to its cluster
            </button>
          )}
        </>
      )}
    </section>
  );
}
