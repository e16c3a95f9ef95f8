import { expect, test } from "vitest";
import { createKeys } from "./key-per-body.ts";

test("a repeated body keeps its key, a changed one gets a new one, and going back is another request", () => {
  let made = 0;
  const keyOf = createKeys(() => `key-${++made}`);
  const keys = [{ name: "A" }, { name: "A" }, { name: "B" }, { name: "A" }].map((body) => keyOf(body));
  expect(keys).toEqual(["key-1", "key-1", "key-2", "key-3"]);
});
