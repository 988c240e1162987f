// The explorer in a browser, as people use it.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { answersOf, endAll, explore, type Running } from "./explorers";
import { example, written } from "./reports";

const WINE = [example("wine.csv"), "--label-column", "label", "-k", "4", "--seed", "0"];

test.afterAll(endAll);

/** Opens an explorer; what its page complains about, or asks of others, fails the test. */
async function open(page: Page, { url }: Running): Promise<void> {
  const trouble: string[] = [];
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") trouble.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) {
      trouble.push(request.url());
    }
  });
  await page.goto(url);
  await expect(page.locator("canvas[data-drawn]")).toBeVisible();
  await expect(page.getByRole("button", { name: "Yes" })).toBeVisible();
  expect(trouble).toEqual([]);
}

const status = (page: Page) => page.getByRole("status");

/** Once there is something to answer: keys pressed before the question is seen do nothing. */
async function answer(page: Page, key: string): Promise<void> {
  await expect(page.getByRole("button", { name: "Yes" })).toBeEnabled();
  await page.keyboard.press(key);
}

/** Sizes of the clusters by number, as the page lists them. */
async function sizes(page: Page): Promise<Record<string, number>> {
  const texts = await page.locator("ul.clusters button").allTextContents();
  return Object.fromEntries(
    texts.map((text) => {
      const [number = "", size = ""] = text.trim().split(/\s+/);
      return [number, Number(size.replace(",", ""))];
    }),
  );
}

