/** Builds the browser client into `dist/`; the development server proxies the service's own paths to it. */
import { readFile, readdir, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, Visitor } from "vite";
import { chatCode, lazyGroups } from "./bin/build/chunks.ts";
import { pdfFiles } from "./bin/build/pdf-files.ts";
import { configureService } from "./bin/development/configure-service.ts";

const SERVICE = process.env["TALKBACK_SERVICE"] ?? "http://127.0.0.1:3000";
const TEXT = new Set([".html", ".js", ".css", ".svg", ".json", ".txt", ".webmanifest"]);
/** Minimum size in bytes: a smaller file saves no more than its additional headers cost. */
const MIN_COMPRESSED_BYTES = 1024;

/** Writes `.br` and `.gz` beside every text file, so that the service compresses nothing while serving. */
function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    async writeBundle({ dir: folder = "dist" }) {
      const names = await readdir(folder, { recursive: true });
      const texts = names.filter((name) => TEXT.has(extname(name)) && !name.startsWith(".vite"));
      await Promise.all(
        texts.map(async (name) => {
          const path = join(folder, name);
          const content = await readFile(path);
          if (content.length < MIN_COMPRESSED_BYTES) return;
          const [br, gz] = await Promise.all([
            promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
            promisify(gzip)(content, { level: 9 }),
          ]);
          await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
        }),
      );
    },
  };
}

/** Files whose imports are loaded together with them. */
const PRELOADING = /\/(ChatPage|FilesView|ReviewView|after-first-paint)-/;

/** Leaves the texts of react-aria in other languages out of the build, a quarter of its size. */
function englishOnly(): Plugin {
  const EMPTY = "\0no-texts";
  return {
    name: "english-only",
    enforce: "pre",
    resolveId: {
      filter: { id: /\b[a-z]{2}-[A-Z]{2}\b/ },
      handler: (id, importer) => (importer && /[\\/]react-(aria|stately)/.test(importer) && !id.includes("en-US") ? EMPTY : null),
    },
    load: { filter: { id: /^\0no-texts$/ }, handler: () => "export default undefined;" },
  };
}

/** Leaves the texts of the API reference out of the build: `summary` and `errors` of operations, and descriptions of schemas. */
function withoutReferenceTexts(): Plugin {
  return {
    name: "without-reference-texts",
    enforce: "pre",
    apply: "build",
    transform: {
      filter: { id: /\/contract\/.*\.ts$/, code: /\boperation\(|\bwithDescription\(/ },
      handler(code) {
        const cuts: [start: number, end: number][] = [];
        new Visitor({
          CallExpression({ callee, arguments: [argument], start, end }) {
            if (callee.type !== "Identifier" || !argument) return;
            if (callee.name === "withDescription") cuts.push([start, argument.start], [argument.end, end]);
            if (callee.name !== "operation" || argument.type !== "ObjectExpression") return;
            for (const property of argument.properties) {
              const isText = property.type === "Property" && property.key.type === "Identifier" && ["summary", "errors"].includes(property.key.name);
              if (isText) cuts.push([property.start, property.end + Number(code[property.end] === ",")]);
            }
          },
        }).visit(this.parse(code, { lang: "ts" }));
        return cuts.toSorted(([a], [b]) => b - a).reduce((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), code);
      },
    },
  };
}

export default defineConfig({
  plugins: [
    englishOnly(),
    withoutReferenceTexts(),
    react(),
    tailwindcss(),
    pdfFiles(),
    chatCode(),
    configureService(process.env["VITE_SERVICE_URL"]),
    precompress(),
  ],
  worker: { format: "es" },
  build: {
    manifest: true,
    target: "es2023",
    // Assets are never inlined as `data:` URLs, because the page's CSP forbids them.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The lists of what to preload are part of the first load, so only the most used views have one; others load what they import once they have arrived.
      resolveDependencies: (file, dependencies, { hostType }) =>
        hostType === "html" || PRELOADING.test(file) ? dependencies : dependencies.filter((name) => name.endsWith(".css")),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Two files hold what every view needs: libraries, which seldom change, and the shell.
          groups: [
            { name: "vendor", test: /node_modules/, tags: ["$initial"], priority: 12 },
            { name: "shell", tags: ["$initial"], priority: 11 },
            { name: "icons", test: /lucide-react/, priority: 10 },
            ...lazyGroups(),
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      "^/(api|v1|openapi\\.json|docs)(/|$|\\?)": { target: SERVICE, ws: true, changeOrigin: false },
    },
  },
});
