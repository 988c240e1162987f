// The explorer: the map with the question beside it, the selection and the clusters below. The
// program serves it as a page (main.tsx), and a notebook shows it in a cell (widget.tsx).
import type { JSX } from "preact";
import { useEffect, useReducer } from "preact/hooks";
import { Name } from "../name";
import { counted } from "../numbers";
import type { Theme } from "../palette";
import { ThemeContext, useTheme } from "../theme";
import { AboutPanel } from "./about";
import type { Api, Says } from "./api";
import { MapPanel } from "./map";
import { ClustersPanel, QuestionPanel, SearchPanel, WhyPanel } from "./panels";
import { SelectionPanel } from "./selection";
import type { Store } from "./store";
import { StrengthPanel } from "./strength";

const KEYS: Record<string, Says> = { y: "same", n: "different", u: "unsure" };

export function Explorer(props: {
  store: Store;
  api: Api;
  /** Has the theme as an attribute: of a page, the whole of it. */
  root: HTMLElement;
  /** What keys are pressed in. */
  keys?: HTMLElement;
  first?: Theme | null;
  /** Saves a file where an address is not enough. */
  save?: (file: string) => void;
}): JSX.Element {
  const { store, api, root, keys = root, first, save } = props;
  const [theme, toggle] = useTheme(root, first);
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
    keys.addEventListener("keydown", onKey);
    return () => keys.removeEventListener("keydown", onKey);
  }, [store, keys]);
  const { model, status } = store;
  const Main = save ? "div" : "main"; // a notebook has a main part of its own
  return (
    <ThemeContext.Provider value={theme}>
      {!save && (
        <a class="skip" href="#question-title">
          Skip to the question
        </a>
      )}
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
        <Main class="panels">
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
            <Downloads save={save} />
          </div>
        </Main>
      )}
    </ThemeContext.Provider>
  );
}

function Warnings({ warnings }: { warnings: string[] }): JSX.Element | null {
  if (warnings.length === 0) return null;
  return (
    <details class="warnings">
      <summary>{counted(warnings.length, "warning")}</summary>
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

function Downloads({ save }: { save?: ((file: string) => void) | undefined }): JSX.Element {
  return (
    <section aria-labelledby="downloads-title">
      <h2 id="downloads-title">Save</h2>
      <p class="buttons">
        {FILES.map(([file, text]) =>
          save ? (
            <button key={file} type="button" onClick={() => save(file)}>
              {text}
            </button>
          ) : (
            <a key={file} class="button" href={file} download={file}>
              {text}
            </a>
          ),
        )}
      </p>
    </section>
  );
}