/** Draws a lasso around everything within these parts of the map. */
async function lasso(page: Page, left: number, top: number, right: number, bottom: number) {
  const box = await page.locator(".canvas-box canvas").boundingBox();
  if (!box) throw new Error("the map has no box");
  const at = (x: number, y: number) => [box.x + x * box.width, box.y + y * box.height] as const;
  await page.mouse.move(...at(left, top));
  await page.mouse.down();
  for (const [x, y] of [
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const) {
    await page.mouse.move(...at(x, y), { steps: 4 });
  }
  await page.mouse.up();
}

for (const scheme of ["light", "dark"] as const) {
  test(`looks as it should, ${scheme}`, async ({ page }) => {
    const running = await explore(`looks-${scheme}`, WINE);
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await open(page, running);
    await lasso(page, 0.005, 0.005, 0.5, 0.45);
    await expect(page.getByRole("heading", { name: /selected/ })).toBeVisible();
    await expect(page.locator(".table-box tbody tr").first()).toBeVisible();
    await page.mouse.move(2, 2);
    await expect(page).toHaveScreenshot(`explore-${scheme}.png`);
  });

  test(`has nothing that axe objects to, ${scheme}`, async ({ page }) => {
    const running = await explore(`axe-${scheme}`, WINE);
    await page.emulateMedia({ colorScheme: scheme });
    await open(page, running);
    await lasso(page, 0.01, 0.01, 0.99, 0.99);
    await page.locator(".table-box .link").first().click();
    await expect(page.getByRole("button", { name: /Pin/ })).toBeVisible();
    await page.locator("ul.clusters button").first().click();
    await page.getByRole("button", { name: "What sets them apart" }).click();
    await expect(page.locator(".about .card")).toHaveCount(1, { timeout: 30_000 });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
  });
}

test("answers questions with keys, and takes answers back", async ({ page }) => {
  await open(page, await explore("keys", WINE));
  const before = await sizes(page);
  for (const [i, key] of ["y", "n", "u"].entries()) {
    await answer(page, key);
    await expect(status(page)).toContainText("Saved");
    expect(answersOf("keys")).toHaveLength(i + 1);
  }
  expect(answersOf("keys").map((line) => line.split(",")[2])).toEqual([
    "same",
    "different",
    "unsure",
  ]);
  for (const left of [2, 1, 0]) {
    await answer(page, "b");
    await expect(status(page)).toContainText("took back");
    await expect.poll(() => answersOf("keys").length).toBe(left);
  }
  expect(await sizes(page)).toEqual(before);
  await answer(page, "b");
  await expect(status(page)).toContainText("nothing to take back");
});

test("shows the groups at another strength at once", async ({ page }) => {
  await open(page, await explore("slider", WINE));
  const slider = page.getByRole("slider");
  const before = await sizes(page);
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(page.getByRole("heading", { name: "1 cluster", exact: true })).toBeVisible();
  await page.keyboard.press("End");
  await expect(slider).toHaveAttribute("aria-valuetext", /Strength 4:/);
  await expect.poll(() => sizes(page)).not.toEqual({ "0": 178 });
  await page.getByRole("button", { name: "Back to the groups" }).click();
  await expect.poll(() => sizes(page)).toEqual(before);
  expect(answersOf("slider")).toEqual([]);
});

test("selects with a lasso, and splits off and takes back as one step", async ({ page }) => {
  await open(page, await explore("lasso", [example("wine.csv"), "--label-column", "label"]));
  const before = await sizes(page);
  await lasso(page, 0.005, 0.005, 0.5, 0.5);
  const heading = page.getByRole("heading", { name: /selected/ });
  await expect(heading).toBeVisible();
  const count = Number(/\d+/.exec((await heading.textContent()) ?? "")?.[0]);
  expect(count).toBeGreaterThan(5);
  await expect(page.locator(".table-box tbody tr")).toHaveCount(count);
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(heading).toBeHidden();
  await page.locator("ul.clusters button").first().click();
  await page.getByRole("button", { name: /Select cluster/ }).click();
  await expect(page.locator(".table-box tbody tr")).toHaveCount(before["0"] ?? 0);
  await page.getByLabel(/An id, a row number/).fill("alcohol=13.05");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("button", { name: /^Select \d/ }).click();
  await expect(page.locator(".table-box tbody tr").first()).toBeVisible();
  await page.getByRole("button", { name: "Split off" }).click();
  await expect(status(page)).toContainText("Saved: splitting off");
  expect(answersOf("lasso").length).toBeGreaterThan(0);
  await page.getByRole("button", { name: /Undo: splitting/ }).click();
  await expect(status(page)).toContainText("took back splitting off");
  expect(answersOf("lasso")).toEqual([]);
  await expect.poll(() => sizes(page)).toEqual(before);
});

test("merges clusters, and says what changed", async ({ page }) => {
  await open(page, await explore("merge", WINE));
  const before = await sizes(page);
  await page.locator("ul.clusters button").nth(1).click();
  await page.getByLabel(/Merge cluster/).selectOption("2");
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  await expect(status(page)).toContainText(/Saved: merging clusters 1 and 2 by \d+ links/);
  await expect(status(page)).not.toContainText("do not follow");
  await page.reload();
  await expect(page.locator("canvas[data-drawn]")).toBeVisible();
  await page.getByRole("button", { name: /Undo: merging/ }).click();
  await expect(status(page)).toContainText("took back");
  await expect.poll(() => sizes(page)).toEqual(before);
});

test("drags an object onto a cluster", async ({ page }) => {
  await open(page, await explore("drag", WINE));
  await page.getByLabel(/An id, a row number/).fill("0");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("button", { name: "row 0", exact: true }).first().click();
  await expect(page.getByText(/row 0 is in/)).toBeVisible();
  const ring = page.locator(".over > .ring").last().locator("circle");
  const at = await ring.boundingBox();
  const numbers = await page.locator(".cluster-number").all();
  const own = await page.locator(".table-box .cluster-cell").first().textContent();
  let target = numbers[0];
  for (const number of numbers) {
    if ((await number.textContent()) !== own?.trim()) target = number;
  }
  const to = await target?.boundingBox();
  if (!at || !to) throw new Error("nothing to drag");
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 3 });
  await page.mouse.up();
  await expect(status(page)).toContainText(/Saved: moving 1 object to cluster/);
  expect(answersOf("drag").length).toBeGreaterThan(0);
});

test("searches, explains and pins", async ({ page }) => {
  await open(page, await explore("search", [example("karate.edges")]));
  await page.getByLabel(/An id, a row number/).fill("33");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "33", exact: true }).click();
  await expect(page.getByText(/33 is in cluster/)).toBeVisible();
  await page.getByRole("button", { name: /Pin/ }).click();
  await expect(status(page)).toContainText("pinning 33");
  expect(answersOf("search")).toHaveLength(3);
});

