import { expect, test } from "vitest";
import { levelFor } from "./peaks-level.ts";

const level = (length: number) => ({ samples_per_pixel: 64, length, bytes: length * 4, url: `/${length}` });

test.each([
  [800, 1_000],
  [1_000, 1_000],
  [1_001, 4_000],
  [99_999, 16_000],
])("for %i pixels the level with %i values", (pixels, length) => {
  expect(levelFor([level(16_000), level(4_000), level(1_000)], pixels)?.length).toBe(length);
});
test("no level, nothing to draw by", () => expect(levelFor([], 100)).toBeUndefined());
