import { expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import { pack, type Found } from "./archive.ts";

test("a path that no zip can hold is refused before it is made", () => {
  const nested = Array.from({ length: 5_000 }, (_, at): Found => ({ ...FOLDER, id: at + 1, parent_id: at, name: "n".repeat(240) }));
  expect(() => pack([nested[0]!], nested)).toThrow("too deep");
});

const FOLDER: Found = { id: 1, parent_id: null, is_folder: 1, name: "Takes", changed_at: 1, blob_key: null, bytes: null };

// Minutes, where each row or each name costs what stands before it.
test.each([
  ["as many as a zip may hold", LIMITS.archive_files, (at: number) => `take ${at}.wav`],
  ["names that are one on other file systems", 10_000, (at: number) => `${at.toString(2).padStart(14, "0").replaceAll("0", "?").replaceAll("1", "*")}.wav`],
])("a folder of many files: %s", { timeout: 20_000 }, (_, count, name) => {
  const files = Array.from({ length: count - 1 }, (_file, at) => {
    return { ...FOLDER, id: at + 2, parent_id: 1, is_folder: 0 as const, name: name(at), blob_key: "k", bytes: 1 };
  });
  const packed = pack([FOLDER], [FOLDER, ...files]);
  expect([packed[0]?.path, packed.length, new Set(packed.map(({ path }) => path)).size]).toEqual(["Takes/", count, count]);
});
