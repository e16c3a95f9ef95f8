import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { notFound } from "../../lib/errors.ts";
import type { ByteRange } from "../../storage/storage.ts";
import { openZip } from "../../testing/unzip.ts";
import { type ArchiveEntry, createArchiveStream } from "./archive-stream.ts";

const NOW = Date.UTC(2026, 2, 1, 12, 30, 9);
const CHUNK = Buffer.alloc(8 * 1024 * 1024);
const isZeros = (chunk: Buffer): boolean => chunk.buffer === CHUNK.buffer;

/** Blobs in memory by key; a number is the length of a blob of zeros, and reading null fails. */
function createBlobs(contents: Record<string, string | number | null>) {
  const opened: Readable[] = [];
  function* bytes(key: string, end: number): Generator<Buffer> {
    const content = contents[key] ?? null;
    if (content === null) throw new Error("EIO: the disk fails");
    if (typeof content === "string") return yield* [...Buffer.from(content).subarray(0, end + 1)].map((byte) => Buffer.of(byte));
    for (let position = 0; position < content; position += CHUNK.length) yield CHUNK.subarray(0, Math.min(content, end + 1) - position);
  }
  const open = async (key: string, range?: ByteRange): Promise<Readable> => {
    if (contents[key] === undefined) throw notFound("file");
    const stream = Readable.from(bytes(key, range?.end ?? Infinity), { objectMode: false });
    opened.push(stream);
    return stream;
  };
  return { open, opened };
}
const fileEntry = (path: string, size: number, key = path): ArchiveEntry => ({ path, size, changedAt: NOW, content: key });
const folderEntry = (path: string): ArchiveEntry => ({ path, size: 0, changedAt: NOW, content: null });

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "talkback-zip-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes runs of zeros as holes, so that an archive of gigabytes takes a few kilobytes on disk. */
async function writeArchive(name: string, contents: Record<string, string | number>, entries: ArchiveEntry[]): Promise<string> {
  const path = join(folder, name);
  const handle = openSync(path, "w");
  const archive = await createArchiveStream(createBlobs(contents), entries);
  let length = 0;
  for await (const chunk of archive.start() as AsyncIterable<Buffer>) {
    if (!isZeros(chunk)) writeSync(handle, chunk, 0, chunk.length, length);
    length += chunk.length;
  }
  ftruncateSync(handle, length);
  closeSync(handle);
  expect(length).toBe(archive.length);
  return path;
}

const runTool = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, LC_ALL: "C.UTF-8", PYTHONUTF8: "1" } });
const isInstalled = (command: string): boolean => spawnSync(command, ["--help"], { stdio: "ignore" }).error === undefined;
const OTHER_PROGRAMS = ["python3", "unzip"];
const PYTHON = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert sys.argv[2] == "skip" or archive.testzip() is None
    for info in archive.infolist()[:50]:
        print(info.filename, info.file_size, info.is_dir(), oct(info.external_attr >> 16))
    if sys.argv[2] == "skip":
        print(archive.read(archive.infolist()[-1]).decode())