test("goes on where it was after a kill", async ({ page }) => {
  const first = await explore("killed", WINE);
  await open(page, first);
  await answer(page, "y");
  await expect(status(page)).toContainText("Saved");
  await answer(page, "n");
  await expect.poll(() => answersOf("killed").length).toBe(2);
  await first.end("SIGKILL");
  await answer(page, "y");
  await expect(status(page)).toContainText("does not reply");
  expect(answersOf("killed")).toHaveLength(2);
  await page.close();
});

test("has all answers when it starts again", async ({ page }) => {
  const lines = answersOf("killed");
  expect(lines).toHaveLength(2);
  await open(page, await explore("killed", WINE, true));
  await expect(status(page)).toContainText("2 answers were there");
  await answer(page, "u");
  await expect.poll(() => answersOf("killed").length).toBe(3);
  expect(answersOf("killed").slice(0, 2)).toEqual(lines);
});

test("keeps two windows apart", async ({ page, context }) => {
  const running = await explore("windows", WINE);
  await open(page, running);
  const other = await context.newPage();
  await open(other, running);
  await answer(page, "y");
  await expect(status(page)).toContainText("Saved");
  await answer(other, "n");
  await expect(status(other)).toContainText("Another window");
  expect(answersOf("windows")).toHaveLength(1);
  await answer(other, "n");
  await expect(status(other)).toContainText("Saved");
  expect(answersOf("windows")).toHaveLength(2);
});

test("is used with the keyboard alone", async ({ page }) => {
  await open(page, await explore("keyboard", WINE));
  const seen: string[] = [];
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      const style = element ? getComputedStyle(element) : null;
      return `${element?.tagName} ${element?.textContent?.trim().slice(0, 30)} ${style?.outlineStyle}`;
    });
    if (focused.startsWith("BODY")) break;
    seen.push(focused);
  }
  expect(seen[0]).toContain("Skip to the question");
  expect(seen.filter((text) => text.endsWith("none"))).toEqual([]);
  for (const needed of ["CANVAS", "INPUT", "BUTTON Yes", "A Labels"]) {
    expect(seen.some((text) => text.startsWith(needed))).toBe(true);
  }
  await page.locator("ul.clusters button").nth(1).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /Select cluster/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /selected/ })).toBeVisible();
  await page.locator(".canvas-box canvas").focus();
  await page.keyboard.press("+");
  await expect(page.getByRole("button", { name: "Whole map" })).toBeEnabled();
  await page.keyboard.press("0");
  await expect(page.getByRole("button", { name: "Whole map" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: /selected/ })).toBeHidden();
});

test("saves labels, answers, model and report", async ({ page }) => {
  await open(page, await explore("files", WINE));
  for (const [name, file] of [
    ["Labels", "labels.csv"],
    ["Answers", "answers.csv"],
    ["Model", "clusters.model"],
    ["Report", "report.html"],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(file);
    expect(await download.failure()).toBeNull();
  }
});

test("shows hostile data as text", async ({ page }) => {
  const evil = [
    "<script>window.attacked=1</script>",
    '"><img src=x onerror=window.attacked=1>',
    "\u202egnp.exe\u2066",
    "\u001b[31mred\u0007",
    "x".repeat(1_000_000),
    "&lt;b&gt;{{7*7}}",
  ];
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = [["name", "<i>note</i>", "value"].join(",")];
  for (let i = 0; i < 30; ++i) {
    lines.push([quoted(evil[i % evil.length] ?? ""), quoted(`n${i % 3}`), String(i % 7)].join(","));
  }
  const file = written("evil<b>table.csv", `${lines.join("\n")}\n`);
  await open(page, await explore("evil", [file, "-k", "3"]));
  await lasso(page, 0.005, 0.005, 0.995, 0.995);
  await expect(page.locator(".table-box tbody tr").first()).toBeVisible();
  await page.getByLabel(/An id, a row number/).fill("<script>");
  await page.keyboard.press("Enter");
  await expect(status(page)).toContainText("found");
  expect(await page.evaluate(() => "attacked" in window)).toBe(false);
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.locator("main script").count()).toBe(0);
  const text = (await page.locator("main").textContent()) ?? "";
  expect(text).toContain("<script>window.attacked=1</script>");
  for (const forbidden of ["\u202e", "\u2066", "\u001b", "\u0007"]) {
    expect(text).not.toContain(forbidden);
  }
  expect(text.length).toBeLessThan(200_000);
});
