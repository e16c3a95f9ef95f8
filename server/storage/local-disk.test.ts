import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
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
  test("is readable only by the service's user", async () => {
    const { key } = await storeText("x");
    expect(statSync(join(folder, "blobs", key.slice(0, 2), key)).mode & 0o077).toBe(0);
  });
});

describe("a temporary folder", () => {
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
});
