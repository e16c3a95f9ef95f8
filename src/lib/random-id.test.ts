import { expect, test } from "vitest";
import { randomId } from "./random-id.ts";

test("random ids are unique and have 128 bits as hex", () => {
  const ids = Array.from({ length: 100 }, randomId);
  expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(100);
});
