import { expect, test } from "vitest";
import { isLong } from "./CollapsibleText.tsx";

test.each([
  ["", false],
  ["word", false],
  ["x".repeat(26 * 85), false],
  ["x".repeat(26 * 85 + 1), true],
  ["line\n".repeat(25), false],
  ["line\n".repeat(27), true],
  [`${"x".repeat(86)}\n`.repeat(13), true],
  ["🎛️🎚️🎙️🥁🎹".repeat(1_000), true],
])("isLong counts characters and lines (case %#)", (body, long) => expect(isLong(body)).toBe(long));

test("isLong reads only the beginning of a hostile text", () => {
  const startedAt = performance.now();
  for (let round = 0; round < 1_000; round += 1) isLong("\n".repeat(10_000));
  expect(performance.now() - startedAt).toBeLessThan(500);
});
