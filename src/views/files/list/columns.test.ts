import { describe, expect, test } from "vitest";
import { columnKey, columnsFor, gridTemplate, minimumWidth } from "./columns.ts";

describe("columns", () => {
  const names = (width: number) => columnsFor(width).map(({ name }) => name);
  test("a wide list shows all, a narrow one the name and the most useful ones", () => {
    expect(names(1_400)).toEqual(["name", "status", "duration", "bpm", "size", "uploader", "changed"]);
    expect(names(972)).toEqual(["name", "status", "duration", "bpm", "size", "changed"]);
    expect(names(700)).toEqual(["name", "status", "changed"]);
    expect(names(0)).toEqual(["name"]);
  });
  test("metadata fields follow the others, which make room for them, and the list then has a least width", () => {
    const field = { object: "metadata_field" as const, id: 7, template_id: 1, name: "ISRC", type: "isrc" as const, options: [], help: "", tag: null };
    const columns = columnsFor(1_000, [field, { ...field, id: 8 }]);
    expect(columns.map(columnKey)).toEqual(["name", "status", "changed", "field-7", "field-8"]);
    expect(columnsFor(300, [field]).map(columnKey)).toEqual(["name", "status", "field-7"]);
    expect(minimumWidth(columns)).toBe(36 + 240 + 172 + 88 + 2 * 148 + 44);
    expect(minimumWidth(columnsFor(1_000))).toBeNull();
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
