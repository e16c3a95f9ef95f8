import { expect, test } from "vitest";
import { buildFolder, FOLDERS } from "./entry.fixture.ts";
import { buildTree } from "./folder-tree.ts";

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
