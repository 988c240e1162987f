// What the page knows, and what happens to it: loading, changes, the selection, the slider.

import type { State } from "./api";
import {
  type Api,
  type Changed,
  type Explanation,
  type Question,
  Refused,
  type Rows,
  type Says,
} from "./api";
import { onGrid, type Points } from "./geometry";

export interface Model {
  state: State;
  points: Points;
  /** Of the groups as they are. */
  labels: Int32Array;
  /** The point of the path that is shown instead, and its labels; null: the groups as they are. */
  preview: { point: number; labels: Int32Array } | null;
  question: Question | { done: true } | null;
  selection: number[];
  rows: Rows | null;
  /** Objects that the last change moved. */
  changed: number[];
  /** The cluster that stands out. */
  chosen: number | null;
  why: Explanation | null;
  /** The object that is explained. */
  object: number | null;
}

export type Status = { text: string; kind: "plain" | "saved" | "trouble" };

export const ROWS_SHOWN = 200;
const MOST_KEPT_POINTS = 64_000_000; // bytes of labels along the path

export class Store {
  model: Model | null = null;
  status: Status = { text: "Loading …", kind: "plain" };
  busy = false;
  private readonly listeners = new Set<() => void>();
  private readonly ofPoints = new Map<number, Int32Array>();
  private wanted: number | null = null;

  constructor(private readonly api: Api) {}

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  say(text: string, kind: Status["kind"] = "plain"): void {
    this.status = { text, kind };
    this.emit();
  }

  /** The labels that are shown. */
  get shown(): Int32Array {
    return this.model?.preview?.labels ?? this.model?.labels ?? new Int32Array();
  }

  async load(): Promise<void> {
    try {
      const [places, { state, labels }] = await Promise.all([
        this.model ? null : this.api.bytes("api/places"),
        this.current(),
      ]);
      const before = this.model;
      const points = before?.points ?? onGrid(new Float32Array(places ?? new ArrayBuffer(0)));
      this.ofPoints.clear();
      this.model = {
        state,
        points,
        labels,
        preview: null,
        question: null,
        selection: before?.selection ?? [],
        rows: before?.rows ?? null,
        changed: [],
        chosen: null,
        why: null,
        object: null,
      };
      this.say(
        state.answers > 0
          ? `${state.answers} answers were there already.`
          : "Answer the question, or select objects on the map.",
      );
      await this.ask();
    } catch (error) {
      this.fail(error);
    }
  }

  /** The next question. */
  async ask(): Promise<void> {
    const question = await this.api.json<Question | { done: true }>("api/question");
    this.update({ question });
  }

  answer(says: Says): Promise<void> {
    const asked = this.model?.question;
    if (!asked || asked.done) return Promise.resolve();
    return this.change("api/answer", { a: asked.a, b: asked.b, says });
  }

  undo(): Promise<void> {
    if (!this.model?.state.undo) {
      this.say("There is nothing to take back.");
      return Promise.resolve();
    }
    return this.change("api/undo", {});
  }

  /** One change at a time; what another window has changed is shown before anything else. */
  async change(path: string, body: Record<string, unknown>): Promise<void> {
    const { model } = this;
    if (!model || this.busy) return;
    this.busy = true;
    this.say("Saving …");
    try {
      const before = model.state.undo;
      const reply = await this.api.json<Changed>(path, { ...body, version: model.state.version });
      await this.take(reply);
      this.say(saved(reply, path === "api/undo" ? before : null), "saved");
      await this.ask();
    } catch (error) {
      if (error instanceof Refused && error.status === 409) {
        await this.load();
        this.say("Another window has changed the groups: this is how they are now.", "trouble");
      } else {
        this.fail(error);
      }
    } finally {
      this.busy = false;
      this.emit();
    }
  }

