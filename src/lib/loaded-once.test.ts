import { expect, test } from "vitest";
import { lazyOnce } from "./loaded-once.ts";

test("who asks first is answered first, however long the first load takes", async () => {
  const first = Promise.withResolvers<string>();
  const loaders = [() => first.promise, () => Promise.resolve("second")];
  const load = lazyOnce(() => loaders.shift()!());
  const results: string[] = [];
  const both = Promise.all(["a", "b"].map((caller) => load().then((result) => results.push(`${caller} ${result}`))));
  first.resolve("first");
  await both;
  expect(results).toEqual(["a first", "b first"]);
});

test("after a failure it is tried anew", async () => {
  const loaders = [() => Promise.reject(new Error("no network")), () => Promise.resolve("there")];
  const load = lazyOnce(() => loaders.shift()!());
  await expect(load()).rejects.toThrow("no network");
  expect(await load()).toBe("there");
});
