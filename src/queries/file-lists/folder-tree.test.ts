import { expect, test } from "vitest";
import { buildFolder, FOLDERS } from "./entry.fixture.ts";
import { buildTree, sortFolders } from "./folder-tree.ts";

test("a cycle of folders ends, and ancestors are found", () => {
  const tree = buildTree([buildFolder(1, 2, "a"), buildFolder(2, 1, "b"), buildFolder(3, null, "root")]);
  expect(tree.pathTo(1).length).toBeLessThanOrEqual(200);
  expect(tree.isIn(3, 1)).toBe(false);
  expect(
    buildTree(FOLDERS)
      .pathTo(3)
      .map(({ name }) => name),
  ).toEqual(["Project", "Stems", "Drums"]);
});

test("folders are sorted in natural order", () => {
  expect(sortFolders([buildFolder(2, 1, "take 10"), buildFolder(3, 1, "Take 2"), buildFolder(4, 1, "Bass")]).map(({ name }) => name)).toEqual([
    "Bass",
    "Take 2",
    "take 10",
  ]);
});
