import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openZip } from "../testing/unzip.ts";
import { zipBytes, zipLength, type ZipEntry } from "./zip.ts";

const NOW = Date.UTC(2026, 2, 1, 12, 30, 8);
let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "talkback-zip-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileEntry = (path: string, content: string): ZipEntry => ({
  path,
  size: Buffer.byteLength(content),
  changedAt: NOW,
  open: async () =>
    (async function* () {
      for (let offset = 0; offset < Buffer.byteLength(content); offset += 3) yield Buffer.from(content).subarray(offset, offset + 3);
    })(),
});
const folderEntry = (path: string): ZipEntry => ({ path, size: 0, changedAt: NOW, open: null });

const CHUNK = Buffer.alloc(8 * 1024 * 1024);
const zeroFile = (path: string, chunkCount: number): ZipEntry => ({
  path,
  size: chunkCount * CHUNK.length,
  changedAt: NOW,
  open: async () =>
    (async function* () {
      for (let index = 0; index < chunkCount; index += 1) yield CHUNK;
    })(),
});

/** Writes runs of zeros as holes, so that an archive of gigabytes takes a few kilobytes on disk. */
async function writeArchive(name: string, entries: ZipEntry[]): Promise<string> {
  const path = join(folder, name);
  const handle = openSync(path, "w");
  let length = 0;
  for await (const chunk of zipBytes(entries)) {
    if (chunk !== CHUNK) writeSync(handle, chunk, 0, chunk.length, length);
    length += chunk.length;
  }
  ftruncateSync(handle, length);
  closeSync(handle);
  return path;
}

/** Returns the output of another program; null if it is not installed. */
function runTool(command: string, ...args: string[]): string | null {
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

describe("a zip archive", () => {
  const entries = [
    folderEntry("Stems/"),
    fileEntry("Stems/Größe 大 😀.wav", "some sound"),
    fileEntry("empty.txt", ""),
    folderEntry("Nothing/"),
    fileEntry("mix.wav", "mix"),
  ];

  test("has the announced length and is readable by other programs, with folders, Unicode names and empty files", async () => {
    const path = await writeArchive("small.zip", entries);
    expect(statSync(path).size).toBe(zipLength(entries));
    const { entries: readEntries, close } = openZip(path);
    expect(readEntries.map(({ path: name, isFolder }) => [name, isFolder, isFolder ? "" : ""])).toEqual(
      entries.map(({ path: name, open }) => [name, open === null, ""]),
    );
    expect(readEntries.filter(({ isFolder }) => !isFolder).map((entry) => entry.read().toString())).toEqual(["some sound", "", "mix"]);
    close();
    const listing = entries.map(({ path: name, size, open }) => `${name} ${size} ${open ? "False" : "True"}\n`).join("");
    expect(runTool("python3", "-c", PYTHON, path, "test") ?? listing).toBe(listing);
    expect(runTool("unzip", "-t", path) ?? "No errors detected").toContain("No errors detected");
    expect(runTool("unzip", "-p", path, "Stems/*") ?? "some sound").toBe("some sound");
  });

  test("of more than 4 GiB holds a large file and a small one after it", async () => {
    const large = [zeroFile("large.wav", 513), fileEntry("behind.txt", "still here")];
    const path = await writeArchive("large.zip", large);
    expect(statSync(path).size).toBe(zipLength(large));
    const { entries: readEntries, close } = openZip(path);
    expect(readEntries.map(({ path: name, size }) => [name, size])).toEqual([
      ["large.wav", 513 * CHUNK.length],
      ["behind.txt", 10],
    ]);
    expect(readEntries[1]?.read().toString()).toBe("still here");
    close();
    const listing = `large.wav ${513 * CHUNK.length} False\nbehind.txt 10 False\nstill here\n`;
    expect(runTool("python3", "-c", PYTHON, path, "skip") ?? listing).toBe(listing);
    expect(runTool("unzip", "-p", path, "behind.txt") ?? "still here").toBe("still here");
  }, 60_000);

  test("holds more than 65,535 files", async () => {
    const manyEntries = Array.from({ length: 65_600 }, (_, index) => folderEntry(`${index}/`));
    manyEntries.push(fileEntry("last.txt", "last"));
    const path = await writeArchive("many.zip", manyEntries);
    expect(statSync(path).size).toBe(zipLength(manyEntries));
    const { entries: readEntries, close } = openZip(path);
    expect([readEntries.length, readEntries.at(-1)?.read().toString()]).toEqual([65_601, "last"]);
    close();
    expect((runTool("python3", "-c", PYTHON, path, "skip") ?? "last\n").endsWith("last\n")).toBe(true);
  }, 60_000);

  test.each(["too short", "too long"])("fails when a file is %s for its declared size", async (problem) => {
    const wrong: ZipEntry = { ...fileEntry("a", "12345"), size: problem === "too short" ? 6 : 4 };
    await expect(Readable.from(zipBytes([wrong])).toArray()).rejects.toThrow("has another size");
  });
});
