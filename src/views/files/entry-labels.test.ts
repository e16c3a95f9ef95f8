import { expect, test } from "vitest";
import { buildEntry } from "../../queries/file-lists/entry.fixture.ts";
import { buildTree } from "../../queries/file-lists/folder-tree.ts";
import { createPathLookup, formatAccessibleLabel, formatItemCount } from "./entry-labels.ts";

test("a count above the limit shows a plus sign", () => {
  expect([formatItemCount(1), formatItemCount(999), formatItemCount(1_000)]).toEqual(["1 item", "999 items", "1,000+ items"]);
});

test("the accessible label says when the key is unsure", () => {
  const label = (changes: object) => formatAccessibleLabel(buildEntry(1, { bpm: 0, ...changes }), 0);
  expect(label({ key: null, unsure_key: "A minor" })).toContain(", A minor, unsure, ");
  expect(label({ key: "A minor" })).not.toContain("unsure");
});

test("returns the path of a found entry", () => {
  const folder = (id: number, parent_id: number | null, name: string) => ({ id, parent_id, name });
  const tree = buildTree([folder(1, null, "Project"), folder(3, 1, "Take 2"), folder(4, 3, "Drums")]);
  const pathOf = createPathLookup(tree, 1);
  expect([pathOf({ parent_id: 4 }), pathOf({ parent_id: 1 }), pathOf({ parent_id: 77, path: "A/B" })]).toEqual(["Take 2 / Drums", "", "A / B"]);
});
