import { describe, expect, test } from "vitest";
import { getDropEntries, isSystemFile, MAX_FILES, readDropEntries, readFileList } from "./file-tree.ts";

type FakeTree = { [name: string]: FakeTree | "file" | "unreadable" };

/** Like Chromium: at most 100 entries per batch, and an empty batch at the end. */
const BATCH = 100;

function createEntry(name: string, content: FakeTree[string]): FileSystemEntry {
  if (typeof content === "string")
    return {
      name,
      isFile: true,
      isDirectory: false,
      file: (resolve: (file: File) => void, reject: (error: Error) => void) =>
        content === "file" ? resolve(new File(["bytes"], name)) : reject(new Error("NotReadable")),
    } as unknown as FileSystemEntry;
  const children = Object.entries(content).map(([child, childContent]) => createEntry(child, childContent));
  return {
    name,
    isFile: false,
    isDirectory: true,
    createReader() {
      let at = 0;
      return {
        readEntries(resolve: (entries: FileSystemEntry[]) => void) {
          resolve(children.slice(at, at + BATCH));
          at += BATCH;
        },
      };
    },
  } as unknown as FileSystemEntry;
}
const read = (root: FakeTree) => readDropEntries(Object.entries(root).map(([name, content]) => createEntry(name, content)));
const describeFiles = ({ files }: { files: { file: File; path: string }[] }) => files.map(({ file, path }) => `${path}|${file.name}`);

describe("a dropped folder", () => {
  test("lists files by their folder's path, and empty folders", async () => {
    const tree = await read({
      "mix.wav": "file",
      Stems: { Drums: { "kick.wav": "file", Old: {} }, "bass.wav": "file" },
      Artwork: { ".DS_Store": "file" },
    });
    expect(describeFiles(tree)).toEqual(["|mix.wav", "Stems/Drums|kick.wav", "Stems|bass.wav"]);
    expect(tree.emptyFolders).toEqual(["Stems/Drums/Old", "Artwork"]);
    expect(tree.skippedCount).toBe(1);
  });

  test("can have more entries than one batch returns", async () => {
    const tree = await read({ Takes: Object.fromEntries(Array.from({ length: 2 * BATCH + 50 }, (_, index) => [`take ${index}.wav`, "file" as const])) });
    expect(tree.files).toHaveLength(2 * BATCH + 50);
    expect(tree.emptyFolders).toEqual([]);
  });

  test("lists unreadable files by name and reads the rest", async () => {
    const tree = await read({ Stems: { "locked.wav": "unreadable", "bass.wav": "file" } });
    expect([describeFiles(tree), tree.unreadableNames, tree.emptyFolders]).toEqual([["Stems|bass.wav"], ["locked.wav"], []]);
  });

  test("is rejected when it contains too many files", async () => {
    const many = Object.fromEntries(Array.from({ length: MAX_FILES + 1 }, (_, index) => [`${index}.wav`, "file" as const]));
    expect(await read({ Takes: many })).toMatchObject({ files: [], emptyFolders: [], hasTooManyFiles: true });
  });

  test("falls back to plain files in a browser without directory entries", () => {
    const file = new File(["bytes"], "mix.wav");
    const items = [{ kind: "string" }, { kind: "file", webkitGetAsEntry: () => null, getAsFile: () => file }] as unknown as DataTransferItemList;
    expect(getDropEntries({ items })).toEqual([file]);
  });
});

test("a folder chosen in the file dialog preserves its paths, without system files", () => {
  const fileWithPath = (path: string) => Object.defineProperty(new File(["bytes"], path.split("/").at(-1)!), "webkitRelativePath", { value: path });
  const tree = readFileList([
    fileWithPath("EP/Drums/kick.wav"),
    fileWithPath("EP/Thumbs.db"),
    fileWithPath("EP/__MACOSX/._kick.wav"),
    new File(["bytes"], "mix.wav"),
  ]);
  expect([describeFiles(tree), tree.skippedCount]).toEqual([["EP/Drums|kick.wav", "|mix.wav"], 2]);
});

test.each([".DS_Store", "._mix.wav", "Thumbs.db", "desktop.ini", "THUMBS.DB"])("%s is a system file", (name) => expect(isSystemFile(name)).toBe(true));
test.each(["mix.wav", ".gitignore", "Thumbs.db.wav", "Icon.png"])("%s is not a system file", (name) => expect(isSystemFile(name)).toBe(false));
