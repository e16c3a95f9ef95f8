import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { faultOf } from "../http/problems.ts";
import type { Fault } from "../lib/faults.ts";
import { openLocalDisk } from "./local-disk.ts";
import type { Storage, StoredEntry } from "./storage.ts";

const MODULE = fileURLToPath(new URL("local-disk.ts", import.meta.url));
const MANY = { maxBytes: 1_000_000 };

let folder: string;
let storage: Storage;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "talkback-disk-"));
  storage = openLocalDisk(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (text: string) => storage.put(Readable.from([Buffer.from(text)]), MANY);
const textOf = async (key: string, range?: { start: number; end: number }) => Buffer.concat(await (await storage.open(key, range)).toArray()).toString();
const listed = async (): Promise<StoredEntry[]> => Readable.from(storage.list()).toArray();
const incoming = () => readdirSync(join(folder, "incoming"));
const faultIn = async (work: Promise<unknown>): Promise<Fault | null> =>
  faultOf(
    await work.then(
      () => expect.unreachable("it worked"),
      (error: unknown) => error,
    ),
  );

async function nothingLeft(): Promise<void> {
  expect(await listed()).toEqual([]);
  expect(incoming()).toEqual([]);
}

describe("a blob", () => {
  test("comes back as it was, with its size and SHA-256", async () => {
    const bytes = randomBytes(300_000);
    const blob = await storage.put(Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)]), MANY);
    expect(blob).toEqual({ key: expect.stringMatching(/^[0-9a-f]{32}$/), size: 300_000, sha256: createHash("sha256").update(bytes).digest("hex") });
    expect(Buffer.concat(await (await storage.open(blob.key)).toArray()).equals(bytes)).toBe(true);
    expect(await storage.size(blob.key)).toBe(300_000);
    expect(incoming()).toEqual([]);
  });
  test("may be empty", async () => {
    const { key, size } = await put("");
    expect([size, await storage.size(key), await textOf(key)]).toEqual([0, 0, ""]);
  });
  test("is read in parts, first and last byte included", async () => {
    const { key } = await put("0123456789");
    expect(await textOf(key, { start: 0, end: 0 })).toBe("0");
    expect(await textOf(key, { start: 3, end: 5 })).toBe("345");
    expect(await textOf(key, { start: 9, end: 9 })).toBe("9");
  });
  test("is private to the service's user", async () => {
    const { key } = await put("x");
    expect(statSync(join(folder, "blobs", key.slice(0, 2), key)).mode & 0o077).toBe(0);
  });
  test("can be removed, twice", async () => {
    const { key } = await put("x");
    await storage.remove(key);
    await storage.remove(key);
    expect(await storage.size(key)).toBeNull();
    expect((await faultIn(storage.open(key)))?.status).toBe(404);
  });
  test.each(["", "../../etc/passwd", "x".repeat(32), "A".repeat(32), `${"0".repeat(32)}/../x`])("is nothing that %j could name", async (key) => {
    expect((await faultIn(storage.open(key)))?.status).toBe(404);
  });
});

describe("what does not become a blob", () => {
  test("is never visible while it is written", async () => {
    let more = () => {};
    async function* slow() {
      yield Buffer.from("first half, ");
      await new Promise<void>((resolve) => (more = resolve));
      yield Buffer.from("second half");
    }
    const putting = storage.put(slow(), MANY);
    while (!existsSync(join(folder, "incoming")) || incoming().length === 0) await sleep(5);
    await sleep(20);
    expect(await listed()).toEqual([]);
    more();
    const { key, size } = await putting;
    expect((await listed()).map((one) => [one.key, one.size])).toEqual([[key, size]]);
    expect(incoming()).toEqual([]);
  });
  test.each<[string, number, string[], Parameters<Storage["put"]>[1]]>([
    ["longer than allowed", 413, ["12345", "6"], { maxBytes: 5 }],
    ["longer than declared", 400, ["123", "456"], { maxBytes: 100, expectedBytes: 5 }],
    ["shorter than declared", 400, ["123"], { maxBytes: 100, expectedBytes: 5 }],
    ["nothing, though something was declared", 400, [], { maxBytes: 100, expectedBytes: 1 }],
  ])("%s: %i, and nothing is left", async (_what, status, chunks, limits) => {
    expect((await faultIn(storage.put(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), limits)))?.status).toBe(status);
    await nothingLeft();
  });
  test("exactly as long as allowed is no problem", async () => {
    expect((await storage.put(Readable.from([Buffer.from("12345")]), { maxBytes: 5, expectedBytes: 5 })).size).toBe(5);
  });
  test("a source that fails leaves nothing, and its failure is told", async () => {
    async function* failing() {
      yield Buffer.alloc(100_000);
      throw new Error("the line went dead");
    }
    await expect(storage.put(failing(), MANY)).rejects.toThrow("the line went dead");
    await nothingLeft();
  });
});

describe("a folder for work", () => {
  test("is gone when the work ends, and what was adopted from it stays", async () => {
    const [path, blob] = await storage.withFolder(async (own) => {
      writeFileSync(join(own, "made"), "made here");
      return [own, await storage.adopt(join(own, "made"), 9)] as const;
    });
    expect(existsSync(path)).toBe(false);
    expect(await textOf(blob.key)).toBe("made here");
  });
  test("is gone when the work fails, and its failure is told", async () => {
    await expect(storage.withFolder(() => Promise.reject(new Error("no luck")))).rejects.toThrow("no luck");
    expect(readdirSync(join(folder, "work"))).toEqual([]);
  });
  test("of a process that died is cleared away at the next start", async () => {
    await put("makes the folders");
    mkdirSync(join(folder, "work", "job-x"));
    writeFileSync(join(folder, "work", "job-x", "copy.m4a"), "half");
    expect(await storage.clean(60_000)).toBe(0);
    expect(await storage.clean(0)).toBe(1);
    expect(readdirSync(join(folder, "work"))).toEqual([]);
  });
});

