// The report in a browser, as its readers meet it.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { example, points, report, written } from "./reports";

const wine = () =>
  report("wine", [example("wine.csv"), "--label-column", "label", "-k", "3", "--seed", "0"]);

/** Opens a page; whatever it asks the network for or complains about fails the test. */
async function open(page: Page, url: string): Promise<void> {
  const trouble: string[] = [];
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") trouble.push(message.text());
  });
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:")) trouble.push(request.url());
  });
  await page.goto(url);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(trouble).toEqual([]);
}

for (const scheme of ["light", "dark"] as const) {
  test(`looks as it should, ${scheme}`, async ({ page }) => {
    await page.setViewportSize({ width: 900, height: 700 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await open(page, wine().url);
    await expect(page.locator("#map canvas[data-drawn='178']")).toBeVisible();
    await expect(page).toHaveScreenshot(`wine-${scheme}.png`);
  });

  test(`has nothing that axe objects to, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await open(page, wine().url);
    for (const details of await page.locator("details").all()) {
      await details.locator("summary").click();
    }
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
  });
}

test("is read without colours, on paper and on a telephone", async ({ page }) => {
  await page.setViewportSize({ width: 380, height: 720 });
  await open(page, wine().url);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(380);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await expect(page.getByRole("navigation")).toBeHidden();
});

test("is used with the keyboard alone", async ({ page }) => {
  await open(page, wine().url);
  const seen: string[] = [];
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      const style = element ? getComputedStyle(element) : null;
      return `${element?.tagName} ${element?.textContent?.trim().slice(0, 30)} ${style?.outlineStyle}`;
    });
    if (focused.startsWith("BODY")) break;
    seen.push(focused);
  }
  expect(seen[0]).toContain("Skip to the content");
  expect(seen.filter((text) => text.endsWith("none"))).toEqual([]);
  expect(seen.some((text) => text.startsWith("CANVAS"))).toBe(true);
  await page.locator("#map canvas").focus();
  const before = await page.locator("#map canvas").screenshot();
  await page.keyboard.press("+");
  await page.keyboard.press("ArrowLeft");
  expect(await page.locator("#map canvas").screenshot()).not.toEqual(before);
  await page.keyboard.press("0");
  const button = page.getByRole("button", { name: "1", exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(button).toHaveAttribute("aria-pressed", "true");
});

test("turns dark at the press of a button", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await open(page, wine().url);
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("names an object under the mouse", async ({ page }) => {
  await open(page, wine().url);
  const canvas = page.locator("#map canvas");
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (!box) throw new Error("the canvas has no box");
  const tip = page.locator(".tip");
  for (let y = 20; y < box.height && !(await tip.isVisible()); y += 40) {
    for (let x = 10; x < box.width && !(await tip.isVisible()); x += 15) {
      await page.mouse.move(box.x + x, box.y + y);
    }
  }
  await expect(page.locator(".tip")).toContainText("cluster");
});

test("shows hostile names as text", async ({ page }) => {
  const evil = [
    "<script>window.attacked=1</script>",
    "</script><script>window.attacked=1</script>",
    '"><img/src=x/onerror="window.attacked=1">',
    "<!--<script>",
    "\u202eabc\u2066",
    "\u001b[31mred",
    "x".repeat(1_000_000),
    "&lt;b&gt;{{7*7}}$(7*7)",
  ];
  let table = "";
  for (const a of evil) for (const b of evil) if (a < b) table += `${a}\t${b}\t1\n`;
  const made = report("evil", [written("evil<b>name.edges", table), "--format", "edges"]);
  expect(made.bytes).toBeLessThan(500_000);
  await open(page, made.url);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("evil<b>name.edges");
  expect(await page.evaluate(() => "attacked" in window)).toBe(false);
  expect(await page.locator("img").count()).toBe(0);
});

test("of a million objects is small and soon there", async ({ page }) => {
  test.setTimeout(240_000);
  const file = written("million.npy", points(1_000_000, 4));
  const made = report("million", [
    file,
    "--similarity",
    "linear",
    "-k",
    "10",
    "--restarts",
    "1",
    "--scale",
    "none",
  ]);
  expect(made.bytes).toBeLessThan(5_000_000);
  await open(page, made.url);
  await expect(page.locator("#map canvas[data-drawn]")).toBeVisible();
  await expect(page.locator("#map")).toContainText("of 1,000,000 objects are drawn");
  const seconds = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const drawn = performance.getEntriesByName("drawn")[0]?.startTime ?? Number.NaN;
    return { loaded: (entry?.loadEventEnd ?? Number.NaN) / 1000, drawn: drawn / 1000 };
  });
  test.info().annotations.push({ type: "measured", description: JSON.stringify(seconds) });
  console.log(
    `report of 1,000,000 objects: ${made.bytes} bytes, drawn ${seconds.drawn.toFixed(2)} s after opening`,
  );
});
