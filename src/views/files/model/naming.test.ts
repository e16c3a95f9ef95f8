import { expect, test } from "vitest";
import { comesBack, type Naming } from "./naming.ts";

const entry: Naming = { of: { kind: "entry", id: 7 }, folderId: 1, text: "mix", fault: null, pending: false };
const folder: Naming = { of: { kind: "folder" }, folderId: 1, text: "Stems", fault: null, pending: true };
const sight = { folderId: 1, entries: new Set([7, 8]) };

test("a refused name comes back where it was written, and never takes the place of another name", () => {
  expect(comesBack(entry, null, sight)).toBe(true);
  expect(comesBack(entry, { ...entry, of: { kind: "entry", id: 8 } }, sight)).toBe(false);
  expect(comesBack(folder, folder, sight)).toBe(true);
  expect(comesBack(folder, entry, sight)).toBe(false);
  // Escape was pressed meanwhile.
  expect(comesBack(folder, null, sight)).toBe(false);
});

test("it comes back in no other folder, and where its row is out of sight", () => {
  expect(comesBack(folder, folder, { ...sight, folderId: 2 })).toBe(false);
  expect(comesBack(folder, folder, { ...sight, folderId: null })).toBe(false);
  expect(comesBack(entry, null, { folderId: 1, entries: new Set([8]) })).toBe(false);
});
