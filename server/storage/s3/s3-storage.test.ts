/** What only a store in the network has: connections that break, errors, several processes, and the setup of the operator. */
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { S3Fault, S3Request } from "../../testing/s3-server.ts";
import type { Storage } from "../storage.ts";
import { isComplete, isPart, openS3Store, type OpenS3Store, TEST_PART_BYTES, TEST_TIMING } from "../stores.fixture.ts";

const LIMITS = { maxBytes: 100_000_000 };
const UNAVAILABLE = { status: 503, message: expect.stringContaining("storage is unavailable") };

/** For a store that hangs; others may be slow on a busy machine. */
const IMPATIENT = { ...TEST_TIMING, requestMs: 1_000, partMs: 1_000, idleMs: 400, attempts: 6 };

let store: OpenS3Store;
let storage: Storage;
beforeEach(async () => {
  store = await openS3Store();
  storage = store.storage;
});
afterEach(() => store.close());

const putBytes = (bytes: Buffer) => storage.put(Readable.from([bytes]), LIMITS);
const readBytes = async (key: string, range?: { start: number; end: number }): Promise<Buffer> =>
  Buffer.concat(await (await storage.open(key, range)).toArray());
function expectNothingStored(): void {
  store.server.onRequest = () => null;
  expect([store.server.objects(), store.leftovers()]).toEqual([[], []]);
}
async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(2);
}

describe("reading", () => {
  const isGet = ({ method }: S3Request) => method === "GET";
  const bytes = randomBytes(400_000);
  let key: string;
  beforeEach(async () => {
    ({ key } = await putBytes(bytes));
  });

  test.each<[string, S3Fault]>([
    ["ends midway", { cutAfter: 100_000 }],
    ["stalls midway", { stallAfter: 100_000 }],
    ["is refused for a moment", { status: 503, code: "SlowDown" }],
    ["ends before the response", "reset"],
  ])("continues where a connection that %s has left off", async (_what, fault) => {
    storage = store.openAgain({ timing: IMPATIENT });
    const failed = store.failNext(isGet, fault, 2);
    expect((await readBytes(key)).equals(bytes)).toBe(true);
    expect(failed.count).toBe(2);
    store.failNext(isGet, fault, 2);
    expect((await readBytes(key, { start: 1_000, end: 350_000 })).equals(bytes.subarray(1_000, 350_001))).toBe(true);
  });
  test.each<[string, S3Fault]>([
    ["sends nothing", { cutAfter: 0 }],
    ["fails", { status: 500, code: "InternalError" }],
    ["hangs", "hang"],
  ])("ends in an error if the store always %s", async (_what, fault) => {
    storage = store.openAgain({ timing: IMPATIENT });
    store.failNext(isGet, fault);
    await expect(readBytes(key)).rejects.toMatchObject(UNAVAILABLE);
    await waitUntil(() => store.server.openResponses() === 0);
  });
  test("ends in an error at once if the store denies access, and names the reason only for the log", async () => {
    const failed = store.failNext(() => true, { status: 403, code: "AccessDenied" });
    const error = await storage.open(key).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ ...UNAVAILABLE, cause: { name: "AccessDenied" } });
    expect((error as Error).message).not.toContain("AccessDenied");
    await expect(storage.size(key)).rejects.toMatchObject(UNAVAILABLE);
    expect(failed.count).toBe(2);
  });
  test("does not take an outage for a missing blob", async () => {
    store.failNext(() => true, { status: 404, code: "NoSuchBucket" });
    await expect(storage.open(key)).rejects.toMatchObject(UNAVAILABLE);
  });
  test("rejects bytes from another position than were asked for", async () => {
    store.server.onRequest = (request) => {
      delete request.headers.range;
      return null;
    };
    await expect(readBytes(key, { start: 5, end: 9 })).rejects.toMatchObject(UNAVAILABLE);
  });
  test.each(["before it has read anything", "after the first chunk", "while the store stalls"])(
    "ends the request when the reader goes away %s",
    async (when) => {
      const big = await store.openAgain({ partBytes: 8_388_608 }).put(Readable.from(Array.from({ length: 16 }, () => randomBytes(500_000))), LIMITS);
      if (when === "while the store stalls") store.failNext(isGet, { stallAfter: 1_000 });
      const stream = await storage.open(big.key);
      if (when !== "before it has read anything") for await (const _ of stream.iterator({ destroyOnReturn: false })) break;
      if (when === "while the store stalls") void stream.read();
      await waitUntil(() => store.server.openResponses() === 1);
      stream.destroy();
      await waitUntil(() => store.server.openResponses() === 0);
      expect(stream.destroyed).toBe(true);
    },
  );
});

