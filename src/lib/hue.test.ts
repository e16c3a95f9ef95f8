import { expect, test } from "vitest";
import { hueOf } from "./hue.ts";

test("hues come from the palette, all of them are used, and neighboring ids differ", () => {
  const hues = Array.from({ length: 24 }, (_, id) => hueOf(id));
  expect(new Set(hues)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]));
  expect(hues.every((hue, id) => id === 0 || Math.abs(hue - hues[id - 1]!) > 2)).toBe(true);
});
