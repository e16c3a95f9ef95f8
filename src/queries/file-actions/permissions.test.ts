import { expect, test } from "vitest";
import type { FileEntry } from "../../../contract/file-records.ts";
import { entryOf } from "../file-lists/entry.fixture.ts";
import { treeOf } from "../file-lists/tree.ts";
import { deleteRefusal, moveRefusal, placeRefusal } from "./permissions.ts";

const member = { accountId: 1, role: "member" as const };
const guest = { accountId: 2, role: "guest" as const };
const folder = (id: number, parent_id: number | null, name: string) => entryOf(id, { is_folder: true, kind: "folder", parent_id, name });
const tree = treeOf([folder(1, null, "Project"), folder(2, 1, "Stems"), folder(3, 2, "Drums"), folder(4, 1, "Mixes")]);
const file = (changes: Partial<FileEntry> = {}) => entryOf(9, { name: "mix.wav", ...changes });

test("a folder goes neither into itself nor below itself, and nothing to where it is", () => {
  const stems = folder(2, 1, "Stems");
  expect(placeRefusal([stems], 2, tree)).toBe("“Stems” cannot be moved into itself.");
  expect(placeRefusal([file(), stems], 3, tree)).toBe("“Stems” cannot be moved into a folder that lies in it.");
  expect(placeRefusal([stems], 4, tree)).toBeNull();
  expect(placeRefusal([file(), stems], 1, tree)).toBe("It is in this folder already.");
  expect(placeRefusal([file({ parent_id: 2 }), stems], 1, tree)).toBeNull();
});

test("what is protected stays, for everybody", () => {
  const kept = file({ removal_protection: true });
  expect(moveRefusal(member, [file(), kept])).toBe("“mix.wav” is protected from removal and stays in its folder.");
  expect(deleteRefusal(member, [kept])).toBe("“mix.wav” is protected from removal. Take the protection off first.");
  expect(deleteRefusal(guest, [file({ account_id: 2, removal_protection: true })])).toBe("“mix.wav” is protected from removal.");
});

test("a guest moves and deletes what is theirs", () => {
  expect([moveRefusal(guest, [file({ account_id: 2 })]), deleteRefusal(guest, [file({ account_id: 2 })])]).toEqual([null, null]);
  expect(moveRefusal(guest, [file()])).toMatch(/only what you have uploaded/);
  expect(deleteRefusal(guest, [file({ account_id: 2 }), file()])).toMatch(/only what you have uploaded/);
});

test("at most 500 at once", () => {
  const many = Array.from({ length: 501 }, (_, index) => entryOf(index + 10));
  expect(deleteRefusal(member, many)).toBe("At most 500 files and folders go at once. Select fewer.");
  expect(moveRefusal(member, many.slice(1))).toBeNull();
});
