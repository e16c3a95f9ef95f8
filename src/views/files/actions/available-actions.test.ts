import { expect, test } from "vitest";
import { buildEntry } from "../../../queries/file-lists/entry.fixture.ts";
import { buildTree } from "../../../queries/file-lists/folder-tree.ts";
import { acceptsMove, computeAvailableActions, resolveFileDrop } from "./available-actions.tsx";

const member = { accountId: 1, role: "member" as const, isArchived: false };
const folder = (id: number, parent_id: number | null, name: string) => buildEntry(id, { is_folder: true, kind: "folder", parent_id, name });
const [root, stems, drums] = [folder(1, null, "Project"), folder(2, 1, "Stems"), folder(3, 2, "Drums")];
const mix = buildEntry(9, { name: "mix.wav" });
const tree = buildTree([root, stems, drums]);
const actionNames = (...args: Parameters<typeof computeAvailableActions>) => computeAvailableActions(...args).map(({ action }) => action);

test("actions of one file, one folder, several entries and the project's root folder", () => {
  expect(actionNames([mix], member, tree, null)).toEqual([
    "open",
    "download",
    "downloadTagged",
    "rename",
    "move",
    "status",
    "metadata",
    "versions",
    "addVersion",
    "playlist",
    "protection",
    "copyLink",
    "delete",
  ]);
  expect(actionNames([stems], member, tree, null)).toEqual(["open", "download", "downloadTagged", "rename", "move", "protection", "copyLink", "delete"]);
  expect(actionNames([stems, mix], member, tree, null)).toEqual(["download", "downloadTagged", "move", "status", "copyLink", "delete"]);
  expect(actionNames([root], member, tree, null)).toEqual(["open", "download", "downloadTagged", "copyLink"]);
  expect(actionNames([buildEntry(8, { kind: "document", name: "lyrics.txt" })], member, tree, null)).not.toContain("downloadTagged");
  expect(actionNames([], member, tree, null)).toEqual([]);
});

test("actions that guests never have are hidden, and unavailable ones have a reason", () => {
  const guest = { accountId: 2, role: "guest" as const, isArchived: false };
  expect(actionNames([mix], guest, tree, null)).toEqual([
    "open",
    "download",
    "downloadTagged",
    "move",
    "versions",
    "addVersion",
    "playlist",
    "copyLink",
    "delete",
  ]);
  expect(computeAvailableActions([mix], guest, tree, null).find(({ action }) => action === "delete")?.disabledReason).toMatch(/^Guests can only delete/);
  expect(computeAvailableActions([mix], member, tree, "No files here.").find(({ action }) => action === "addVersion")?.disabledReason).toBe("No files here.");
});

test("an archived project offers only what changes nothing, and says why the rest is disabled", () => {
  const actions = computeAvailableActions([mix], { accountId: 1, role: "owner", isArchived: true }, tree, "This project is archived.");
  expect(actions.filter(({ disabledReason }) => disabledReason === null).map(({ action }) => action)).toEqual([
    "open",
    "download",
    "downloadTagged",
    "versions",
    "copyLink",
  ]);
  expect(actions.flatMap(({ action, disabledReason }) => (disabledReason === null ? [] : [[action, disabledReason]]))).toEqual(
    ["move", "addVersion", "delete"].map((action) => [action, "This project is archived."]),
  );
});

test("actions are disabled for more entries than the service accepts", () => {
  const many = Array.from({ length: 501 }, (_, index) => buildEntry(index + 10, { name: `take ${index}.wav` }));
  const disabledActions = computeAvailableActions(many, member, tree, null).filter(({ disabledReason }) => disabledReason !== null);
  expect(disabledActions.map(({ action }) => action)).toEqual(["download", "downloadTagged", "move", "status", "metadata", "playlist", "delete"]);
});

test("a dropped file goes to the folder under it, becomes a version of the file under it, or goes to the open folder", () => {
  expect(resolveFileDrop(root, root, true, () => true)).toBe(root);
  expect(resolveFileDrop(stems, root, true, () => false)).toBe(stems);
  expect(resolveFileDrop(mix, root, true, () => true)).toBe(mix);
  // Where no version may be added, the file is uploaded beside it.
  expect(resolveFileDrop(mix, root, true, () => false)).toBe(root);
});

test("several dropped files go to a folder, even over a file", () => {
  expect(resolveFileDrop(mix, root, false, () => true)).toBe(root);
  expect(resolveFileDrop(stems, root, false, () => true)).toBe(stems);
});

test("entries move only to folders that accept them", () => {
  expect(acceptsMove(stems, [mix], tree)).toBe(true);
  expect(acceptsMove(drums, [mix], tree)).toBe(true);
  expect(acceptsMove(mix, [stems], tree)).toBe(false);
  expect(acceptsMove(drums, [stems], tree)).toBe(false);
  // The file is already there.
  expect(acceptsMove(root, [mix], tree)).toBe(false);
  expect(acceptsMove(stems, [], tree)).toBe(false);
});
