import { expect, test } from "vitest";
import { ensureFolders, ancestorPaths } from "./file-mutations.ts";
import type { Folder } from "./folder-tree.ts";

test("ancestorPaths lists each folder once, parents first, ignoring case and Unicode form", () => {
  expect(ancestorPaths(["A/B/C", "a/D", "E\u0301/x", "\u00c9/y"]).map((segments) => segments.join("/"))).toEqual([
    "A",
    "E\u0301",
    "A/B",
    "a/D",
    "E\u0301/x",
    "\u00c9/y",
    "A/B/C",
  ]);
});

/** Sets up a service with these folders; `race` runs before each folder is created. */
function setUp(folders: Folder[], race: (parentId: number, name: string) => void = () => undefined) {
  const made: string[] = [];
  const making = {
    load: async () => [...folders],
    create: async (parentId: number, name: string) => {
      race(parentId, name);
      if (folders.some((existing) => existing.parent_id === parentId && existing.name.toLowerCase() === name.toLowerCase())) return null;
      const folder = { id: 100 + folders.length, parent_id: parentId, name };
      folders.push(folder);
      made.push(name);
      return folder;
    },
  };
  return { making, made, folders };
}

test("only missing folders are created, below the existing ones", async () => {
  const { making, made, folders } = setUp([{ id: 5, parent_id: 1, name: "Stems" }]);
  await ensureFolders(1, ["stems/Old", "Art"], making);
  expect(made).toEqual(["Art", "Old"]);
  expect(folders.find(({ name }) => name === "Old")?.parent_id).toBe(5);
});

test("a folder that another account creates at the same moment is used", async () => {
  const folders: Folder[] = [];
  const { making } = setUp(folders, (parentId, name) => {
    if (name === "Art") folders.push({ id: 9, parent_id: parentId, name: "ART" });
  });
  await ensureFolders(1, ["Art/Inlay"], making);
  expect(folders.find(({ name }) => name === "Inlay")?.parent_id).toBe(9);
});

test("a folder with the name of a file is not created, nor anything below it", async () => {
  const { making, made } = setUp([], () => undefined);
  making.create = async () => null;
  await ensureFolders(1, ["Art/Inlay"], making);
  expect(made).toEqual([]);
});
