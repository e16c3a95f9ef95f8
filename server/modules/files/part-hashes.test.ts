/** Breaks resumable uploads to the local disk on purpose: the SHA-256 is always that of the bytes on disk, and whole uploads are not read again. */
import { Upload } from "@tus/server";
import { createHash, randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLocalDisk } from "../../storage/local-disk.ts";
import { createPartHashes } from "./part-hashes.ts";
import { createPartStore, type PartStore } from "./part-stores.ts";

const ID = "0123456789abcdef0123456789abcdef";
const BYTES = randomBytes(300_000);

let folder: string;
/** Whether each finished upload was known without reading it. */
let known: boolean[];
let store: PartStore;
let other: PartStore;
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const path = () => join(folder, "uploads", ID);
const send = (to: PartStore, start: number, end: number) => to.write(Readable.from([BYTES.subarray(start, end)]), ID, start);

/** Opens the store as a process of its own would. */
function openStore(isOnlyProcess = true): PartStore {
  const storage = openLocalDisk(folder);
  const importFile: typeof storage.importFile = (from, size, findSha256) =>
    storage.importFile(from, size, (stats) => {
      const found = findSha256?.(stats) ?? null;
      known.push(found !== null);
      return found;
    });
  const reserve = async () => ({ admit: (source: AsyncIterable<Uint8Array>) => source, settle: async () => {} });
  return createPartStore({ ...storage, importFile }, join(folder, "uploads"), reserve, isOnlyProcess);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "talkback-parts-"));
  mkdirSync(join(folder, "uploads"));
  known = [];
  [store, other] = [openStore(), openStore()];
  await store.create(new Upload({ id: ID, size: BYTES.length, offset: 0 }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function expectFinished(by: PartStore, isKnown: boolean, bytes = BYTES): Promise<void> {
  const blob = await by.toBlob(ID, bytes.length);
  expect(sha256(readFileSync(join(folder, "blobs", blob.key.slice(0, 2), blob.key)))).toBe(sha256(bytes));
  expect(blob).toMatchObject({ size: bytes.length, sha256: sha256(bytes) });
  expect(known.at(-1) ?? false).toBe(isKnown);
}

test("an upload in parts at one process is not read again, however often it is finished", async () => {
  await send(store, 0, 100_000);
  await send(store, 100_000, 300_000);
  await expectFinished(store, true);
  await store.toBlob(ID, BYTES.length);
});

test("a part that ends in an error is read again, and only what is on disk counts", async () => {
  await send(store, 0, 100_000);
  async function* broken(): AsyncGenerator<Buffer> {
    for (let at = 100_000; at < 200_000; at += 10_000) yield BYTES.subarray(at, at + 10_000);
    throw new Error("cable");
  }
  await expect(store.write(Readable.from(broken()), ID, 100_000)).rejects.toThrow("cable");
  const offset = statSync(path()).size;
  expect(offset).toBeLessThanOrEqual(200_000);
  await send(store, offset, 300_000);
  await expectFinished(store, false);
});

test("a part that is cut short but ends in order is continued without reading", async () => {
  await send(store, 0, 100_000);
  await send(store, 100_000, 100_001);
  await send(store, 100_001, 300_000);
  await expectFinished(store, true);
});

test("an upload continued after a restart is read again", async () => {
  await send(store, 0, 100_000);
  await send(other, 100_000, 300_000);
  await expectFinished(other, false);
});

test("two processes in turn read it again, also one that received the first and the last part", async () => {
  await send(store, 0, 100_000);
  await send(other, 100_000, 200_000);
  await send(store, 200_000, 300_000);
  await expectFinished(store, false);
});

test("a second writer at the same offset makes it read again", async () => {
  await send(store, 0, 100_000);
  const fake = Readable.from([randomBytes(200_000)]);
  await Promise.all([store.write(fake, ID, 100_000), send(store, 100_000, 300_000)]);
  await expectFinished(store, false, readFileSync(path()));
});

test("two first writers at once make it read again", async () => {
  await Promise.all([store.write(Readable.from([randomBytes(300_000)]), ID, 0), send(store, 0, 300_000)]);
  await expectFinished(store, false, readFileSync(path()));
});

test("a writer that overwrites what another one under way has written makes it read again", async () => {
  const overwritten = Promise.withResolvers<void>();
  async function* slow(): AsyncGenerator<Buffer> {
    yield BYTES.subarray(0, 100_000);
    await overwritten.promise;
    yield BYTES.subarray(100_000);
  }
  const first = store.write(Readable.from(slow()), ID, 0);
  await expect.poll(() => statSync(path()).size).toBe(100_000);
  await store.write(Readable.from([randomBytes(100_000)]), ID, 0);
  overwritten.resolve();
  await first;
  const bytes = readFileSync(path());
  expect(bytes.equals(BYTES)).toBe(false);
  await expectFinished(store, false, bytes);
});

test("where other processes may write, it is read again", async () => {
  const shared = openStore(false);
  await send(shared, 0, 300_000);
  await expectFinished(shared, false);
});

test("bytes changed or replaced after a part are noticed", async () => {
  await send(store, 0, 300_000);
  const changed = Buffer.from(BYTES).fill(7, 0, 10);
  writeFileSync(path(), changed);
  // The clock of file times may not have advanced since the part.
  utimesSync(path(), 1, 1);
  await expectFinished(store, false, changed);
  await expect(store.toBlob(ID, BYTES.length + 1)).rejects.toThrow("ended after");

  await store.end(ID, false);
  await store.create(new Upload({ id: ID, size: BYTES.length, offset: 0 }));
  await send(store, 0, 300_000);
  copyFileSync(path(), `${path()}.copy`);
  renameSync(`${path()}.copy`, path());
  await expectFinished(store, false);
});

test("no more hashes are kept than the limit, and none of an ended upload", async () => {
  writeFileSync(path(), "");
  const stats = statSync(path(), { bigint: true });
  const hashes = createPartHashes(2);
  for (const id of ["a", "b", "c"]) hashes.remember(id, createHash("sha256"), stats);
  expect(["a", "b", "c"].map((id) => hashes.find(id, stats) !== null)).toEqual([false, true, true]);
  hashes.forget("b");
  expect(hashes.find("b", stats)).toBeNull();
});
