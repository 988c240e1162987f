// The slider over the strengths of the shift.
import type { JSX } from "preact";
import { counted, short } from "../numbers";
import { FlowsPanel } from "./selection";
import type { Model, Store } from "./store";

export function StrengthPanel({ store, model }: { store: Store; model: Model }): JSX.Element {
  const { path, strength } = model.state;
  if (path === null || path.points.length < 2) {
    return (
      <p class="quiet strength">
        The strength of the shift, {short(strength)}, was given or has no path: there is none to
        move along.
      </p>
    );
  }
  // The path is by decreasing strength; the slider goes from weak to strong.
  const last = path.points.length - 1;
  const at = model.preview?.point ?? path.chosen;
  const point = path.points[at];
  const words = point
    ? `Strength ${short(point.strength)}: ${counted(point.clusters, "cluster")}`
    : "";
  return (
    <section class="strength" aria-labelledby="strength-title">
      <h2 id="strength-title" class="hidden">
        Strength of the shift
      </h2>
      <label for="strength">
        {words}
        {model.preview === null && " (chosen; with the answers)"}
      </label>
      <input
        id="strength"
        type="range"
        min={0}
        max={last}
        step={1}
        value={last - at}
        aria-valuetext={words}
        onInput={(event) => {
          const next = last - Number(event.currentTarget.value);
          store.preview(next === path.chosen ? null : next);
        }}
      />
      <span class="ends" aria-hidden="true">
        <span>few clusters</span>
        <span>many</span>
      </span>
      <FlowsPanel store={store} model={model} />
    </section>
  );
}