`;

describe("a zip archive", () => {
  const writeSmall = () => {
    const entries = [
      folderEntry("Stems/"),
      fileEntry("Stems/Größe 大 😀.wav", 10, "a"),
      fileEntry("empty.txt", 0, "b"),
      folderEntry("Nothing/"),
      { ...fileEntry("mix.wav", 3, "c"), changedAt: Date.UTC(1975, 0, 1) },
    ];
    return writeArchive("small.zip", { a: "some sound", b: "", c: "mix" }, entries);
  };
  /** The sparse file has ten gigabytes, beyond the 4 GiB that a zip of the first version can describe. */
  const large = 10_000_000_000;
  let largePath: Promise<string> | undefined;
  const writeLarge = () =>
    (largePath ??= writeArchive("large.zip", { "large.wav": large, "behind.txt": "still here" }, [fileEntry("large.wav", large), fileEntry("behind.txt", 10)]));

  test("has the announced length, folders, Unicode names, dates and empty files", async () => {
    const path = await writeSmall();
    const { entries: readEntries, close } = openZip(path);
    expect(readEntries.map((entry) => [entry.path, entry.changedAt, entry.isFolder ? "" : entry.read().toString()])).toEqual([
      ["Stems/", NOW, ""],
      ["Nothing/", NOW, ""],
      ["Stems/Größe 大 😀.wav", NOW, "some sound"],
      ["empty.txt", NOW, ""],
      ["mix.wav", Date.UTC(1975, 0, 1), "mix"],
    ]);
    close();
  });

  test("of nothing is readable", async () => {
    const { entries, close } = openZip(await writeArchive("empty.zip", {}, []));
    expect(entries).toEqual([]);
    close();
  });

  test("of ten gigabytes holds a large file and a small one after it", async () => {
    const { entries: readEntries, close } = openZip(await writeLarge());
    expect(readEntries.map(({ path: name, size }) => [name, size])).toEqual([
      ["large.wav", large],
      ["behind.txt", 10],
    ]);
    expect(readEntries[1]?.read().toString()).toBe("still here");
    close();
  }, 60_000);

  describe.skipIf(!OTHER_PROGRAMS.every(isInstalled))(`is readable by ${OTHER_PROGRAMS.join(" and ")}`, () => {
    test("with folders, Unicode names, dates and empty files", async () => {
      const path = await writeSmall();
      const listing =
        "Stems/ 0 True 0o40755\nNothing/ 0 True 0o40755\nStems/Größe 大 😀.wav 10 False 0o100644\nempty.txt 0 False 0o100644\nmix.wav 3 False 0o100644\n";
      expect(runTool("python3", "-c", PYTHON, path, "test")).toBe(listing);
      expect(runTool("unzip", "-t", path)).toContain("No errors detected");
      expect(runTool("unzip", "-p", path, "Stems/*")).toBe("some sound");
    });

    test("with ten gigabytes", async () => {
      const path = await writeLarge();
      expect(runTool("python3", "-c", PYTHON, path, "skip")).toBe(`large.wav ${large} False 0o100644\nbehind.txt 10 False 0o100644\nstill here\n`);
      expect(runTool("unzip", "-p", path, "behind.txt")).toBe("still here");
    }, 60_000);
  });

  // yazl's own length is wrong from about 700 entries on, and it overflows the stack at some thousands of folders.
  test.each([
    ["600 files", 600, 0],
    ["800 files", 800, 0],
    ["8,000 folders between two files", 2, 8_000],
  ])("of %s has the announced length, and all of them", { timeout: 60_000 }, async (_name, fileCount, folderCount) => {
    const entries = Array.from({ length: fileCount }, (_, index) => fileEntry(`take ${index} ${"x".repeat(30)}.wav`, 4, "take"));
    entries.splice(1, 0, ...Array.from({ length: folderCount }, (_, index) => folderEntry(`${index}/`)));
    const path = await writeArchive("many.zip", { take: "take" }, entries);
    const { entries: readEntries, close } = openZip(path);
    expect(new Set(readEntries.map(({ path: name }) => name))).toEqual(new Set(entries.map(({ path: name }) => name)));
    expect(
      readEntries
        .filter(({ isFolder }) => !isFolder)
        .at(-1)
        ?.read()
        .toString(),
    ).toBe("take");
    close();
    expect(runTool("unzip", "-tq", path) ?? "No errors detected").toContain("No errors detected");
  });

  test.each([
    ["is too short", { a: "12345", b: "12345" }],
    ["is too long", { a: "1234567", b: "12345" }],
    ["is far too long", { a: 100 * CHUNK.length, b: "12345" }],
    ["is missing", { b: "12345" }],
    ["cannot be read", { a: null, b: "12345" }],
  ])("ends in an error, before its announced length, when a file %s", async (_problem, contents) => {
    const { open, opened } = createBlobs(contents);
    const { length, start } = await createArchiveStream({ open }, [fileEntry("a", 6), fileEntry("b", 5)]);
    let read = 0;
    const readAll = async () => {
      for await (const chunk of start()) read += (chunk as Buffer).length;
    };
    await expect(readAll()).rejects.toThrow(/unexpected number of bytes|No such file|disk fails/);
    expect(read).toBeLessThan(length);
    expect(opened.every(({ destroyed }) => destroyed)).toBe(true);
    expect(opened.length).toBeLessThan(2);
  });

  test("opens nothing before its start, and one blob at a time", async () => {
    const { open, opened } = createBlobs({ a: "12345", b: "12345" });
    const archive = await createArchiveStream({ open }, [fileEntry("a", 5), fileEntry("b", 5)]);
    expect(opened).toHaveLength(0);
    let openAtOnce = 0;
    for await (const _ of archive.start()) openAtOnce = Math.max(openAtOnce, opened.filter(({ destroyed }) => !destroyed).length);
    expect([opened.length, openAtOnce]).toEqual([2, 1]);
  });

  test.each(["while a blob is being opened", "while a blob is being read"])("closes the blob when its reader leaves %s", async (moment) => {
    const { open, opened } = createBlobs({ a: 100 * CHUNK.length });
    const { promise: mayOpen, resolve: letOpen } = Promise.withResolvers<void>();
    const { promise: opening, resolve: onOpening } = Promise.withResolvers<void>();
    const waitAndOpen: typeof open = async (...args) => {
      onOpening();
      await mayOpen;
      return open(...args);
    };
    const stream = (await createArchiveStream({ open: waitAndOpen }, [fileEntry("a", 100 * CHUNK.length)])).start();
    if (moment === "while a blob is being read") letOpen();
    for (let read = 0; moment === "while a blob is being read" && read < CHUNK.length;) {
      const chunk = stream.read() as Buffer | null;
      if (chunk) read += chunk.length;
      else await once(stream, "readable");
    }
    await opening;
    stream.destroy();
    await once(stream, "close");
    letOpen();
    await expect.poll(() => opened.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  test("has its checksums computed by Node", async () => {
    const checksums = createRequire(import.meta.resolve("yazl"))("buffer-crc32") as { unsigned: typeof crc32 };
    expect(checksums.unsigned).toBe(crc32);
    const spy = vi.spyOn(checksums, "unsigned");
    onTestFinished(() => spy.mockRestore());
    const stream = (await createArchiveStream(createBlobs({ a: "a" }), [fileEntry("a", 1)])).start();
    await stream.toArray();
    expect(spy).toHaveBeenCalledWith(Buffer.from("a"), 0);
  });
});
