import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unzip } from "../testing/unzip.ts";
import { zipBytes, zipLength, type ZipEntry } from "./zip.ts";

const NOW = Date.UTC(2026, 2, 1, 12, 30, 8);
let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "talkback-zip-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (path: string, content: string): ZipEntry => ({
  path,
  size: Buffer.byteLength(content),
  changedAt: NOW,
  open: async () =>
    (async function* () {
      for (let at = 0; at < Buffer.byteLength(content); at += 3) yield Buffer.from(content).subarray(at, at + 3);
    })(),
});
const folderNamed = (path: string): ZipEntry => ({ path, size: 0, changedAt: NOW, open: null });

const PIECE = Buffer.alloc(8 * 1024 * 1024);
const zeros = (path: string, pieces: number): ZipEntry => ({
  path,
  size: pieces * PIECE.length,
  changedAt: NOW,
  open: async () =>
    (async function* () {
      for (let piece = 0; piece < pieces; piece += 1) yield PIECE;
    })(),
});

/** Zeros become holes: an archive of gigabytes takes a few kilobytes of the disk. */
async function written(name: string, entries: ZipEntry[]): Promise<string> {
  const path = join(folder, name);
  const handle = openSync(path, "w");
  let length = 0;
  for await (const chunk of zipBytes(entries)) {
    if (chunk !== PIECE) writeSync(handle, chunk, 0, chunk.length, length);
    length += chunk.length;
  }
  ftruncateSync(handle, length);
  closeSync(handle);
  return path;
}

/** What another program reads; null where it is not installed. */
function elsewhere(command: string, ...args: string[]): string | null {
  try {
    return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, LC_ALL: "C.UTF-8", PYTHONUTF8: "1" } });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
const PYTHON = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert sys.argv[2] == "skip" or archive.testzip() is None
    for info in archive.infolist()[:50]:
        print(info.filename, info.file_size, info.is_dir())
    if sys.argv[2] == "skip":
        print(archive.read(archive.infolist()[-1]).decode())
`;

describe("an archive", () => {
  const entries = [folderNamed("Stems/"), file("Stems/Größe 大 😀.wav", "some sound"), file("empty.txt", ""), folderNamed("Nothing/"), file("mix.wav", "mix")];

  test("is as long as it says, and every program reads it: folders, Unicode names, empty files", async () => {
    const path = await written("small.zip", entries);
    expect(statSync(path).size).toBe(zipLength(entries));
    const { entries: read, close } = unzip(path);
    expect(read.map(({ path: name, isFolder }) => [name, isFolder, isFolder ? "" : ""])).toEqual(
      entries.map(({ path: name, open }) => [name, open === null, ""]),
    );
    expect(read.filter(({ isFolder }) => !isFolder).map((one) => one.bytes().toString())).toEqual(["some sound", "", "mix"]);
    close();
    const shown = entries.map(({ path: name, size, open }) => `${name} ${size} ${open ? "False" : "True"}\n`).join("");
    expect(elsewhere("python3", "-c", PYTHON, path, "test") ?? shown).toBe(shown);
    expect(elsewhere("unzip", "-t", path) ?? "No errors detected").toContain("No errors detected");
    expect(elsewhere("unzip", "-p", path, "Stems/*") ?? "some sound").toBe("some sound");
  });

  test("of more than 4 GiB: one that is large itself, and small ones behind it", async () => {
    const large = [zeros("large.wav", 513), file("behind.txt", "still here")];
    const path = await written("large.zip", large);
    expect(statSync(path).size).toBe(zipLength(large));
    const { entries: read, close } = unzip(path);
    expect(read.map(({ path: name, size }) => [name, size])).toEqual([
      ["large.wav", 513 * PIECE.length],
      ["behind.txt", 10],
    ]);
    expect(read[1]?.bytes().toString()).toBe("still here");
    close();
    const shown = `large.wav ${513 * PIECE.length} False\nbehind.txt 10 False\nstill here\n`;
    expect(elsewhere("python3", "-c", PYTHON, path, "skip") ?? shown).toBe(shown);
    expect(elsewhere("unzip", "-p", path, "behind.txt") ?? "still here").toBe("still here");
  }, 60_000);

  test("of more than 65,535 files", async () => {
    const many = Array.from({ length: 65_600 }, (_, index) => folderNamed(`${index}/`));
    many.push(file("last.txt", "last"));
    const path = await written("many.zip", many);
    expect(statSync(path).size).toBe(zipLength(many));
    const { entries: read, close } = unzip(path);
    expect([read.length, read.at(-1)?.bytes().toString()]).toEqual([65_601, "last"]);
    close();
    expect((elsewhere("python3", "-c", PYTHON, path, "skip") ?? "last\n").endsWith("last\n")).toBe(true);
  }, 60_000);

  test.each(["too short", "too long"])("of a file that is %s breaks off instead of lying", async (what) => {
    const wrong: ZipEntry = { ...file("a", "12345"), size: what === "too short" ? 6 : 4 };
    await expect(Readable.from(zipBytes([wrong])).toArray()).rejects.toThrow("has another size");
  });
});
