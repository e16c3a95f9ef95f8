import { expect, test } from "vitest";
import { shouldReopen, type NameEdit } from "./use-name-editing.ts";

const entryEdit: NameEdit = { entryId: 7, folderId: 1, text: "mix", error: null, isPending: false, draft: { current: null } };
const folderEdit: NameEdit = { entryId: null, folderId: 1, text: "Stems", error: null, isPending: true, draft: { current: null } };
const view = { folderId: 1, entries: new Set([7, 8]) };

test("a rejected name is reopened for editing, unless another name is being edited", () => {
  expect(shouldReopen(entryEdit, null, view)).toBe(true);
  expect(shouldReopen(entryEdit, { ...entryEdit, entryId: 8 }, view)).toBe(false);
  expect(shouldReopen(folderEdit, folderEdit, view)).toBe(true);
  expect(shouldReopen(folderEdit, entryEdit, view)).toBe(false);
  // The user has pressed Escape meanwhile.
  expect(shouldReopen(folderEdit, null, view)).toBe(false);
});

test("a rejected name is not reopened in another folder, or when its row is not visible", () => {
  expect(shouldReopen(folderEdit, folderEdit, { ...view, folderId: 2 })).toBe(false);
  expect(shouldReopen(folderEdit, folderEdit, { ...view, folderId: null })).toBe(false);
  expect(shouldReopen(entryEdit, null, { folderId: 1, entries: new Set([8]) })).toBe(false);
});
