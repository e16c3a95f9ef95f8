/** The cases that every store passes. */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toHttpError } from "../http/problems.ts";
import type { HttpError } from "../lib/errors.ts";
import { checkStorage, type RecordedKey, type Storage, type StoredEntry, UPLOAD_GRACE_MS } from "./storage.ts";
import { openLocalStore, openS3Store, type OpenStore } from "./stores.fixture.ts";

const LIMITS = { maxBytes: 1_000_000 };
const ABSENT = "0".repeat(32);

describe.each<[string, () => Promise<OpenStore>]>([
  ["the local disk", openLocalStore],
  ["S3", openS3Store],
])("storage on %s", (_name, open) => {
  let store: OpenStore;
  let storage: Storage;
  beforeEach(async () => {
    store = await open();
    storage = store.storage;
  });
  afterEach(() => store.close());

  const storeText = (text: string) => storage.put(Readable.from([Buffer.from(text)]), LIMITS);
  const readBytes = async (key: string, range?: { start: number; end: number }): Promise<Buffer> =>
    Buffer.concat(await (await storage.open(key, range)).toArray());
  const readText = async (key: string, range?: { start: number; end: number }) => (await readBytes(key, range)).toString();
  const listEntries = async (): Promise<StoredEntry[]> => Readable.from(storage.list()).toArray();
  const catchHttpError = async (work: Promise<unknown>): Promise<HttpError | null> =>
    toHttpError(
      await work.then(
        () => expect.unreachable("it worked"),
        (error: unknown) => error,
      ),
    );
  async function expectNothingLeft(): Promise<void> {
    expect(await listEntries()).toEqual([]);
    expect(store.leftovers()).toEqual([]);
  }

  test("can be used, and checks leave nothing behind", async () => {
    await storage.check();
    await storage.probe();
    await expectNothingLeft();
  });

  describe("a blob", () => {
    test("is read back unchanged, with its size and SHA-256", async () => {
      const bytes = randomBytes(300_000);
      const blob = await storage.put(Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)]), LIMITS);
      expect(blob).toEqual({ key: expect.stringMatching(/^[0-9a-f]{32}$/), size: 300_000, sha256: createHash("sha256").update(bytes).digest("hex") });
      expect((await readBytes(blob.key)).equals(bytes)).toBe(true);
      expect(await storage.size(blob.key)).toBe(300_000);
      expect(await listEntries()).toEqual([{ key: blob.key, size: 300_000, storedAt: expect.closeTo(Date.now(), -5) }]);
      expect(store.leftovers()).toEqual([]);
    });
    test("has the key that it had in another storage", async () => {
      const key = randomBytes(16).toString("hex");
      expect((await storage.put(Readable.from([Buffer.from("moved")]), { ...LIMITS, key })).key).toBe(key);
      expect(await readText(key)).toBe("moved");
      expect((await catchHttpError(storage.put(Readable.from([Buffer.from("x")]), { ...LIMITS, key: "../../x" })))?.status).toBe(404);
      expect(store.leftovers()).toEqual([]);
    });
    test("can be empty", async () => {
      const { key, size } = await storeText("");
      expect([size, await storage.size(key), await readText(key)]).toEqual([0, 0, ""]);
    });
    test.each([65_535, 65_536, 65_537, 131_072])("may have %i bytes", async (size) => {
      const bytes = randomBytes(size);
      const { key } = await storage.put([bytes.subarray(0, 7), bytes.subarray(7)] as unknown as AsyncIterable<Uint8Array>, LIMITS);
      expect((await readBytes(key)).equals(bytes)).toBe(true);
      expect(store.leftovers()).toEqual([]);
    });
    test("is read by byte range, including the first and the last byte, and beyond its end", async () => {
      const { key } = await storeText("0123456789");
      expect(await readText(key, { start: 0, end: 0 })).toBe("0");
      expect(await readText(key, { start: 3, end: 5 })).toBe("345");
      expect(await readText(key, { start: 9, end: 9 })).toBe("9");
      expect(await readText(key, { start: 8, end: 20 })).toBe("89");
      expect(await readText((await storeText("")).key, { start: 0, end: 0 })).toBe("");
    });
    test("can be removed twice without an error", async () => {
      const { key } = await storeText("x");
      await storage.remove(key);
      await storage.remove(key);
      expect(await storage.size(key)).toBeNull();
      expect((await catchHttpError(storage.open(key)))?.status).toBe(404);
    });
    test.each(["", "../../etc/passwd", "x".repeat(32), "A".repeat(32), `${"0".repeat(32)}/../x`, ABSENT])("is not found by the key %j", async (key) => {
      expect((await catchHttpError(storage.open(key)))?.status).toBe(404);
    });
    test("has a local path while it is needed", async () => {
      const bytes = randomBytes(200_000);
      const { key } = await storage.put(Readable.from([bytes]), LIMITS);
      const copies = await Promise.all([
        storage.withLocalFile(key, (path) => readFile(path)),
        storage.withLocalSketch(key, (path) => readFile(path)),
        storage.withLocalFile(key, async (path) => (await stat(path)).size),
      ]);
      expect(copies).toEqual([bytes, bytes, bytes.length]);
      await expect(storage.withLocalFile(key, () => Promise.reject(new Error("no luck")))).rejects.toThrow("no luck");
      expect(store.leftovers()).toEqual([]);
    });
  });

  describe("put", () => {
    test("does not list a blob while it is being written", async () => {
      const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
      async function* slow() {
        yield randomBytes(100_000);
        await resumed;
        yield Buffer.from("second half");
      }
      const pendingBlob = storage.put(slow(), LIMITS);
      while (store.leftovers().length === 0) await sleep(5);
      await sleep(20);
      expect(await listEntries()).toEqual([]);
      resume();
      const { key, size } = await pendingBlob;
      expect((await listEntries()).map((entry) => [entry.key, entry.size])).toEqual([[key, size]]);
      expect(store.leftovers()).toEqual([]);
    });
    const LONG = "x".repeat(100_000);
    test.each<[string, number, string[], Parameters<Storage["put"]>[1]]>([
      ["is longer than allowed", 413, ["12345", "6"], { maxBytes: 5 }],
      ["has many parts and is longer than allowed", 413, [LONG, LONG, LONG], { maxBytes: 250_000 }],
      ["is longer than declared", 400, ["123", "456"], { maxBytes: 100, expectedBytes: 5 }],
      ["has many parts and is shorter than declared", 400, [LONG, LONG], { maxBytes: 1e9, expectedBytes: 250_000 }],
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
        yield Buffer.alloc(200_000);
        throw new Error("the line went dead");
      }
      await expect(storage.put(failing(), LIMITS)).rejects.toThrow("the line went dead");
      await expectNothingLeft();
    });
  });

  describe("importing a finished file", () => {
    test("stores its bytes, also after the removal of the original", async () => {
      const path = join(store.folder, "part");
      writeFileSync(path, "all of it");
      const { key, size, sha256 } = await storage.importFile(path, 9);
      expect([size, sha256]).toEqual([9, createHash("sha256").update("all of it").digest("hex")]);
      rmSync(path);
      expect(await readText(key)).toBe("all of it");
    });
    test("takes neither a link to another file nor a folder, so that a name in a work folder gives nobody a secret", async () => {
      writeFileSync(join(store.folder, "secret"), "the master key");
      symlinkSync("secret", join(store.folder, "part"));
      await expect(storage.importFile(join(store.folder, "part"), 14)).rejects.toThrow("ELOOP");
      mkdirSync(join(store.folder, "folder"));
      await expect(storage.importFile(join(store.folder, "folder"), 14)).rejects.toThrow();
      await expectNothingLeft();
    });
    test.each([8, 10])("rejects a file that does not have the declared size (%i)", async (declared) => {
      const path = join(store.folder, "part");
      writeFileSync(path, "all of it");
      expect((await catchHttpError(storage.importFile(path, declared)))?.status).toBe(400);
      await expectNothingLeft();
      expect(await readFile(path, "utf8")).toBe("all of it");
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
      expect(store.leftovers()).toEqual([]);
    });
  });

  describe("the check of stored files", () => {
    const keyOf = async (text: string) => (await storeText(text)).key;
    async function* recorded(...keys: string[]): AsyncGenerator<RecordedKey> {
      for (const key of keys) yield { key, description: `original of ${key}` };
    }

    test("reports missing and orphan blobs", async () => {
      const [kept, stray] = [await keyOf("kept"), await keyOf("stray!")];
      const later = Date.now() + UPLOAD_GRACE_MS + 2_000;
      expect(await checkStorage(storage, recorded(kept, ABSENT), later)).toEqual({
        blobs: 2,
        bytes: 10,
        missing: [{ key: ABSENT, description: `original of ${ABSENT}` }],
        orphans: [{ key: stray, size: 6 }],
      });
    });
    test("does not report a recent blob as an orphan, because its record may follow", async () => {
      await keyOf("just arrived");
      expect((await checkStorage(storage, recorded(), Date.now())).orphans).toEqual([]);
      expect((await checkStorage(storage, recorded(), Date.now() + UPLOAD_GRACE_MS - 5_000)).orphans).toEqual([]);
      expect((await checkStorage(storage, recorded(), Date.now() + UPLOAD_GRACE_MS + 2_000)).orphans).toHaveLength(1);
    });
    test("does not report a blob as missing that arrives during the check", async () => {
      let arrivedKey = "";
      const lateStorage: Storage = {
        ...storage,
        async *list() {
          yield* storage.list();
          arrivedKey = await keyOf("arrived behind the walk");
        },
      };
      // The blob of the recorded key becomes visible only after the listing.
      const report = await checkStorage({ ...lateStorage, size: (key) => storage.size(key === ABSENT ? arrivedKey : key) }, recorded(ABSENT), Date.now());
      expect(report.missing).toEqual([]);
    });
  });
});
