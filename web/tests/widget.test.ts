import { describe, expect, test } from "vitest";
import { overKernel, scoped, type WidgetModel } from "../src/explore/widget";

/** A model whose kernel replies only when the test asks it to. */
class Kernel implements WidgetModel {
  sent: { id: string; path: string; body: string | null }[] = [];
  private readonly listeners = new Set<(content: unknown, buffers: DataView[]) => void>();

  get(): unknown {
    return [];
  }
  set(): void {}
  save_changes(): void {}
  on(_event: string, listener: (...values: never[]) => void): void {
    this.listeners.add(listener as never);
  }
  off(_event: string, listener: (...values: never[]) => void): void {
    this.listeners.delete(listener as never);
  }
  send(content: unknown): void {
    this.sent.push(content as never);
  }
  reply(content: unknown, text: string): void {
    const padded = new TextEncoder().encode(`--${text}--`);
    const view = new DataView(padded.buffer, 2, padded.byteLength - 4);
    for (const listener of this.listeners) listener(content, [view]);
  }
  get heard(): number {
    return this.listeners.size;
  }
}

describe("requests over a kernel", () => {
  test("get their own replies, in any order", async () => {
    const kernel = new Kernel();
    const { transport, close } = overKernel(kernel);
    const first = transport("api/state");
    const second = transport("api/undo", "{}");
    expect(kernel.sent.map(({ path, body }) => [path, body])).toEqual([
      ["api/state", null],
      ["api/undo", "{}"],
    ]);
    kernel.reply({ kind: "changed" }, "");
    kernel.reply({ kind: "reply", id: kernel.sent[1]?.id, status: 409 }, "late");
    kernel.reply({ kind: "reply", id: kernel.sent[0]?.id, status: 200 }, "state");
    const texts = [];
    for (const reply of [await first, await second]) {
      texts.push([reply.status, new TextDecoder().decode(reply.body)]);
    }
    expect(texts).toEqual([
      [200, "state"],
      [409, "late"],
    ]);
    close();
    expect(kernel.heard).toBe(0);
  });
});

describe("styles in a cell", () => {
  test("touch nothing outside of it", () => {
    const css =
      ':root { a: b } :root[data-theme="dark"] { c: d } html { e: f } body.explorer { g: h }';
    expect(scoped(css)).toBe(
      ':host { a: b } :host([data-theme="dark"]) { c: d } .explorer { e: f } .explorer { g: h }',
    );
    expect(scoped("body{x:y}*{b:c}html{d:e}")).toBe(".explorer{x:y}*{b:c}.explorer{d:e}");
  });
});