describe("a process that is killed", () => {
  test("leaves only what the next start clears away", async () => {
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
    while (!incoming().some((name) => statSync(join(folder, "incoming", name)).size > 200_000)) await sleep(10);
    child.kill("SIGKILL");
    await once(child, "exit");

    expect(incoming()).toHaveLength(1);
    const key = String(line).trim();
    expect((await listed()).map((one) => one.key)).toEqual([key]);
    // Another process may be writing it: only what nobody writes to is cleared away beside others.
    expect(await storage.clean(60_000)).toBe(0);
    expect(await storage.clean(0)).toBe(1);
    expect(incoming()).toEqual([]);
    expect(await textOf(key)).toBe("whole");
  }, 30_000);
  test("an upload that goes on is not cleared away, an old leftover is", async () => {
    await put("makes the folders");
    for (const name of ["fresh", "old"]) writeFileSync(join(folder, "incoming", name), "x");
    utimesSync(join(folder, "incoming", "old"), new Date(), new Date(Date.now() - 3_700_000));
    expect(await storage.clean(3_600_000)).toBe(1);
    expect(incoming()).toEqual(["fresh"]);
  });
  test("a folder in which a file has been growing for hours is not cleared away, an old one is", async () => {
    await put("makes the folders");
    const ago = new Date(Date.now() - 7_200_000);
    for (const name of ["job-going", "job-old"]) {
      mkdirSync(join(folder, "work", name));
      writeFileSync(join(folder, "work", name, "copy"), "x");
    }
    utimesSync(join(folder, "work", "job-old", "copy"), ago, ago);
    for (const name of ["job-going", "job-old"]) utimesSync(join(folder, "work", name), ago, ago);
    expect(await storage.clean(3_600_000)).toBe(1);
    expect(readdirSync(join(folder, "work"))).toEqual(["job-going"]);
  });
});

/** A disk of one megabyte, where this user may make one. */
function tinyDisk(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
  const mount = mkdtempSync(join(tmpdir(), "talkback-tiny-"));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", mount]).status === 0) return mount;
  rmSync(mount, { recursive: true });
  return null;
}

describe("a full disk", () => {
  test("is a clear 507 and leaves nothing, and smaller files still fit", async (context) => {
    const mount = tinyDisk();
    if (!mount) return context.skip("needs root, to mount a tiny disk");
    try {
      storage = openLocalDisk(mount);
      folder = mount;
      const fault = await faultIn(storage.put(Readable.from([Buffer.alloc(700_000), Buffer.alloc(700_000)]), { maxBytes: 1e9 }));
      expect([fault?.status, fault?.message]).toEqual([507, "The disk of the service is full. Nothing was saved; try again when there is room."]);
      await nothingLeft();
      expect((await put("small")).size).toBe(5);
    } finally {
      spawnSync("umount", [mount]);
      rmSync(mount, { recursive: true, force: true });
    }
  });
  test("a disk that is full from the start recovers when there is room", async (context) => {
    const mount = tinyDisk();
    if (!mount) return context.skip("needs root, to mount a tiny disk");
    try {
      writeFileSync(join(mount, "filler"), Buffer.alloc(1_048_576 - 4_096));
      storage = openLocalDisk(join(mount, "files"));
      expect((await faultIn(put("x".repeat(10_000))))?.status).toBe(507);
      rmSync(join(mount, "filler"));
      expect((await put("now")).size).toBe(3);
    } finally {
      spawnSync("umount", [mount]);
      rmSync(mount, { recursive: true, force: true });
    }
  });
  test("wherever it is noticed", async () => {
    async function* full() {
      yield Buffer.alloc(10);
      throw Object.assign(new Error("ENOSPC: no space left on device, write '/data/files/incoming/0'"), { code: "ENOSPC" });
    }
    const fault = await faultIn(storage.put(full(), MANY));
    expect(fault?.status).toBe(507);
    expect(fault?.message).not.toContain("/data");
    await nothingLeft();
  });
});

describe("adopting a finished file", () => {
  test("costs no copy, and outlives the original name", async () => {
    const path = join(folder, "part");
    writeFileSync(path, "all of it");
    const { key, size, sha256 } = await storage.adopt(path, 9);
    expect([size, sha256]).toEqual([9, createHash("sha256").update("all of it").digest("hex")]);
    expect(statSync(path).ino).toBe(statSync(join(folder, "blobs", key.slice(0, 2), key)).ino);
    rmSync(path);
    expect(await textOf(key)).toBe("all of it");
  });
  test("copies where a link is not possible", async (context) => {
    const mount = tinyDisk();
    if (!mount) return context.skip("needs root, to mount another disk");
    try {
      writeFileSync(join(mount, "part"), "from another disk");
      const { key } = await storage.adopt(join(mount, "part"), 17);
      rmSync(join(mount, "part"));
      expect(await textOf(key)).toBe("from another disk");
    } finally {
      spawnSync("umount", [mount]);
      rmSync(mount, { recursive: true, force: true });
    }
  });
  test.each([8, 10])("refuses one that is not of the declared size (%i)", async (declared) => {
    const path = join(folder, "part");
    writeFileSync(path, "all of it");
    expect((await faultIn(storage.adopt(path, declared)))?.status).toBe(400);
    expect(await listed()).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe("all of it");
  });
});
