import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toHttpError } from "../http/problems.ts";
import type { HttpError } from "../lib/errors.ts";
import { openLocalDisk } from "./local-disk.ts";
import type { Storage, StoredEntry } from "./storage.ts";

const MODULE = fileURLToPath(new URL("local-disk.ts", import.meta.url));
const LIMITS = { maxBytes: 1_000_000 };

let folder: string;
let storage: Storage;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "talkback-disk-"));
  storage = openLocalDisk(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const storeText = (text: string) => storage.put(Readable.from([Buffer.from(text)]), LIMITS);
const readText = async (key: string, range?: { start: number; end: number }) => Buffer.concat(await (await storage.open(key, range)).toArray()).toString();
const listEntries = async (): Promise<StoredEntry[]> => Readable.from(storage.list()).toArray();
const listIncoming = () => readdirSync(join(folder, "incoming"));
const catchHttpError = async (work: Promise<unknown>): Promise<HttpError | null> =>
  toHttpError(
    await work.then(
      () => expect.unreachable("it worked"),
      (error: unknown) => error,
    ),
  );

async function expectNothingLeft(): Promise<void> {
  expect(await listEntries()).toEqual([]);
  expect(listIncoming()).toEqual([]);
}

describe("a blob", () => {
  test("is read back unchanged, with its size and SHA-256", async () => {
    const bytes = randomBytes(300_000);
    const blob = await storage.put(Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)]), LIMITS);
    expect(blob).toEqual({ key: expect.stringMatching(/^[0-9a-f]{32}$/), size: 300_000, sha256: createHash("sha256").update(bytes).digest("hex") });
    expect(Buffer.concat(await (await storage.open(blob.key)).toArray()).equals(bytes)).toBe(true);
    expect(await storage.size(blob.key)).toBe(300_000);
    expect(listIncoming()).toEqual([]);
  });
  test("can be empty", async () => {
    const { key, size } = await storeText("");
    expect([size, await storage.size(key), await readText(key)]).toEqual([0, 0, ""]);
  });
  test("is read by byte range, including the first and the last byte", async () => {
    const { key } = await storeText("0123456789");
    expect(await readText(key, { start: 0, end: 0 })).toBe("0");
    expect(await readText(key, { start: 3, end: 5 })).toBe("345");
    expect(await readText(key, { start: 9, end: 9 })).toBe("9");
  });
  test("is readable only by the service's user", async () => {
    const { key } = await storeText("x");
    expect(statSync(join(folder, "blobs", key.slice(0, 2), key)).mode & 0o077).toBe(0);
  });
  test("can be removed twice without an error", async () => {
    const { key } = await storeText("x");
    await storage.remove(key);
    await storage.remove(key);
    expect(await storage.size(key)).toBeNull();
    expect((await catchHttpError(storage.open(key)))?.status).toBe(404);
  });
  test.each(["", "../../etc/passwd", "x".repeat(32), "A".repeat(32), `${"0".repeat(32)}/../x`])("is not found by the key %j", async (key) => {
    expect((await catchHttpError(storage.open(key)))?.status).toBe(404);
  });
});

describe("put", () => {
  test("does not list a blob while it is being written", async () => {
    let resumeSource = () => {};
    async function* slow() {
      yield Buffer.from("first half, ");
      await new Promise<void>((resolve) => (resumeSource = resolve));
      yield Buffer.from("second half");
    }
    const pendingBlob = storage.put(slow(), LIMITS);
    while (!existsSync(join(folder, "incoming")) || listIncoming().length === 0) await sleep(5);
    await sleep(20);
    expect(await listEntries()).toEqual([]);
    resumeSource();
    const { key, size } = await pendingBlob;
    expect((await listEntries()).map((entry) => [entry.key, entry.size])).toEqual([[key, size]]);
    expect(listIncoming()).toEqual([]);
  });
  test.each<[string, number, string[], Parameters<Storage["put"]>[1]]>([
    ["is longer than allowed", 413, ["12345", "6"], { maxBytes: 5 }],
    ["is longer than declared", 400, ["123", "456"], { maxBytes: 100, expectedBytes: 5 }],
    ["is shorter than declared", 400, ["123"], { maxBytes: 100, expectedBytes: 5 }],
    ["is empty although a size was declared", 400, [], { maxBytes: 100, expectedBytes: 1 }],
  ])("a source that %s fails with %i and leaves nothing behind", async (_what, status, chunks, limits) => {
    expect((await catchHttpError(storage.put(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), limits)))?.status).toBe(status);
    await expectNothingLeft();
  });
  test("accepts a source of exactly the allowed size", async () => {
    expect((await storage.put(Readable.from([Buffer.from("12345")]), { maxBytes: 5, expectedBytes: 5 })).size).toBe(5);
  });
  test("a source that throws leaves nothing behind, and its error is rethrown", async () => {
    async function* failing() {
      yield Buffer.alloc(100_000);
      throw new Error("the line went dead");
    }
    await expect(storage.put(failing(), LIMITS)).rejects.toThrow("the line went dead");
    await expectNothingLeft();
  });
});

