import { expect, test } from "vitest";
import { findEntryScript, isChunkLoadError, lazyOnce } from "./lazy-chunks.ts";

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

test("callers receive the loaded module in call order, however long the first load takes", async () => {
  const first = Promise.withResolvers<string>();
  const loaders = [() => first.promise, () => Promise.resolve("second")];
  const load = lazyOnce(() => loaders.shift()!());
  const results: string[] = [];
  const both = Promise.all(["a", "b"].map((caller) => load().then((result) => results.push(`${caller} ${result}`))));
  first.resolve("first");
  await both;
  expect(results).toEqual(["a first", "b first"]);
});

test("a failed load is retried by the next call", async () => {
  const loaders = [() => Promise.reject(new Error("no network")), () => Promise.resolve("there")];
  const load = lazyOnce(() => loaders.shift()!());
  await expect(load()).rejects.toThrow("no network");
  expect(await load()).toBe("there");
});
