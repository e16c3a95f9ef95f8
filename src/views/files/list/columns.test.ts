import { describe, expect, test } from "vitest";
import { columnsFor, gridTemplate } from "./columns.ts";

describe("columns", () => {
  const names = (width: number) => columnsFor(width).map(({ name }) => name);
  test("a wide list shows all, a narrow one the name and the most useful ones", () => {
    expect(names(1_400)).toEqual(["name", "status", "duration", "bpm", "size", "uploader", "changed"]);
    expect(names(972)).toEqual(["name", "status", "duration", "bpm", "size", "changed"]);
    expect(names(700)).toEqual(["name", "status", "changed"]);
    expect(names(0)).toEqual(["name"]);
  });
  test("a wider list never shows fewer, and they always fit", () => {
    let previousCount = 0;
    for (let width = 0; width < 1_600; width += 10) {
      const columns = columnsFor(width);
      expect(columns.length).toBeGreaterThanOrEqual(previousCount);
      previousCount = columns.length;
      const usedWidth = [...gridTemplate(columns).matchAll(/(\d+)px/g)].reduce((sum, [, px]) => sum + Number(px), 0);
      if (columns.length > 1) expect(usedWidth).toBeLessThanOrEqual(width - 200);
    }
  });
});
