// The widget in a page that looks like a notebook, and its Python in a process that plays the kernel.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, type Page, test } from "@playwright/test";

const root = resolve(import.meta.dirname, "../..");
const python = process.env.SHIFTCUT_PYTHON ?? resolve(root, ".venv/bin/python");
const module = readFileSync(resolve(import.meta.dirname, "../dist/widget.js"), "utf8");

const NOTEBOOK = `<!doctype html><html lang="en"><head><title>Notebook</title>
<style>button { font-size: 40px } h2 { color: #c00 }</style></head>
<body data-jp-theme-light="true"><main><h1>Notebook</h1><p id="text">A cell</p><div id="cell"></div></main>
<script type="module">
import widget from "/widget.js";
const listeners = { "msg:custom": new Set(), "change:selection": new Set() };
let selection = [];
window.keys = [];
document.addEventListener("keydown", (event) => window.keys.push(event.key));
window.fromKernel = (line) => {
  if (line.content !== undefined) {
    const buffers = line.buffers.map((text) =>
      new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer));
    for (const listener of listeners["msg:custom"]) listener(line.content, buffers);
  } else if (JSON.stringify(line.selection) !== JSON.stringify(selection)) {
    selection = line.selection;
    for (const listener of listeners["change:selection"]) listener();
  }
};
const model = {
  get: () => selection,
  set: (_, value) => { selection = value; },
  save_changes: () => window.toKernel({ set: selection }),
  on: (event, listener) => listeners[event].add(listener),
  off: (event, listener) => listeners[event].delete(listener),
  send: (content) => window.toKernel({ content }),
};
window.remove = widget.render({ model, el: document.getElementById("cell") });
window.heard = () => listeners["msg:custom"].size + listeners["change:selection"].size;
</script></body></html>`;

interface State {
  selection: number[];
  answers: [number, number, boolean | null][];
  clusters: number;
}

class Kernel {
  state: State = { selection: [], answers: [], clusters: 0 };
  trouble = "";
  private readonly process: ChildProcess;

  constructor(page: Page) {
    this.process = spawn(python, [resolve(import.meta.dirname, "kernel.py")]);
    this.process.stderr?.on("data", (text) => {
      this.trouble += String(text);
    });
    createInterface({ input: this.process.stdout as NodeJS.ReadableStream }).on("line", (text) => {
      const line = JSON.parse(text);
      if ("selection" in line) this.state = line;
      page.evaluate((one) => (window as never as Window2).fromKernel?.(one), line).catch(() => {});
    });
  }

  tell(line: unknown): void {
    this.process.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  end(): void {
    this.process.kill();
  }
}

interface Window2 {
  fromKernel?: (line: unknown) => void;
  keys: string[];
  remove: () => void;
  heard: () => number;
}

let kernel: Kernel;

test.beforeEach(async ({ page }) => {
  page.on("pageerror", (error) => {
    kernel.trouble += String(error);
  });
  await page.route("http://notebook.test/**", (route) =>
    route.request().url().endsWith("widget.js")
      ? route.fulfill({ body: module, contentType: "text/javascript" })
      : route.fulfill({ body: NOTEBOOK, contentType: "text/html" }),
  );
  kernel = new Kernel(page);
  await expect.poll(() => kernel.state.clusters || kernel.trouble).toBe(4);
  await page.exposeFunction("toKernel", (line: unknown) => kernel.tell(line));
  await page.goto("http://notebook.test/");
  await expect(page.locator("canvas[data-drawn='178']")).toBeVisible();
  await expect(page.getByRole("button", { name: "Yes" })).toBeEnabled();
});

test.afterEach(() => {
  kernel.end();
  expect(kernel.trouble).toBe("");
});

test("teaches Python, and its keys are not those of the notebook", async ({ page }) => {
  await page.getByRole("heading", { name: "wine" }).click();
  for (const key of ["y", "n", "u"]) {
    const count = kernel.state.answers.length;
    await expect(page.getByRole("button", { name: "Yes" })).toBeEnabled();
    await page.keyboard.press(key);
    await expect.poll(() => kernel.state.answers.length).toBe(count + 1);
  }
  expect(kernel.state.answers.map(([, , same]) => same)).toEqual([true, false, null]);
  await page.getByRole("button", { name: "Yes" }).click();
  await expect.poll(() => kernel.state.answers.length).toBe(4);
  await expect(page.getByRole("button", { name: "Yes" })).toBeEnabled();
  await page.keyboard.press("b");
  await expect.poll(() => kernel.state.answers.length).toBe(3);
  expect(await page.evaluate(() => (window as never as Window2).keys)).toEqual([]);
  await page.locator("#text").click();
  await page.keyboard.press("y");
  expect(await page.evaluate(() => (window as never as Window2).keys)).toEqual(["y"]);
  expect(kernel.state.answers).toHaveLength(3);
});

test("shares the selection, and shows what Python answers", async ({ page }) => {
  await page.locator("ul.clusters button").nth(1).click();
  await page.getByRole("button", { name: /Select cluster/ }).click();
  await expect(page.getByRole("heading", { name: /selected/ })).toBeVisible();
  await expect.poll(() => kernel.state.selection.length).toBeGreaterThan(5);
  kernel.tell({ answer: [0, 100, false], select: [7, 8, 9] });
  await expect(page.getByRole("heading", { name: "3 selected" })).toBeVisible();
  await expect(page.getByText("178 objects, 1 answer")).toBeVisible();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect.poll(() => kernel.state.selection).toEqual([]);
});

test("merges, saves files, and leaves nothing behind", async ({ page }) => {
  await page.locator("ul.clusters button").nth(1).click();
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  await expect(page.getByRole("status")).toContainText("Saved: merging clusters");
  await expect.poll(() => kernel.state.clusters).toBe(3);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Labels" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("labels.csv");
  expect(readFileSync(await download.path(), "utf8").split("\n")).toHaveLength(180);
  await page.evaluate(() => (window as never as Window2).remove());
  await expect(page.locator("#cell > *")).toHaveCount(0);
  expect(await page.evaluate(() => (window as never as Window2).heard())).toBe(0);
});

test("keeps its styles to itself, and those of the notebook out", async ({ page }) => {
  const size = await page
    .getByRole("button", { name: "Yes" })
    .evaluate((button) => getComputedStyle(button).fontSize);
  expect(Number.parseFloat(size)).toBeLessThan(20);
  const text = await page.locator("#text").evaluate((p) => getComputedStyle(p).marginBottom);
  expect(text).toBe("16px"); // as without the widget
});
