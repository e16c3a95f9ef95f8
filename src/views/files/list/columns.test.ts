import { describe, expect, test } from "vitest";
import { columnKey, columnsFor, gridTemplate, minimumWidth } from "./columns.ts";

describe("columns", () => {
  const names = (width: number) => columnsFor(width).map(({ name }) => name);
  test("a wide list shows all, a narrow one the name, the uploader and the most useful others", () => {
    expect(names(1_400)).toEqual(["name", "status", "duration", "bpm", "size", "uploader", "changed"]);
    // At 900 px of the window.
    expect(names(840)).toEqual(["name", "status", "duration", "bpm", "size", "uploader", "changed"]);
    expect(names(700)).toEqual(["name", "status", "duration", "uploader", "changed"]);
    expect(names(400)).toEqual(["name", "uploader"]);
    expect(names(0)).toEqual(["name"]);
  });
  test("Recent has the folder after the name, in a narrow list below it", () => {
    expect(columnsFor(840, { hasFolder: true })).toEqual(columnsFor(840));
    expect(columnsFor(1_400, { hasFolder: true }).map(({ name }) => name)).toEqual([
      "name",
      "folder",
      "status",
      "duration",
      "bpm",
      "size",
      "uploader",
      "changed",
    ]);
  });
  test("columns have the width that the person has set, within bounds, and leave those out that no longer fit", () => {
    const columns = columnsFor(840, { widths: { status: 300, changed: 5, duration: 9_000, gone: 100 } });
    expect(columns.map(({ name, widthPx }) => [name, widthPx])).toEqual([
      ["name", null],
      ["status", 300],
      ["uploader", 40],
      ["changed", 60],
    ]);
    // The uploader's name is shown once there is room.
    expect(columnsFor(1_000, { widths: { uploader: 120 } }).find(({ name }) => name === "uploader")).toMatchObject({ showsName: true });
    expect(columnsFor(1_400, { widths: { uploader: 50 } }).find(({ name }) => name === "uploader")?.showsName).toBeUndefined();
  });
  test("metadata fields follow the others, which make room for them, and the list then has a least width", () => {
    const field = { object: "metadata_field" as const, id: 7, template_id: 1, name: "ISRC", type: "isrc" as const, options: [], help: "", tag: null };
    const columns = columnsFor(900, { fields: [field, { ...field, id: 8 }] });
    expect(columns.map(columnKey)).toEqual(["name", "status", "uploader", "changed", "field-7", "field-8"]);
    expect(columnsFor(300, { fields: [field] }).map(columnKey)).toEqual(["name", "status", "uploader", "changed", "field-7"]);
    expect(minimumWidth(columns)).toBe(36 + 240 + 144 + 40 + 96 + 2 * 148 + 44);
    expect(minimumWidth(columnsFor(1_000))).toBeNull();
  });
  test("a wider list never shows fewer, and they always fit", () => {
    let previousCount = 0;
    for (let width = 0; width < 1_600; width += 10) {
      const columns = columnsFor(width);
      expect(columns.length).toBeGreaterThanOrEqual(previousCount);
      previousCount = columns.length;
      const usedWidth = [...gridTemplate(columns).matchAll(/(\d+)px/g)].reduce((sum, [, px]) => sum + Number(px), 0);
      if (columns.length > 1) expect(usedWidth).toBeLessThanOrEqual(width - 204);
    }
  });
});
