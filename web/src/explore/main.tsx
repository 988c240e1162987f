// The explorer: the map with the question beside it, the selection and the clusters below.
import { type JSX, render } from "preact";
import { useEffect, useReducer } from "preact/hooks";
import { Name } from "../name";
import { count, counted } from "../numbers";
import { ThemeContext, useTheme } from "../theme";
import "../style.css";
import "./explore.css";
import { AboutPanel } from "./about";
import { Api, overHttp, type Says } from "./api";
import { MapPanel } from "./map";
import { ClustersPanel, QuestionPanel, SearchPanel, WhyPanel } from "./panels";
import { SelectionPanel } from "./selection";
import { Store } from "./store";
import { StrengthPanel } from "./strength";

const KEYS: Record<string, Says> = { y: "same", n: "different", u: "unsure" };

export function Explorer({ store, api }: { store: Store; api: Api }): JSX.Element {
  const [theme, toggle] = useTheme();
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => store.subscribe(() => again(undefined as never)), [store]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (
        event.target instanceof HTMLElement &&
        event.target.closest("input:not([type=range]), select, textarea")
      )
        return;
      const says = KEYS[event.key];
      if (says) store.answer(says);
      else if (event.key === "b") store.undo();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [store]);
  const { model, status } = store;
  return (
    <ThemeContext.Provider value={theme}>
      <a class="skip" href="#question-title">
        Skip to the question
      </a>
      <header>
        <div class="title">
          <h1>
            <Name text={model?.state.name ?? "Shiftcut"} />
          </h1>
          {model && (
            <p class="quiet">
              {counted(model.state.objects, "object")}, {counted(model.state.answers, "answer")}
            </p>
          )}
        </div>
        <p class={`status ${status.kind}`} role="status">
          {status.text}
        </p>
        <div class="buttons">
          <button
            type="button"
            onClick={() => store.undo()}
            disabled={store.busy || !model?.state.undo}
            aria-keyshortcuts="b"
          >
            Undo{model?.state.undo ? `: ${model.state.undo}` : ""} <kbd>b</kbd>
          </button>
          <button type="button" onClick={toggle}>
            {theme === "dark" ? "Light" : "Dark"}
          </button>
        </div>
      </header>
      {model && (
        <main>
          <div class="left">
            <MapPanel store={store} model={model} />
            <StrengthPanel store={store} model={model} />
            <SelectionPanel store={store} model={model} />
            <AboutPanel store={store} model={model} api={api} />
          </div>
          <div class="right">
            <QuestionPanel store={store} model={model} />
            <ClustersPanel store={store} model={model} />
            <WhyPanel store={store} model={model} />
            <SearchPanel store={store} api={api} />
            <Warnings warnings={model.state.warnings} />
            <Downloads />
          </div>
        </main>
      )}
    </ThemeContext.Provider>
  );
}

function Warnings({ warnings }: { warnings: string[] }): JSX.Element | null {
  if (warnings.length === 0) return null;
  return (
    <details class="warnings">
      <summary>{count(warnings.length)} to watch out for</summary>
      <ul>
        {warnings.map((text, i) => (
          <li key={i}>
            <Name text={text} />
          </li>
        ))}
      </ul>
    </details>
  );
}

const FILES: [string, string][] = [
  ["labels.csv", "Labels"],
  ["answers.csv", "Answers"],
  ["clusters.model", "Model"],
  ["report.html", "Report"],
];

function Downloads(): JSX.Element {
  return (
    <section aria-labelledby="downloads-title">
      <h2 id="downloads-title">Save</h2>
      <p class="buttons">
        {FILES.map(([file, text]) => (
          <a key={file} class="button" href={file} download={file}>
            {text}
          </a>
        ))}
      </p>
    </section>
  );
}

const root = document.getElementById("explorer");
if (root) {
  const api = new Api(overHttp);
  const store = new Store(api);
  root.replaceChildren();
  render(<Explorer store={store} api={api} />, root);
  store.load().then(() => {
    if (store.model) document.title = `${store.model.state.name} – Shiftcut`;
  });
}
