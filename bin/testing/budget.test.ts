import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readTree } from "../import-rules/check-imports.ts";
import { ROOT } from "../lib/paths.mjs";
import { eagerFiles, findCircularFiles, findEarlyImports, measureFirstLoad } from "./budget.ts";

const HTML = `<script src="/theme.js"></script><script type="module" crossorigin src="/assets/index-1.js"></script><link rel="modulepreload" href="/assets/early-1.js"><link rel="icon" href="/icon.js">`;
const MANIFEST = {
  "index.html": { file: "assets/index-1.js", isEntry: true, imports: ["_shared.js"] },
  "_shared.js": { file: "assets/shared-1.js", imports: ["index.html"] },
  "src/views/chat/ChatView.tsx": { file: "assets/chat-1.js", imports: ["_shared.js"] },
};

test("eagerFiles lists the page's scripts, the entry and its static imports", () => {
  expect(eagerFiles(HTML, MANIFEST).toSorted()).toEqual(["assets/early-1.js", "assets/index-1.js", "assets/shared-1.js", "theme.js"]);
});

function createBuild(scriptBytes: number): string {
  const dist = mkdtempSync(join(tmpdir(), "talkback-budget-"));
  onTestFinished(() => rmSync(dist, { recursive: true }));
  mkdirSync(join(dist, ".vite"));
  mkdirSync(join(dist, "assets"));
  writeFileSync(join(dist, ".vite", "manifest.json"), JSON.stringify({ "index.html": { file: "assets/index.js", isEntry: true } }));
  writeFileSync(join(dist, "index.html"), `<script type="module" src="/assets/index.js"></script>`);
  // Base64 of random bytes compresses to about three quarters of its size.
  writeFileSync(join(dist, "assets", "index.js"), `/*${randomBytes(scriptBytes).toString("base64")}*/`);
  return dist;
}
const ENTRY = new Map([["src/main.tsx", ""]]);

test("compares the gzipped size with the limit", () => {
  expect(measureFirstLoad(createBuild(100_000), ENTRY).violations).toEqual([]);
  const { bytes, violations } = measureFirstLoad(createBuild(210_000), ENTRY);
  expect(bytes).toBeGreaterThan(200_000);
  expect(violations[0]).toMatch(/limit is 200\.0 kB/);
});

test("reports an eager import of a lazy package through a chain of modules, but not behind import()", () => {
  const sources = new Map([
    ["src/main.tsx", `import "./app/App.tsx"; const later = () => import("./app/palette/PaletteResults.tsx");`],
    ["src/app/App.tsx", `import { Menu } from "../ui/Menu.tsx"; import type { W } from "wavesurfer.js";`],
    ["src/ui/Menu.tsx", `import { Menu } from "react-aria-components/Menu";`],
    ["src/app/palette/PaletteResults.tsx", `import { Dialog } from "react-aria-components/Dialog";`],
  ]);
  expect(findEarlyImports(sources)).toEqual(["react-aria-components: src/main.tsx -> src/app/App.tsx -> src/ui/Menu.tsx -> react-aria-components/Menu"]);
  sources.set("src/main.tsx", `import "./app/palette/PaletteResults.tsx";`);
  expect(findEarlyImports(sources)).toContain("the command palette's results: src/main.tsx -> src/app/palette/PaletteResults.tsx");
});

test("finds the client's entry and the command palette's results in the source tree", () => {
  expect(readTree(ROOT).get("src/main.tsx")).toMatch(/import/);
  expect([...readTree(ROOT).keys()]).toContain("src/app/palette/PaletteResults.tsx");
});

test("finds built files that import each other in a circle", () => {
  const chunk = (...imports: string[]) => ({ file: "a.js", imports });
  expect(findCircularFiles({ main: chunk("shell", "vendor"), shell: chunk("vendor"), vendor: chunk(), view: chunk("shell") })).toEqual([]);
  expect(findCircularFiles({ main: chunk("shell"), group: chunk("page"), page: chunk("shell", "group"), shell: chunk() })).toEqual(["group -> page -> group"]);
});