  /** Shows the groups at a point of the path; null: as they are. */
  async preview(point: number | null): Promise<void> {
    this.wanted = point;
    if (point === null) {
      this.update({ preview: null });
      return;
    }
    let labels = this.ofPoints.get(point);
    if (!labels) {
      try {
        labels = (await this.api.labels(point)).labels;
      } catch (error) {
        this.fail(error);
        return;
      }
      while (
        this.ofPoints.size > 0 &&
        (this.ofPoints.size + 1) * labels.byteLength > MOST_KEPT_POINTS
      ) {
        const [oldest] = this.ofPoints.keys();
        this.ofPoints.delete(oldest ?? 0);
      }
      this.ofPoints.set(point, labels);
    }
    if (this.wanted === point) this.update({ preview: { point, labels }, chosen: null });
  }

  choose(chosen: number | null): void {
    this.update({ chosen, changed: [] });
  }

  async select(selection: number[]): Promise<void> {
    this.update({ selection, rows: null, changed: [], chosen: null });
    if (selection.length === 0) return;
    this.say(`${selection.length} selected.`);
    await this.guarded(async () => {
      const objects = selection.slice(0, ROWS_SHOWN);
      const rows = await this.api.json<Rows>("api/rows", { objects });
      if (this.model?.selection === selection) this.update({ rows });
    });
  }

  /** Why an object is where it is. */
  async explain(object: number): Promise<void> {
    this.update({ object, why: null });
    await this.guarded(async () => {
      const why = await this.api.json<Explanation>(`api/explain?object=${object}`);
      if (this.model?.object === object) this.update({ why });
    });
  }

  async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.fail(error);
    }
  }

  private async current(): Promise<{ state: State; labels: Int32Array }> {
    for (;;) {
      const state = await this.api.json<State>("api/state");
      const { version, labels } = await this.api.labels();
      if (version === state.version) return { state, labels };
    }
  }

  private async take(reply: Changed): Promise<void> {
    const { model } = this;
    if (!model) return;
    const { changed, changed_count: _count, links: _links, ...state } = reply;
    const moved: number[] = [];
    if (changed) {
      const labels = model.labels.slice();
      for (const [object, label] of changed) {
        labels[object] = label;
        moved.push(object);
      }
      this.update({ state, labels, changed: moved, preview: null, why: null });
    } else {
      const { labels } = await this.api.labels();
      for (let i = 0; i < labels.length; ++i) if (labels[i] !== model.labels[i]) moved.push(i);
      this.update({ state, labels, changed: moved, preview: null, why: null });
    }
    this.ofPoints.clear();
    this.wanted = null;
    if (model.object !== null && model.why) await this.explain(model.object);
  }

  private fail(error: unknown): void {
    this.say(error instanceof Error ? error.message : String(error), "trouble");
  }

  private update(part: Partial<Model>): void {
    if (this.model) this.model = { ...this.model, ...part };
    this.emit();
  }

  private emit(): void {
    for (const listener of this.listeners) listener();
  }
}

/** What a change did, in words. */
export function saved(reply: Changed, takenBack: string | null): string {
  const count = reply.changed_count;
  const moved =
    count === 0
      ? "no object changed cluster"
      : `${count} ${count === 1 ? "object" : "objects"} changed cluster`;
  if (takenBack) return `Saved: took back ${takenBack}; ${moved}.`;
  const by = reply.links > 1 ? ` by ${reply.links} links` : "";
  const partly = reply.followed === false ? " The groups do not follow: the links are kept." : "";
  return `Saved: ${reply.undo ?? "a change"}${by}; ${moved}.${partly}`;
}

/** From which cluster to which the objects went, the largest flows first. */
export function flows(
  before: Int32Array,
  after: Int32Array,
  most: number,
): { from: number; to: number; objects: number }[] {
  const counts = new Map<string, { from: number; to: number; objects: number }>();
  for (let i = 0; i < after.length; ++i) {
    const [from, to] = [before[i] ?? -1, after[i] ?? -1];
    if (from === to) continue;
    const flow = counts.get(`${from} ${to}`) ?? { from, to, objects: 0 };
    ++flow.objects;
    counts.set(`${from} ${to}`, flow);
  }
  return [...counts.values()].sort((a, b) => b.objects - a.objects).slice(0, most);
}
