// The table of the selection, and what can be done with it.
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Mark, Name } from "../name";
import { count, counted } from "../numbers";
import { sizesOf } from "./geometry";
import { flows, type Model, ROWS_SHOWN, type Store } from "./store";

const MOST_SPLIT = 20_000;

export function SelectionPanel({
  store,
  model,
}: {
  store: Store;
  model: Model;
}): JSX.Element | null {
  const { selection, rows } = model;
  const [to, setTo] = useState("");
  const labels = store.shown;
  // Not the one that all of them are in.
  const clusters = useMemo(() => {
    const own = labels[selection[0] ?? 0];
    const shared = selection.every((one) => labels[one] === own) ? own : null;
    return sizesOf(labels)
      .filter(({ cluster }) => cluster !== shared)
      .slice(0, 1000);
  }, [labels, selection]);
  if (selection.length === 0) return null;
  const target = String(
    (clusters.find((one) => String(one.cluster) === to) ?? clusters[0])?.cluster,
  );
  const canTeach = model.preview === null && selection.length <= MOST_SPLIT && !store.busy;
  return (
    <section class="selection" aria-labelledby="selection-title">
      <div class="selection-head">
        <h2 id="selection-title">{count(selection.length)} selected</h2>
        <form
          class="action"
          onSubmit={(event) => {
            event.preventDefault();
            store.change("api/move", { objects: selection, cluster: Number(target) });
          }}
        >
          <button
            type="button"
            disabled={!canTeach}
            onClick={() => store.change("api/split", { objects: selection })}
          >
            Split off
          </button>
          {clusters.length > 0 && (
            <>
              <label>
                Move to cluster{" "}
                <select value={target} onChange={(event) => setTo(event.currentTarget.value)}>
                  {clusters.map(({ cluster }) => (
                    <option key={cluster} value={String(cluster)}>
                      {cluster}
                    </option>
                  ))}
                </select>
              </label>
              <button type="submit" disabled={!canTeach}>
                Move
              </button>
            </>
          )}
          <button type="button" onClick={() => store.select([])}>
            Clear
          </button>
        </form>
      </div>
      {rows && (
        <div class="scroll table-box" tabIndex={0} role="group" aria-label="The selected objects">
          <table>
            <caption class="hidden">The selected objects</caption>
            <thead>
              <tr>
                <th scope="col">Object</th>
                <th scope="col">Cluster</th>
                {rows.columns.map((name, c) => (
                  <th scope="col" key={c}>
                    <Name text={name} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.rows.map(({ object, name, cells }) => (
                <tr key={object} class={model.object === object ? "chosen" : ""}>
                  <th scope="row">
                    <button type="button" class="link" onClick={() => store.explain(object)}>
                      <Name text={name} />
                    </button>
                  </th>
                  <td class="cluster-cell">
                    <Mark cluster={labels[object] ?? 0} /> {labels[object]}
                  </td>
                  {cells.map((cell, c) => (
                    <td key={c}>
                      <Name text={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {selection.length > ROWS_SHOWN && (
        <p class="quiet">
          The first {ROWS_SHOWN} of {count(selection.length)} are listed.
        </p>
      )}
      {rows && rows.more_columns > 0 && (
        <p class="quiet">{counted(rows.more_columns, "more column")} not shown.</p>
      )}
    </section>
  );
}

/** Where the objects go at the strength that is shown, against the groups as they are. */
export function FlowsPanel({ store, model }: { store: Store; model: Model }): JSX.Element | null {
  const list = useMemo(
    () => (model.preview ? flows(model.labels, model.preview.labels, 6) : []),
    [model.preview, model.labels],
  );
  if (model.preview === null) return null;
  return (
    <p class="flows">
      {list.length === 0 && "The same groups as they are now. "}
      {list.length > 0 && "Against the groups as they are: "}
      {list.map(({ from, to, objects }, i) => (
        <span key={i}>
          {i > 0 && ", "}
          {count(objects)} from <Mark cluster={from} /> {from} to <Mark cluster={to} /> {to}
          {i === list.length - 1 && ". "}
        </span>
      ))}
      <button type="button" onClick={() => store.preview(null)}>
        Back to the groups
      </button>
    </p>
  );
}
