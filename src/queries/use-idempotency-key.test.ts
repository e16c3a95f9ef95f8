import { expect, test } from "vitest";
import { createIdempotencyKeys } from "./use-idempotency-key.ts";

test("a repeated body keeps its key, a changed one gets a new one, and going back is another request", () => {
  let count = 0;
  const idempotencyKeyFor = createIdempotencyKeys(() => `key-${++count}`);
  const keys = [{ name: "A" }, { name: "A" }, { name: "B" }, { name: "A" }].map((body) => idempotencyKeyFor(body));
  expect(keys).toEqual(["key-1", "key-1", "key-2", "key-3"]);
});
