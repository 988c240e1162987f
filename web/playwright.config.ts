import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** Debian's Chromium; another by SHIFTCUT_CHROMIUM. */
const chromium = process.env.SHIFTCUT_CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(chromium)) throw new Error(`no browser at ${chromium}: tools/setup.sh browser`);

export default defineConfig({
  testDir: "browser",
  outputDir: "out/results",
  snapshotPathTemplate: "browser/pictures/{arg}{ext}",
  workers: 1,
  timeout: 90_000,
  reporter: [["list"]],
  expect: { toHaveScreenshot: { maxDiffPixelRatio: 0.03, threshold: 0.25 } },
  use: {
    viewport: { width: 1100, height: 800 },
    deviceScaleFactor: 1,
    launchOptions: {
      executablePath: chromium,
      args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    },
  },
});
