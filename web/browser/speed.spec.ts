// How fast the explorer is, from the command to a picture and while the map moves. By default on few
// objects, with bounds that a busy machine keeps; with SHIFTCUT_MEASURE=1 the table of docs/explore.md.
import { expect, type Page, test } from "@playwright/test";
import { endAll, explore, resident } from "./explorers";
import { points, report, written } from "./reports";

const isTable = process.env.SHIFTCUT_MEASURE === "1";
const CASES: [number, string[]][] = [
  [1_000, []],
  [100_000, []],
  [1_000_000, ["--similarity", "linear", "-k", "10"]],
];

test.afterAll(endAll);

/** Frames per second and the longest gap between two, while the map is dragged for some seconds. */
async function pan(page: Page, seconds: number): Promise<{ rate: number; longest: number }> {
  const box = await page.locator(".canvas-box canvas").boundingBox();
  if (!box) throw new Error("the map has no box");
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.getByRole("button", { name: "Move", exact: true }).first().click();
  await page.mouse.move(...middle);
  await page.mouse.down();
  const frames = page.evaluate(
    (milliseconds) =>
      new Promise<number[]>((done) => {
        const times: number[] = [];
        const begun = performance.now();
        const tick = (now: number) => {
          times.push(now);
          if (now - begun < milliseconds) requestAnimationFrame(tick);
          else done(times);
        };
        requestAnimationFrame(tick);
      }),
    1000 * seconds,
  );
  const end = Date.now() + 1000 * seconds;
  for (let i = 0; Date.now() < end; ++i) {
    await page.mouse.move(middle[0] + 120 * Math.sin(i / 9), middle[1] + 80 * Math.cos(i / 7));
  }
  const times = await frames;
  await page.mouse.up();
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  return { rate: (1000 * gaps.length) / total, longest: Math.max(...gaps) };
}

for (const [rows, options] of isTable ? CASES : CASES.slice(0, 2)) {
  test(`moves the map of ${rows} objects smoothly`, async ({ page }) => {
    test.setTimeout(300_000);
    const file = written(`${rows}.npy`, points(rows, 8));
    const begun = Date.now();
    const running = await explore(`speed-${rows}`, [file, ...options]);
    const address = Date.now();
    await page.goto(running.url);
    await expect(page.locator(`canvas[data-drawn="${rows}"]`)).toBeVisible({ timeout: 120_000 });
    const picture = Date.now();
    const { rate, longest } = await pan(page, isTable ? 6 : 2);
    const rests = Date.now();
    await expect(page.locator(`canvas[data-drawn="${rows}"]`)).toBeVisible({ timeout: 30_000 });
    const rest = (Date.now() - rests) / 1000;
    const memory = await page.evaluate(
      () =>
        (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
    );
    const line = {
      rows,
      address: (address - begun) / 1000,
      picture: (picture - address) / 1000,
      rate: Math.round(rate),
      longest: Math.round(longest),
      rest,
      server: Math.round(resident(running.pid)),
      page: Math.round(memory / 2 ** 20),
      report: isTable ? report(`speed-${rows}`, [file, ...options]).bytes : 0,
    };
    console.log(JSON.stringify(line));
    expect(rate).toBeGreaterThan(isTable ? 30 : 3);
    await running.end();
  });
}
