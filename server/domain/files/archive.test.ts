import { expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import { buildArchiveEntries, type ArchiveRow } from "./archive.ts";

test("a path that no zip can hold is refused before it is made", () => {
  const nested = Array.from({ length: 5_000 }, (_, index): ArchiveRow => ({ ...FOLDER, id: index + 1, parent_id: index, name: "n".repeat(240) }));
  expect(() => buildArchiveEntries([nested[0]!], nested)).toThrow("too deep");
});

const FOLDER: ArchiveRow = { id: 1, parent_id: null, is_folder: 1, name: "Takes", changed_at: 1, blob_key: null, bytes: null };

// Takes minutes if the cost of a row or a name grows with the rows before it.
test.each([
  ["as many as a zip may hold", LIMITS.archive_files, (index: number) => `take ${index}.wav`],
  [
    "names that are one on other file systems",
    10_000,
    (index: number) => `${index.toString(2).padStart(14, "0").replaceAll("0", "?").replaceAll("1", "*")}.wav`,
  ],
])("a folder of many files: %s", { timeout: 20_000 }, (_, count, name) => {
  const files = Array.from({ length: count - 1 }, (_file, index) => {
    return { ...FOLDER, id: index + 2, parent_id: 1, is_folder: 0 as const, name: name(index), blob_key: "k", bytes: 1 };
  });
  const entries = buildArchiveEntries([FOLDER], [FOLDER, ...files]);
  expect([entries[0]?.path, entries.length, new Set(entries.map(({ path }) => path)).size]).toEqual(["Takes/", count, count]);
});