describe("writing", () => {
  const bytes = randomBytes(3 * TEST_PART_BYTES + 5);
  test.each<[string, (request: S3Request) => boolean, S3Fault]>([
    ["a part is refused for a moment", isPart, { status: 503, code: "SlowDown" }],
    ["the connection of a part breaks", isPart, "reset"],
    ["bytes change on their way", isPart, "corrupt"],
    ["the store has a part, and its response is lost", isPart, { status: 500, code: "InternalError", executed: true }],
    ["the store has made the object, and its response is lost", isComplete, { status: 500, code: "InternalError", executed: true }],
  ])("succeeds although %s", async (_what, matches, fault) => {
    const failed = store.failNext(matches, fault, 2);
    const blob = await putBytes(bytes);
    expect(failed.count).toBeGreaterThan(0);
    expect((await readBytes(blob.key)).equals(bytes)).toBe(true);
    expect(blob.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(store.leftovers()).toEqual([]);
  });
  test.each<[string, (request: S3Request) => boolean, S3Fault]>([
    ["the second part fails", (request) => isPart(request) && request.query.get("partNumber") === "2", { status: 500, code: "InternalError" }],
    ["a part hangs", isPart, "hang"],
    ["the object cannot be made", isComplete, { status: 500, code: "InternalError" }],
    ["writing is forbidden", ({ method }) => method === "PUT" || method === "POST", { status: 403, code: "AccessDenied" }],
  ])("fails with a clear error if %s, and leaves nothing behind", async (_what, matches, fault) => {
    if (fault === "hang") storage = store.openAgain({ timing: IMPATIENT });
    store.failNext(matches, fault);
    await expect(putBytes(bytes)).rejects.toMatchObject(UNAVAILABLE);
    expectNothingStored();
  });
  test("of a small blob fails with a clear error, and leaves nothing behind", async () => {
    store.failNext(({ method }) => method === "PUT", { status: 500, code: "InternalError", executed: true });
    await expect(putBytes(Buffer.from("small"))).rejects.toMatchObject(UNAVAILABLE);
    expectNothingStored();
  });
  test("records nothing that is not whole: the store forgets a part", async () => {
    store.server.onRequest = (request) => {
      // A store that makes an object of fewer parts than it was told.
      if (isComplete(request)) return { status: 200, code: "Fine" };
      return null;
    };
    await expect(putBytes(bytes)).rejects.toMatchObject(UNAVAILABLE);
    expectNothingStored();
  });
  test("has at most two parts on the local disk", async () => {
    let most = 0;
    async function* source() {
      for (let count = 0; count < 40; count += 1) {
        yield randomBytes(20_000);
        const work = join(store.folder, "work");
        const sizes = readdirSync(work, { recursive: true }).map((name) => statSync(join(work, String(name))));
        most = Math.max(
          most,
          sizes.filter((entry) => entry.isFile()).reduce((sum, { size }) => sum + size, 0),
        );
      }
    }
    expect((await storage.put(source(), LIMITS)).size).toBe(800_000);
    expect(most).toBeGreaterThan(TEST_PART_BYTES / 2);
    expect(most).toBeLessThanOrEqual(2 * TEST_PART_BYTES);
  });
});

describe("maintenance", () => {
  test("lists all pages", async () => {
    store.server.pageSize = 2;
    const keys = [];
    for (let count = 0; count < 5; count += 1) keys.push((await putBytes(Buffer.from([count]))).key);
    const listed = await Readable.from(storage.list()).toArray();
    expect(listed.map(({ key }: { key: string }) => key)).toEqual(keys.toSorted());
  });
  test("aborts old multipart uploads and removes old states of uploads, and keeps recent ones", async () => {
    store.failNext(({ method, query }) => isPart({ method, query } as S3Request) || (method === "DELETE" && query.has("uploadId")), {
      status: 403,
      code: "AccessDenied",
    });
    await expect(putBytes(randomBytes(200_000))).rejects.toMatchObject(UNAVAILABLE);
    store.server.onRequest = () => null;
    await storage.resumable!.create("a".repeat(32), { size: 5, metadata: {}, createdAt: "" });
    expect(store.leftovers()).toHaveLength(3);
    expect(await storage.removeStale(0)).toBe(0);
    // The times of a store are those of its clock, and S3's are whole seconds.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_001 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await store.openAgain({ staleMs: 0 }).removeStale(0)).toBe(3);
    expect(store.leftovers()).toEqual([]);
  });
  test("keeps a copy of a blob while work with it goes on, however long that takes", async () => {
    const { key } = await putBytes(Buffer.from("a film"));
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await storage.withLocalFile(key, async (path) => {
      const hoursAgo = new Date(Date.now() - 7_200_000);
      for (const old of [path, dirname(path)]) utimesSync(old, hoursAgo, hoursAgo);
      vi.advanceTimersByTime(600_000);
      await waitUntil(() => statSync(path).mtimeMs > Date.now() - 60_000);
      expect(await storage.removeStale(3_600_000)).toBe(0);
      expect(await readFile(path, "utf8")).toBe("a film");
    });
    expect([store.leftovers(), vi.getTimerCount()]).toEqual([[], 0]);
  });
  test("a sketch has both ends of a long file, and its size", async () => {
    const big = store.openAgain({ partBytes: 8_388_608 });
    const bytes = randomBytes(9 * 1_048_576);
    const { key } = await big.put(Readable.from([bytes]), LIMITS);
    const sketch = await big.withLocalSketch(key, (path) => readFile(path));
    const edge = 4 * 1_048_576;
    expect(sketch.length).toBe(bytes.length);
    expect(sketch.subarray(0, edge).equals(bytes.subarray(0, edge))).toBe(true);
    expect(sketch.subarray(-edge).equals(bytes.subarray(-edge))).toBe(true);
    expect(sketch.subarray(edge, -edge).every((byte) => byte === 0)).toBe(true);
  });
});

describe("the check before the start", () => {
  test.each<[string, Partial<Parameters<OpenS3Store["openAgain"]>[0] & object>, RegExp]>([
    ["the bucket is missing", { bucket: "elsewhere" }, /^The bucket elsewhere does not exist at http:.*Create it/],
    ["the key is unknown", { credentials: { accessKeyId: "nobody", secretAccessKey: "x" } }, /refuses the credentials \(InvalidAccessKeyId\)/],
    ["the secret is wrong", { credentials: { accessKeyId: "S3RVER", secretAccessKey: "x" } }, /refuses the credentials \(SignatureDoesNotMatch\)/],
    ["nothing listens", { endpoint: "http://127.0.0.1:9" }, /^The store at http:\/\/127\.0\.0\.1:9 cannot be reached .*Check S3_ENDPOINT/],
  ])("fails with a sentence for the operator if %s", async (_what, options, message) => {
    await expect(store.openAgain(options).check()).rejects.toThrow(message);
  });
  test.each([
    ["GET", "list objects"],
    ["PUT", "write objects"],
    ["DELETE", "delete objects"],
  ])("names the right that is missing: %s", async (method, right) => {
    store.failNext((request) => request.method === method, { status: 403, code: "AccessDenied" });
    await expect(storage.check()).rejects.toThrow(`The credentials may not ${right} in the bucket talkback`);
  });
});

describe("the check of a running service", () => {
  test("stores nothing, not even for a moment", async () => {
    await storage.probe();
    expect(store.server.requests.map(({ method }) => method)).toEqual(["GET"]);
  });
  test.each<[string, Parameters<OpenS3Store["openAgain"]>[0]]>([
    ["the store is away", { endpoint: "http://127.0.0.1:9" }],
    ["the bucket is gone", { bucket: "elsewhere" }],
    ["the key is not valid any more", { credentials: { accessKeyId: "nobody", secretAccessKey: "x" } }],
  ])("fails if %s", async (_what, options) => {
    await expect(store.openAgain(options).probe()).rejects.toMatchObject(UNAVAILABLE);
  });
  test("fails if the local disk cannot take the parts of uploads", async () => {
    await storage.probe();
    rmSync(join(store.folder, "work"), { recursive: true });
    await expect(storage.probe()).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("a signed URL", () => {
  const HEADERS = { contentType: "audio/wav", contentDisposition: "inline; filename*=UTF-8''a%20b.wav", cacheControl: "private" };
  test("reads ranges of one blob with the given headers, and nothing else", async () => {
    storage = store.openAgain({ signedUrls: true });
    const [{ key }, other] = [await putBytes(Buffer.from("0123456789")), await putBytes(Buffer.from("secret"))];
    const url = (await storage.signUrl(key, HEADERS))!;
    expect(new URL(url).origin).toBe(storage.browserOrigin);
    const reply = await fetch(url, { headers: { range: "bytes=2-4" } });
    expect([reply.status, await reply.text(), reply.headers.get("content-range")]).toEqual([206, "234", "bytes 2-4/10"]);
    expect(Object.fromEntries(reply.headers)).toMatchObject({ "content-type": "audio/wav", "content-disposition": HEADERS.contentDisposition });
    for (const changed of [url.replace(key, other.key), url.replace("inline", "attachment"), url.replace("X-Amz-Expires=600", "X-Amz-Expires=6000")])
      expect((await fetch(changed)).status).toBe(403);
    expect((await fetch(url, { method: "DELETE" })).status).toBe(403);
    expect(await storage.signUrl(key, HEADERS)).toBe(url);
    const expires = Date.parse(new URL(url).searchParams.get("X-Amz-Date")!.replace(/(....)(..)(..T..)(..)(..Z)/, "$1-$2-$3:$4:$5")) + 600_000;
    expect(expires).toBeGreaterThan(Date.now() + 299_000);
    expect(expires).toBeLessThanOrEqual(Date.now() + 600_000);
  });
  test("has the address for browsers, and there is none unless the operator allows them", async () => {
    const { key } = await putBytes(Buffer.from("x"));
    expect([await storage.signUrl(key, HEADERS), storage.browserOrigin]).toEqual([null, null]);
    const signing = store.openAgain({ signedUrls: true, publicEndpoint: "https://files.studio.example" });
    expect(signing.browserOrigin).toBe("https://files.studio.example");
    expect(await signing.signUrl(key, HEADERS)).toMatch(/^https:\/\/files\.studio\.example\/talkback\/studio\/blobs\//);
    const byHost = store.openAgain({ signedUrls: true, endpoint: null, forcePathStyle: false, region: "eu-central-1" });
    expect(new URL((await byHost.signUrl(key, HEADERS))!).origin).toBe(byHost.browserOrigin);
  });
});
