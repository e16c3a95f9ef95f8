import { expect, test } from "vitest";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { buildEntry } from "../../../queries/file-lists/entry.fixture.ts";
import { buildTree } from "../../../queries/file-lists/folder-tree.ts";
import { deleteDisabledReason, moveDisabledReason, moveTargetDisabledReason, versionDisabledReason } from "./available-actions.tsx";

const member = { accountId: 1, role: "member" as const, isArchived: false };
const guest = { accountId: 2, role: "guest" as const, isArchived: false };
const folder = (id: number, parent_id: number | null, name: string) => buildEntry(id, { is_folder: true, kind: "folder", parent_id, name });
const tree = buildTree([folder(1, null, "Project"), folder(2, 1, "Stems"), folder(3, 2, "Drums"), folder(4, 1, "Mixes")]);
const file = (changes: Partial<FileEntry> = {}) => buildEntry(9, { name: "mix.wav", ...changes });

test("a folder cannot move into itself or its subfolders, and nothing moves to its current folder", () => {
  const stems = folder(2, 1, "Stems");
  expect(moveTargetDisabledReason([stems], 2, tree)).toBe("“Stems” can't be moved into itself.");
  expect(moveTargetDisabledReason([file(), stems], 3, tree)).toBe("“Stems” can't be moved into one of its subfolders.");
  expect(moveTargetDisabledReason([stems], 4, tree)).toBeNull();
  expect(moveTargetDisabledReason([file(), stems], 1, tree)).toBe("Already in this folder.");
  expect(moveTargetDisabledReason([file({ parent_id: 2 }), stems], 1, tree)).toBeNull();
});

test("nobody can move or delete a protected entry", () => {
  const protectedFile = file({ removal_protection: true });
  expect(moveDisabledReason(member, [file(), protectedFile], tree)).toBe("“mix.wav” is protected from removal and can't be moved.");
  expect(deleteDisabledReason(member, [protectedFile], tree)).toBe("“mix.wav” is protected from removal. Remove the protection first.");
  expect(deleteDisabledReason(guest, [file({ account_id: 2, removal_protection: true })], tree)).toBe("“mix.wav” is protected from removal.");
});

test("guests can move and delete only their own uploads", () => {
  expect([moveDisabledReason(guest, [file({ account_id: 2 })], tree), deleteDisabledReason(guest, [file({ account_id: 2 })], tree)]).toEqual([null, null]);
  expect(moveDisabledReason(guest, [file()], tree)).toMatch(/only move files they uploaded/);
  expect(deleteDisabledReason(guest, [file({ account_id: 2 }), file()], tree)).toMatch(/only delete files they uploaded/);
  const stems = buildTree([folder(1, null, "Project"), { ...folder(2, 1, "Stems"), removal_protection: true }, folder(3, 2, "Drums")]);
  const inStems = [file({ account_id: 2, parent_id: 3 })];
  expect([moveDisabledReason(guest, inStems, stems), deleteDisabledReason(guest, inStems, stems)]).toEqual([
    "Guests can't move files out of protected folders.",
    null,
  ]);
  expect([moveDisabledReason(member, inStems, stems), moveDisabledReason(guest, inStems, tree)]).toEqual([null, null]);
  const approved = [file({ account_id: 2, status: { id: 4, title: "Approved", color: 4, position: 4, is_final: true } })];
  expect([deleteDisabledReason(guest, approved, tree), moveDisabledReason(guest, approved, tree), deleteDisabledReason(member, approved, tree)]).toEqual([
    "Guests can't delete files with the status Approved.",
    null,
    null,
  ]);
  // A file stays theirs when somebody else uploads a version of it, and a version does not make it theirs.
  expect(deleteDisabledReason(guest, [file({ account_id: 1, created_by_account_id: 2 })], tree)).toBeNull();
  expect(deleteDisabledReason(guest, [file({ account_id: 2, created_by_account_id: 1 })], tree)).toMatch(/only delete files they uploaded/);
});

test("at most 500 entries can be moved or deleted at a time", () => {
  const many = Array.from({ length: 501 }, (_, index) => buildEntry(index + 10));
  expect(deleteDisabledReason(member, many, tree)).toBe("Select up to 500 files and folders at a time.");
  expect(moveDisabledReason(member, many.slice(1), tree)).toBeNull();
});

test("guests add versions only to their own files, and not to protected or final ones", () => {
  const approved = { id: 4, title: "Approved", color: 4, position: 4, is_final: true };
  const own = (changes: Partial<FileEntry> = {}) => file({ created_by_account_id: 2, parent_id: 3, ...changes });
  expect([versionDisabledReason(guest, own(), tree), versionDisabledReason(guest, own({ status: { ...approved, is_final: false } }), tree)]).toEqual([
    null,
    null,
  ]);
  expect(versionDisabledReason(guest, file(), tree)).toMatch(/only add versions to files they uploaded/);
  expect(versionDisabledReason(guest, own({ removal_protection: true }), tree)).toMatch(/protected/);
  expect(versionDisabledReason(guest, own({ status: approved }), tree)).toMatch(/status Approved/);
  const protectedTree = buildTree([folder(1, null, "Project"), { ...folder(2, 1, "Stems"), removal_protection: true }, folder(3, 2, "Drums")]);
  expect(versionDisabledReason(guest, own(), protectedTree)).toMatch(/protected/);
  expect(versionDisabledReason(member, file({ removal_protection: true, status: approved, parent_id: 3 }), protectedTree)).toBeNull();
});
