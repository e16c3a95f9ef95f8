import { expect, test } from "vitest";
import { findEntryScript, isChunkLoadError } from "./page-scripts.ts";

test("isChunkLoadError recognizes the message of every browser, and no other error", () => {
  const errors = [
    "Failed to fetch dynamically imported module: https://a.example/assets/x.js",
    "error loading dynamically imported module: https://a.example/assets/x.js",
    "Importing a module script failed.",
  ].map((message) => new TypeError(message));
  expect([...errors, new Error("Unable to preload CSS for /assets/x.css")].map(isChunkLoadError)).toEqual([true, true, true, true]);
  expect([new TypeError("x is not a function"), new TypeError("important is undefined"), "text", null].map(isChunkLoadError)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("findEntryScript returns the first module script, in any order of attributes", () => {
  const html =
    '<script src="/theme.js"></script><script type="module" crossorigin src="/assets/index-a1.js"></script><link rel="modulepreload" href="/assets/b.js">';
  expect(findEntryScript(html)).toBe("/assets/index-a1.js");
  expect(findEntryScript('<script src="/src/main.tsx" type="module"></script>')).toBe("/src/main.tsx");
  expect(findEntryScript("<p>Sign in to this network</p>")).toBeNull();
});
