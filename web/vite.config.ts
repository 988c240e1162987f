import { createHash } from "node:crypto";
import type { OutputAsset, OutputChunk } from "rolldown";
import { defineConfig, type Plugin, type UserConfig } from "vite";

const sourceOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Puts scripts and styles into the page, and allows it these and nothing else. */
function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["report.html"] as OutputAsset;
      let html = String(page.source);
      let script = "";
      let style = "";
      for (const [name, part] of Object.entries(bundle)) {
        if (name.endsWith(".js")) {
          script += (part as OutputChunk).code.trim().replaceAll("</script", "<\\/script");
        } else if (name.endsWith(".css")) {
          style += String((part as OutputAsset).source).trim();
        } else {
          continue;
        }
        delete bundle[name];
      }
      const policy = [
        "default-src 'none'",
        `script-src ${sourceOf(script)}`,
        `style-src ${sourceOf(style)}`,
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
      ].join("; ");
      html = html
        .replace(/\s*<script type="module"[^>]*><\/script>/g, "")
        .replace(/\s*<link rel="(stylesheet|modulepreload)"[^>]*>/g, "")
        .replace(
          "<!-- head -->",
          () =>
            `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<style>${style}</style>`,
        )
        .replace("<!-- script -->", () => `<script>${script}</script>`);
      page.source = html;
    },
  };
}

// The report is one file; the program serves the explorer as three (vite build --mode explore); in a
// notebook it is one module (--mode widget).
export default defineConfig(({ mode }) => {
  const isExplorer = mode === "explore";
  if (mode === "widget") {
    return {
      build: {
        target: "es2022",
        emptyOutDir: false,
        lib: { entry: "src/explore/widget.tsx", formats: ["es"], fileName: () => "widget.js" },
      },
    } as UserConfig;
  }
  return {
    plugins: isExplorer ? [] : [oneFile()],
    base: "./",
    build: {
      target: "es2022",
      modulePreload: false,
      cssCodeSplit: false,
      emptyOutDir: false,
      assetsInlineLimit: 1_000_000,
      rollupOptions: {
        input: isExplorer ? "explore.html" : "report.html",
        output: {
          format: "iife",
          entryFileNames: isExplorer ? "explore.js" : "report.js",
          assetFileNames: isExplorer ? "explore[extname]" : "report[extname]",
        },
      },
    },
    test: { environment: "happy-dom", include: ["tests/*.test.{ts,tsx}"] },
  } as UserConfig;
});
