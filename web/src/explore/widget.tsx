// The explorer in a cell of a notebook: a module as anywidget loads it. Requests travel over the
// kernel; the selection is a trait that page and Python share.
import { render } from "preact";
import type { Theme } from "../palette";
import pageStyle from "../style.css?inline";
import { Api, type Reply, type Transport } from "./api";
import style from "./explore.css?inline";
import { Explorer } from "./explorer";
import { Store } from "./store";

/** What anywidget gives of a model. */
export interface WidgetModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, listener: (...values: never[]) => void): void;
  off(event: string, listener: (...values: never[]) => void): void;
  send(content: unknown): void;
}

interface Answered {
  kind: "reply";
  id: string;
  status: number;
}

/** Requests as messages to the kernel, and its replies. */
export function overKernel(model: WidgetModel): { transport: Transport; close: () => void } {
  const waiting = new Map<string, (reply: Reply) => void>();
  const view = Math.random().toString(36).slice(2); // the kernel replies to all views of a widget
  let last = 0;
  const listener = (content: Answered | { kind: "changed" }, buffers: DataView[]) => {
    if (content.kind !== "reply") return;
    const [bytes] = buffers;
    const body = bytes
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice().buffer
      : new ArrayBuffer(0);
    waiting.get(content.id)?.({ status: content.status, body });
    waiting.delete(content.id);
  };
  model.on("msg:custom", listener as never);
  return {
    transport: (path, body) =>
      new Promise((done) => {
        const id = `${view}-${++last}`;
        waiting.set(id, done);
        model.send({ kind: "ask", id, path, body: body ?? null });
      }),
    close: () => model.off("msg:custom", listener as never),
  };
}

/** Styles of a page, for an element within its own root. */
export const scoped = (css: string): string =>
  css
    .replace(/:root\[([^\]]*)\]/g, ":host([$1])")
    .replace(/:root\b/g, ":host")
    .replace(/(^|[},\s])(html|body)(\.explorer)?(?=\s*\{)/g, "$1.explorer");

function themeOfNotebook(): Theme | null {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false" ? "dark" : "light";
  if (vscodeThemeKind) return vscodeThemeKind.includes("dark") ? "dark" : "light";
  return null;
}

/** Offers a file to save, as a link to an address does. */
async function saveFile(api: Api, file: string): Promise<void> {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([await api.bytes(file)]));
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function show({ model, el }: { model: WidgetModel; el: HTMLElement }): () => void {
  const { transport, close } = overKernel(model);
  const api = new Api(transport);
  const store = new Store(api);
  const host = document.createElement("div");
  host.className = "shiftcut-explorer";
  // Keys are for the explorer, not for the notebook: "b" would add a cell.
  host.dataset.lmSuppressShortcuts = "true";
  host.addEventListener("keydown", (event) => event.stopPropagation());
  const place = document.createElement("div");
  place.className = "explorer in-cell";
  place.tabIndex = -1;
  const sheet = document.createElement("style");
  sheet.textContent = scoped(pageStyle + style);
  host.attachShadow({ mode: "open" }).append(sheet, place);
  el.append(host);
  const first = themeOfNotebook();
  host.dataset.theme = first ?? "light";
  render(
    <Explorer
      store={store}
      api={api}
      root={host}
      keys={place}
      first={first}
      save={(file) => store.guarded(() => saveFile(api, file))}
    />,
    place,
  );

  let sent: readonly number[] = [];
  const stop = store.subscribe(() => {
    // A button that is disabled while a change is saved must not lose the keys to the notebook.
    if (store.busy && host.shadowRoot?.activeElement) place.focus({ preventScroll: true });
    const selection = store.model?.selection ?? sent;
    if (selection === sent) return;
    sent = selection;
    model.set("selection", [...selection]);
    model.save_changes();
  });
  const onSelection = () => {
    const wanted = model.get("selection") as number[];
    if (wanted.length === sent.length && wanted.every((one, i) => one === sent[i])) return;
    sent = wanted;
    store.select(wanted);
  };
  const onMessage = (content: { kind: string }) => {
    if (content.kind === "changed") store.load();
  };
  model.on("change:selection", onSelection);
  model.on("msg:custom", onMessage as never);
  store.load().then(onSelection);
  return () => {
    stop();
    model.off("change:selection", onSelection);
    model.off("msg:custom", onMessage as never);
    close();
    render(null, place);
    host.remove();
  };
}

export default { render: show };
