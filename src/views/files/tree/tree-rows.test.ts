import { describe, expect, test } from "vitest";
import { buildTree } from "../../../queries/file-lists/folder-tree.ts";
import { buildTreeRows, treeKeyAction } from "./tree-rows.ts";

describe("the folder tree", () => {
  const folder = (id: number, parent_id: number | null, name: string) => ({ id, parent_id, name });
  const folders = [folder(1, null, "Project"), folder(2, 1, "take 10"), folder(3, 1, "Take 2"), folder(4, 3, "Drums"), folder(5, 4, "Old")];
  const tree = buildTree(folders);
  const rows = buildTreeRows(tree, folders[0]!, new Set([1, 3]));

  test("lists open folders in natural order", () => {
    expect(rows.map(({ name, level, positionInSet, setSize, isExpanded }) => [name, level, positionInSet, setSize, isExpanded])).toEqual([
      ["Project", 1, 1, 1, true],
      ["Take 2", 2, 1, 2, true],
      ["Drums", 3, 1, 1, false],
      ["take 10", 2, 2, 2, null],
    ]);
  });
  test("moves, opens and closes by arrow keys", () => {
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
});