describe("a temporary folder", () => {
  test("is removed when the work ends, and imported files remain", async () => {
    const [path, blob] = await storage.withTemporaryFolder(async (workFolder) => {
      writeFileSync(join(workFolder, "made"), "made here");
      return [workFolder, await storage.importFile(join(workFolder, "made"), 9)] as const;
    });
    expect(existsSync(path)).toBe(false);
    expect(await readText(blob.key)).toBe("made here");
  });
  test("is removed when the work fails, and the error is rethrown", async () => {
    await expect(storage.withTemporaryFolder(() => Promise.reject(new Error("no luck")))).rejects.toThrow("no luck");
    expect(readdirSync(join(folder, "work"))).toEqual([]);
  });
  test("of a dead process is removed at the next start", async () => {
    await storeText("makes the folders");
    mkdirSync(join(folder, "work", "job-x"));
    writeFileSync(join(folder, "work", "job-x", "copy.m4a"), "half");
    expect(await storage.removeStale(60_000)).toBe(0);
    expect(await storage.removeStale(0)).toBe(1);
    expect(readdirSync(join(folder, "work"))).toEqual([]);
  });
});

describe("removing stale files", () => {
  test("removes everything that a killed process left unfinished", async () => {
    const code = `
      import { openLocalDisk } from ${JSON.stringify(MODULE)};
      const storage = openLocalDisk(process.argv[1]);
      const whole = await storage.put([Buffer.from("whole")], { maxBytes: 1e9 });
      console.log(whole.key);
      async function* endless() { for (;;) { yield Buffer.alloc(65_536, 7); await new Promise((go) => setTimeout(go, 1)); } }
      await storage.put(endless(), { maxBytes: 1e9 });
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", code, folder], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    while (!listIncoming().some((name) => statSync(join(folder, "incoming", name)).size > 200_000)) await sleep(10);
    child.kill("SIGKILL");
    await once(child, "exit");

    expect(listIncoming()).toHaveLength(1);
    const key = String(line).trim();
    expect((await listEntries()).map((entry) => entry.key)).toEqual([key]);
    // Another process may still be writing the file, so a recently written one is not stale.
    expect(await storage.removeStale(60_000)).toBe(0);
    expect(await storage.removeStale(0)).toBe(1);
    expect(listIncoming()).toEqual([]);
    expect(await readText(key)).toBe("whole");
  }, 30_000);
  test("keeps an upload in progress and removes an old one", async () => {
    await storeText("makes the folders");
    for (const name of ["fresh", "old"]) writeFileSync(join(folder, "incoming", name), "x");
    utimesSync(join(folder, "incoming", "old"), new Date(), new Date(Date.now() - 3_700_000));
    expect(await storage.removeStale(3_600_000)).toBe(1);
    expect(listIncoming()).toEqual(["fresh"]);
  });
  test("keeps an old folder with a recently written file and removes one without", async () => {
    await storeText("makes the folders");
    const ago = new Date(Date.now() - 7_200_000);
    for (const name of ["job-going", "job-old"]) {
      mkdirSync(join(folder, "work", name));
      writeFileSync(join(folder, "work", name, "copy"), "x");
    }
    utimesSync(join(folder, "work", "job-old", "copy"), ago, ago);
    for (const name of ["job-going", "job-old"]) utimesSync(join(folder, "work", name), ago, ago);
    expect(await storage.removeStale(3_600_000)).toBe(1);
    expect(readdirSync(join(folder, "work"))).toEqual(["job-going"]);
  });
});

/** Mounts a disk of one megabyte; null if this user may not mount one. */
function mountTinyDisk(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
  const mount = mkdtempSync(join(tmpdir(), "talkback-tiny-"));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", mount]).status === 0) return mount;
  rmSync(mount, { recursive: true });
  return null;
}

describe("a full disk", () => {
  test("returns 507 and leaves nothing behind, and smaller files still fit", async (context) => {
    const mount = mountTinyDisk();
    if (!mount) return context.skip("needs root, to mount a tiny disk");
    try {
      storage = openLocalDisk(mount);
      folder = mount;
      const httpError = await catchHttpError(storage.put(Readable.from([Buffer.alloc(700_000), Buffer.alloc(700_000)]), { maxBytes: 1e9 }));
      expect([httpError?.status, httpError?.message]).toEqual([507, "The server's disk is full. Nothing was saved. Try again once there is free space."]);
      await expectNothingLeft();
      expect((await storeText("small")).size).toBe(5);
    } finally {
      spawnSync("umount", [mount]);
      rmSync(mount, { recursive: true, force: true });
    }
  });
  test("accepts files again after space was freed on a disk that was full from the start", async (context) => {
    const mount = mountTinyDisk();
    if (!mount) return context.skip("needs root, to mount a tiny disk");
    try {
      writeFileSync(join(mount, "filler"), Buffer.alloc(1_048_576 - 4_096));
      storage = openLocalDisk(join(mount, "files"));
      expect((await catchHttpError(storeText("x".repeat(10_000))))?.status).toBe(507);
      rmSync(join(mount, "filler"));
      expect((await storeText("now")).size).toBe(3);
    } finally {
      spawnSync("umount", [mount]);
      rmSync(mount, { recursive: true, force: true });
    }
  });
  test("returns 507 without a path when the source reports it", async () => {
    async function* full() {
      yield Buffer.alloc(10);
      throw Object.assign(new Error("ENOSPC: no space left on device, write '/data/files/incoming/0'"), { code: "ENOSPC" });
    }
    const httpError = await catchHttpError(storage.put(full(), LIMITS));
    expect(httpError?.status).toBe(507);
    expect(httpError?.message).not.toContain("/data");
    await expectNothingLeft();
  });
});

describe("importing a finished file", () => {
  test("links it without a copy, and survives the removal of the original name", async () => {
    const path = join(folder, "part");
    writeFileSync(path, "all of it");
    const { key, size, sha256 } = await storage.importFile(path, 9);
    expect([size, sha256]).toEqual([9, createHash("sha256").update("all of it").digest("hex")]);
    expect(statSync(path).ino).toBe(statSync(join(folder, "blobs", key.slice(0, 2), key)).ino);
    rmSync(path);
    expect(await readText(key)).toBe("all of it");
  });
  test("copies it when it cannot be linked", async (context) => {
    const mount = mountTinyDisk();
    if (!mount) return context.skip("needs root, to mount another disk");
    try {
      writeFileSync(join(mount, "part"), "from another disk");
      const { key } = await storage.importFile(join(mount, "part"), 17);
      rmSync(join(mount, "part"));
      expect(await readText(key)).toBe("from another disk");
    } finally {
      spawnSync("umount", [mount]);
      rmSync(mount, { recursive: true, force: true });
    }
  });
  test("takes neither a link to another file nor a folder, so that a name in a work folder gives nobody a secret", async () => {
    writeFileSync(join(folder, "secret"), "the master key");
    symlinkSync("secret", join(folder, "part"));
    await expect(storage.importFile(join(folder, "part"), 14)).rejects.toThrow("ELOOP");
    mkdirSync(join(folder, "folder"));
    await expect(storage.importFile(join(folder, "folder"), 14)).rejects.toThrow();
    expect(await listEntries()).toEqual([]);
  });
  test.each([8, 10])("rejects a file that does not have the declared size (%i)", async (declared) => {
    const path = join(folder, "part");
    writeFileSync(path, "all of it");
    expect((await catchHttpError(storage.importFile(path, declared)))?.status).toBe(400);
    expect(await listEntries()).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe("all of it");
  });
});
