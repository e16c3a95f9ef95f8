import { expect, test } from "vitest";
import { createIdempotencyKeys } from "./operations.ts";

test("a repeated body reuses its key, and a changed body gets a new one, even when it changes back", () => {
  let count = 0;
  const idempotencyKeyFor = createIdempotencyKeys(() => `key-${++count}`);
  const keys = [{ name: "A" }, { name: "A" }, { name: "B" }, { name: "A" }].map((body) => idempotencyKeyFor(body));
  expect(keys).toEqual(["key-1", "key-1", "key-2", "key-3"]);
});
