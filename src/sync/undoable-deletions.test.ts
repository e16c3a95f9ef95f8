import { expect, test } from "vitest";
import { remainingMs, RESTORE_MS, parseDeletions, serializeDeletions } from "./undoable-deletions.ts";

const NOW = Date.parse("2026-11-17T14:00:00Z");
const entry = (id: number, until = NOW + RESTORE_MS) => ({ id, until });

test("undoable deletions survive a reload, end with the service's limit whatever the clock does, and are bounded", () => {
  expect(parseDeletions(serializeDeletions([entry(1, NOW), entry(2, NOW + 1)]), NOW)).toEqual([entry(2, NOW + 1)]);
  expect(remainingMs(entry(1, NOW + 40 * RESTORE_MS), NOW)).toBe(RESTORE_MS);
  const many = Array.from({ length: 50 }, (_, index) => entry(index + 1));
  expect(parseDeletions(serializeDeletions(many), NOW).map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 31));
});

test.each([null, "", "{", "[1]", '[{"id":"1","until":9e15}]', '{"a":1}'])("the stored value %j is ignored", (text) =>
  expect(parseDeletions(text, NOW)).toEqual([]),
);
