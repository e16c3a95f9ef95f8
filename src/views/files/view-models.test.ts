import { describe, expect, test } from "vitest";
import { buildTree } from "../../queries/file-lists/folder-tree.ts";
import { computeRowWindow } from "../../ui/use-row-window.ts";
import { createPathLookup, formatItemCount } from "./entry-labels.ts";
import { columnsFor, gridTemplate } from "./list/columns.ts";
import { saveScrollState, getScrollState } from "./list/use-scroll-restoration.ts";
import { treeKeyAction, buildTreeRows } from "./tree/tree-rows.ts";

describe("columns", () => {
  const names = (width: number) => columnsFor(width).map(({ name }) => name);
  test("a wide list has all, a narrow one the name and what is worth most", () => {
    expect(names(1_400)).toEqual(["name", "status", "duration", "bpm", "size", "uploader", "changed"]);
    expect(names(972)).toEqual(["name", "status", "duration", "bpm", "size", "changed"]);
    expect(names(700)).toEqual(["name", "status", "changed"]);
    expect(names(0)).toEqual(["name"]);
  });
  test("the wider the list the more there is, and it always fits", () => {
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

test("the window covers the view and little more, and never leaves the list", () => {
  for (const top of [0, 3, 440, 9_999, 440_000 - 700]) {
    const { from, to } = computeRowWindow(top, 700, 44, 10_000);
    expect(from * 44).toBeLessThanOrEqual(top);
    expect(to * 44).toBeGreaterThanOrEqual(Math.min(top + 700, 440_000));
    expect(to - from).toBeLessThan(60);
  }
  expect(computeRowWindow(0, 700, 44, 3)).toEqual({ from: 0, to: 3 });
  expect(computeRowWindow(0, 0, 44, 0)).toEqual({ from: 0, to: 0 });
});

describe("the tree of folders", () => {
  const folder = (id: number, parent_id: number | null, name: string) => ({ id, parent_id, name });
  const folders = [folder(1, null, "Project"), folder(2, 1, "take 10"), folder(3, 1, "Take 2"), folder(4, 3, "Drums"), folder(5, 4, "Old")];
  const tree = buildTree(folders);
  const rows = buildTreeRows(tree, folders[0]!, new Set([1, 3]));

  test("in natural order, as far as it is open", () => {
    expect(rows.map(({ name, level, positionInSet, setSize, expanded }) => [name, level, positionInSet, setSize, expanded])).toEqual([
      ["Project", 1, 1, 1, true],
      ["Take 2", 2, 1, 2, true],
      ["Drums", 3, 1, 1, false],
      ["take 10", 2, 2, 2, null],
    ]);
  });
  test("the keys of a tree", () => {
    expect(treeKeyAction(rows, 3, "ArrowDown")).toEqual({ focus: 4 });
    expect(treeKeyAction(rows, 3, "ArrowLeft")).toEqual({ close: 3 });
    expect(treeKeyAction(rows, 4, "ArrowLeft")).toEqual({ focus: 3 });
    expect(treeKeyAction(rows, 4, "ArrowRight")).toEqual({ open: 4 });
    expect(treeKeyAction(rows, 3, "ArrowRight")).toEqual({ focus: 4 });
    expect(treeKeyAction(rows, 2, "ArrowRight")).toBeNull();
    expect(treeKeyAction(rows, 1, "End")).toEqual({ focus: 2 });
    expect(treeKeyAction(rows, 1, "ArrowUp")).toBeNull();
    expect(treeKeyAction(rows, 99, "ArrowUp")).toBeNull();
  });
  test("the way to what was found", () => {
    const pathOf = createPathLookup(tree, 1);
    expect([pathOf({ parent_id: 4 }), pathOf({ parent_id: 1 }), pathOf({ parent_id: 77, path: "A/B" })]).toEqual(["Take 2 / Drums", "", "A / B"]);
  });
});

test("what is counted no further is told as such", () => {
  expect([formatItemCount(1), formatItemCount(999), formatItemCount(1_000)]).toEqual(["1 item", "999 items", "1,000+ items"]);
});

test("a hundred places are remembered, the newest", () => {
  for (let index = 0; index < 150; index += 1) saveScrollState(`key-${index}`, { top: index });
  saveScrollState("key-149", { current: 7 });
  expect([getScrollState("key-0"), getScrollState("key-100"), getScrollState("key-149")]).toEqual([
    undefined,
    { top: 100, current: null },
    { top: 149, current: 7 },
  ]);
});
