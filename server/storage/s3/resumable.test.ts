/** Uploads to a store in the network that arrive in several requests, at several processes, while connections break. */
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { S3Fault, S3Request } from "../../testing/s3-server.ts";
import type { ResumableParts, Storage } from "../storage.ts";
import { isComplete, isPart, openS3Store, type OpenS3Store, TEST_PART_BYTES } from "../stores.fixture.ts";

const UNAVAILABLE = { status: 503, message: expect.stringContaining("storage is unavailable") };

let store: OpenS3Store;
let storage: Storage;
beforeEach(async () => {
  store = await openS3Store();
  storage = store.storage;
});
afterEach(() => store.close());

describe("a resumable upload", () => {
  const id = "f".repeat(32);
  const bytes = randomBytes(5 * TEST_PART_BYTES + 7_000);
  const upload = { size: bytes.length, metadata: { name: "take.wav" }, createdAt: "2026-11-28T08:00:00.000Z" };
  let here: ResumableParts;
  let elsewhere: ResumableParts;
  beforeEach(async () => {
    here = storage.resumable!;
    elsewhere = store.openAgain().resumable!;
    await here.create(id, upload);
  });
  const write = (parts: ResumableParts, start: number, end: number) => parts.write(id, start, Readable.from([bytes.subarray(start, end)]));
  async function expectWhole(parts: ResumableParts): Promise<void> {
    const blob = await parts.finish(id);
    expect(blob).toEqual({ key: expect.any(String), size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
    expect(Buffer.concat(await (await storage.open(blob.key)).toArray()).equals(bytes)).toBe(true);
    await parts.forget(id);
    expect(await parts.find(id)).toBeNull();
    expect(store.leftovers()).toEqual([]);
    expect(await storage.size(blob.key)).toBe(bytes.length);
  }

  test("continues at another process, in pieces of any size, and the bytes and their hash are right", async () => {
    let offset = 0;
    for (const [index, length] of [1, 10_000, TEST_PART_BYTES, 0, 2 * TEST_PART_BYTES - 10_001, 100].entries()) {
      const parts = index % 2 ? here : elsewhere;
      expect(await write(parts, offset, offset + length)).toBe((offset += length));
      expect(await (index % 2 ? elsewhere : here).find(id)).toEqual({ ...upload, offset });
    }
    await write(here, offset, bytes.length);
    await expectWhole(elsewhere);
  });
  test("needs no second look at its bytes if one process received them all", async () => {
    await write(here, 0, 100_000);
    await write(here, 100_000, bytes.length);
    store.server.requests.length = 0;
    const blob = await here.finish(id);
    expect(blob.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(store.server.requests.some(({ method, key }) => method === "GET" && key.includes("blobs/"))).toBe(false);
  });
  test("keeps what arrived before its stream broke", async () => {
    async function* broken() {
      yield bytes.subarray(0, 100_000);
      throw new Error("cable");
    }
    const settled: number[] = [];
    await expect(here.write(id, 0, broken(), async (offset) => void settled.push(offset))).rejects.toThrow("cable");
    expect([settled, await elsewhere.find(id)]).toEqual([[100_000], { ...upload, offset: 100_000 }]);
    await write(elsewhere, 100_000, bytes.length);
    await expectWhole(elsewhere);
  });
  test.each<[string, (request: S3Request) => boolean, S3Fault]>([
    ["a part", isPart, { status: 500, code: "InternalError" }],
    ["the bytes after the last part", ({ method, key }) => method === "PUT" && key.includes("tail"), { status: 500, code: "InternalError" }],
    ["the state after a part", ({ method, key }) => method === "PUT" && key.endsWith(".json") && store.server.requests.some(isPart), "reset"],
    ["the state that was read", ({ method, key }) => method === "GET" && key.endsWith(".json"), { status: 500, code: "InternalError" }],
  ])("never goes back behind an offset that was seen when %s cannot be stored", async (_what, matches, fault) => {
    await write(here, 0, 10_000);
    store.failNext(matches, fault);
    await expect(write(here, 10_000, 3 * TEST_PART_BYTES + 10)).rejects.toMatchObject(UNAVAILABLE);
    store.server.onRequest = () => null;
    const { offset } = (await elsewhere.find(id))!;
    expect(offset).toBeGreaterThanOrEqual(10_000);
    await write(elsewhere, offset, bytes.length);
    await expectWhole(elsewhere);
  });
  test("belongs to the request that came last: an earlier one stops and changes nothing", async () => {
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    async function* stuck() {
      yield bytes.subarray(0, TEST_PART_BYTES + 1);
      await resumed;
      yield bytes.subarray(TEST_PART_BYTES + 1, 3 * TEST_PART_BYTES);
    }
    const earlier = here.write(id, 0, stuck());
    earlier.catch(() => {});
    while ((await elsewhere.find(id))!.offset === 0) await sleep(2);
    const { offset } = (await elsewhere.find(id))!;
    await write(elsewhere, offset, offset + 100_000);
    resume();
    await expect(earlier).rejects.toMatchObject({ status: 409 });
    expect(await here.find(id)).toMatchObject({ offset: offset + 100_000 });
    await expect(write(here, offset, bytes.length)).rejects.toMatchObject({ status: 409 });
    await write(here, offset + 100_000, bytes.length);
    await expectWhole(here);
  });
  test("becomes one blob, however often and wherever it is finished", async () => {
    await write(here, 0, bytes.length);
    const blobs = await Promise.all([here.finish(id), elsewhere.finish(id)]);
    expect(blobs[0]).toEqual(blobs[1]);
    store.failNext(isComplete, { status: 500, code: "InternalError" });
    expect(await elsewhere.finish(id)).toEqual(blobs[0]);
    await expectWhole(here);
  });
  test("without bytes becomes an empty blob", async () => {
    await here.create("0".repeat(32), { ...upload, size: 0 });
    expect(await elsewhere.finish("0".repeat(32))).toMatchObject({ size: 0, sha256: createHash("sha256").digest("hex") });
  });
  test.each([0, 10_000, bytes.length])("that is discarded after %i bytes leaves nothing behind", async (length) => {
    if (length > 0) await write(here, 0, length);
    if (length === bytes.length) await here.finish(id);
    await elsewhere.discard(id);
    await elsewhere.discard(id);
    store.server.onRequest = () => null;
    expect([store.server.objects(), store.leftovers()]).toEqual([[], []]);
    expect(await here.find(id)).toBeNull();
  });
});
