import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import { type ArchiveRow, buildArchiveEntries, safeName } from "./archive.ts";

const FOLDER: ArchiveRow = { id: 1, parent_id: null, is_folder: 1, name: "Takes", changed_at: 1, blob_key: null, bytes: null };

test("rejects a path that is too long for a zip archive", async () => {
  const nested = Array.from({ length: 5_000 }, (_, index): ArchiveRow => ({ ...FOLDER, id: index + 1, parent_id: index, name: "n".repeat(240) }));
  await expect(buildArchiveEntries([nested[0]!], nested)).rejects.toThrow("too deep");
});

test("rejects names that are too long together, and says so", async () => {
  const path = (index: number): ArchiveRow => ({ ...FOLDER, id: index + 1, parent_id: index, name: "n".repeat(240) });
  const folders = Array.from({ length: 200 }, (_, index) => path(index));
  const files = Array.from({ length: 1_000 }, (_, index): ArchiveRow => ({
    ...FOLDER,
    id: 1_000 + index,
    parent_id: 200,
    is_folder: 0,
    name: `${index}`,
    blob_key: "k",
    bytes: 1,
  }));
  await expect(buildArchiveEntries([folders[0]!], [...folders, ...files])).rejects.toThrow("too long together");
});

// Takes minutes if the cost of a row or a name grows with the rows before it.
test.each([
  ["as many as an archive can hold", LIMITS.archive_files, (index: number) => `take ${index}.wav`],
  [
    "names that are equal on other file systems",
    10_000,
    (index: number) => `${index.toString(2).padStart(14, "0").replaceAll("0", "?").replaceAll("1", "*")}.wav`,
  ],
])("makes a unique path for each of many files: %s", { timeout: 20_000 }, async (_, count, name) => {
  const files = Array.from({ length: count - 1 }, (_file, index) => {
    return { ...FOLDER, id: index + 2, parent_id: 1, is_folder: 0 as const, name: name(index), blob_key: "k", bytes: 1 };
  });
  const entries = await buildArchiveEntries([FOLDER], [FOLDER, ...files]);
  expect([entries[0]?.path, entries.length, new Set(entries.map(({ path }) => path)).size]).toEqual(["Takes/", count, count]);
});

test.each([
  ["mix.wav", "mix.wav"],
  ["..", "__"],
  [".", "_"],
  ["../../etc/passwd", ".._.._etc_passwd"],
  ["/etc/passwd", "_etc_passwd"],
  ["C:\\Windows\\x.dll", "C__Windows_x.dll"],
  ["a\\b", "a_b"],
  ["CON", "_CON"],
  ["nul.tar.gz", "_nul.tar.gz"],
  ["com1.wav", "_com1.wav"],
  ["LPT9", "_LPT9"],
  ["console.wav", "console.wav"],
  ['what?*<>|".wav', "what______.wav"],
  ["trailing. . ", "trailing___"],
  ["  ", "_"],
  ["gpj\u202e.exe", "gpj.exe"],
  ["e\u0301", "é"],
  ["nul\0byte", "nul_byte"],
  ["lone \ud800", "lone _"],
  ["AC/DC", "AC_DC"],
])("safeName turns %j into %j", (name, safe) => expect(safeName(name)).toBe(safe));

test("safeName returns one safe path segment for any name and does not change it again", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(fc.constantFrom(".", "/", "\\", " ", ":", "\0", "CON", "\u202e"), fc.string({ unit: "binary", maxLength: 3 })),
        maxLength: 300,
      }),
      (name) => {
        const safe = safeName(name);
        expect(safe).not.toMatch(/[/\\:\0]|[. ]$|^(con|nul)(\.|$)/i);
        expect(safe).not.toBe("");
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(255);
        expect(safeName(safe)).toBe(safe);
      },
    ),
    { numRuns: 150 },
  );
});
