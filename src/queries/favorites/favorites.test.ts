import { expect, test } from "vitest";
import type { Favorite } from "../../../contract/favorite-records.ts";
import { applyFavoriteChanges, type FavoriteChange, itemKey } from "./favorites.ts";
import { projectItem } from "./listed-items.ts";

const favorite = (id: number): Favorite => ({
  object: "favorite",
  id,
  item: projectItem({ id, name: `Project ${id}` }),
  created_at: "2026-11-27T00:00:00.000Z",
});
const change = (id: number, isFavorite: boolean): FavoriteChange => {
  const { item } = favorite(id);
  return { recordId: itemKey(item), item, isFavorite };
};
const idsAfter = (favorites: readonly Favorite[], ...changes: FavoriteChange[]) => applyFavoriteChanges(favorites, changes).map(({ item }) => item.id);

test("changes that the service has not confirmed are shown, in the order in which they were made", () => {
  const loaded = [favorite(2), favorite(1)];
  expect(idsAfter(loaded, change(3, true))).toEqual([3, 2, 1]);
  expect(idsAfter(loaded, change(2, false))).toEqual([1]);
  expect(idsAfter(loaded, change(3, true), change(3, false))).toEqual([2, 1]);
  expect(idsAfter(loaded, change(1, false), change(1, true))).toEqual([1, 2]);
});

test("a change that the loaded list already has changes nothing", () => {
  const loaded = [favorite(2), favorite(1)];
  expect(applyFavoriteChanges(loaded, [change(1, true), change(3, false)])).toBe(loaded);
});

test("items of different types with the same id are different favorites", () => {
  const file = { ...change(1, true), recordId: "file:1", item: { ...favorite(1).item, type: "file" as const } };
  expect(applyFavoriteChanges([favorite(1)], [file]).map(({ item }) => item.type)).toEqual(["file", "project"]);
});
