import { expect, test } from "vitest";
import { loadedOnce } from "./loaded-once.ts";

test("who asks first is answered first, however long the first load takes", async () => {
  const first = Promise.withResolvers<string>();
  const loads = [() => first.promise, () => Promise.resolve("second")];
  const code = loadedOnce(() => loads.shift()!());
  const heard: string[] = [];
  const both = Promise.all(["a", "b"].map((who) => code().then((what) => heard.push(`${who} ${what}`))));
  first.resolve("first");
  await both;
  expect(heard).toEqual(["a first", "b first"]);
});

test("after a failure it is tried anew", async () => {
  const loads = [() => Promise.reject(new Error("no network")), () => Promise.resolve("there")];
  const code = loadedOnce(() => loads.shift()!());
  await expect(code()).rejects.toThrow("no network");
  expect(await code()).toBe("there");
});
