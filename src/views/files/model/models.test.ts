import { describe, expect, test } from "vitest";
import { windowAt } from "../../../ui/use-row-window.ts";
import { treeOf } from "../../../queries/file-lists/tree.ts";
import { itemsIn } from "../components/use-item-count.ts";
import { columnsFor, templateOf } from "./columns.ts";
import { pathBelow } from "./path-below.ts";
import { leavePlace, placeAt } from "./place-memory.ts";
import { treeMove, treeRows } from "./tree-rows.ts";

describe("columns", () => {
  const names = (width: number) => columnsFor(width).map(({ name }) => name);
  test("a wide list has all, a narrow one the name and what is worth most", () => {
    expect(names(1_400)).toEqual(["name", "status", "duration", "bpm", "size", "uploader", "changed"]);
    expect(names(972)).toEqual(["name", "status", "duration", "bpm", "size", "changed"]);
    expect(names(700)).toEqual(["name", "status", "changed"]);
    expect(names(0)).toEqual(["name"]);
  });
  test("the wider the list the more there is, and it always fits", () => {
    let before = 0;
    for (let width = 0; width < 1_600; width += 10) {
      const columns = columnsFor(width);
      expect(columns.length).toBeGreaterThanOrEqual(before);
      before = columns.length;
      const taken = [...templateOf(columns).matchAll(/(\d+)px/g)].reduce((sum, [, px]) => sum + Number(px), 0);
      if (columns.length > 1) expect(taken).toBeLessThanOrEqual(width - 200);
    }
  });
});

test("the window covers the view and little more, and never leaves the list", () => {
  for (const top of [0, 3, 440, 9_999, 440_000 - 700]) {
    const { from, to } = windowAt(top, 700, 44, 10_000);
    expect(from * 44).toBeLessThanOrEqual(top);
    expect(to * 44).toBeGreaterThanOrEqual(Math.min(top + 700, 440_000));
    expect(to - from).toBeLessThan(60);
  }
  expect(windowAt(0, 700, 44, 3)).toEqual({ from: 0, to: 3 });
  expect(windowAt(0, 0, 44, 0)).toEqual({ from: 0, to: 0 });
});

describe("the tree of folders", () => {
  const folder = (id: number, parent_id: number | null, name: string) => ({ id, parent_id, name });
  const folders = [folder(1, null, "Project"), folder(2, 1, "take 10"), folder(3, 1, "Take 2"), folder(4, 3, "Drums"), folder(5, 4, "Old")];
  const tree = treeOf(folders);
  const rows = treeRows(tree, folders[0]!, new Set([1, 3]));

  test("in natural order, as far as it is open", () => {
    expect(rows.map(({ name, level, place, of, open }) => [name, level, place, of, open])).toEqual([
      ["Project", 1, 1, 1, true],
      ["Take 2", 2, 1, 2, true],
      ["Drums", 3, 1, 1, false],
      ["take 10", 2, 2, 2, null],
    ]);
  });
  test("the keys of a tree", () => {
    expect(treeMove(rows, 3, "ArrowDown")).toEqual({ focus: 4 });
    expect(treeMove(rows, 3, "ArrowLeft")).toEqual({ close: 3 });
    expect(treeMove(rows, 4, "ArrowLeft")).toEqual({ focus: 3 });
    expect(treeMove(rows, 4, "ArrowRight")).toEqual({ open: 4 });
    expect(treeMove(rows, 3, "ArrowRight")).toEqual({ focus: 4 });
    expect(treeMove(rows, 2, "ArrowRight")).toBeNull();
    expect(treeMove(rows, 1, "End")).toEqual({ focus: 2 });
    expect(treeMove(rows, 1, "ArrowUp")).toBeNull();
    expect(treeMove(rows, 99, "ArrowUp")).toBeNull();
  });
  test("the way to what was found", () => {
    const pathOf = pathBelow(tree, 1);
    expect([pathOf({ parent_id: 4 }), pathOf({ parent_id: 1 }), pathOf({ parent_id: 77, path: "A/B" })]).toEqual(["Take 2 / Drums", "", "A / B"]);
  });
});

test("what is counted no further is told as such", () => {
  expect([itemsIn(1), itemsIn(999), itemsIn(1_000)]).toEqual(["1 item", "999 items", "1,000+ items"]);
});

test("a hundred places are remembered, the newest", () => {
  for (let at = 0; at < 150; at += 1) leavePlace(`key-${at}`, { top: at });
  leavePlace("key-149", { current: 7 });
  expect([placeAt("key-0"), placeAt("key-100"), placeAt("key-149")]).toEqual([undefined, { top: 100, current: null }, { top: 149, current: 7 }]);
});
