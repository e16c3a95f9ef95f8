import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEarlierDatabase, stubIndexedDb } from "../../lib/indexed-db.fixture.ts";
import { countContiguousChunks, createRecordingStorage, type RecordingMetadata, upgradeStoredMetadata } from "./recording-storage.ts";

const SERVICE = "https://talkback.test/";
const buildMetadata = (changes: Partial<RecordingMetadata> = {}): RecordingMetadata => ({
  id: "a",
  service: SERVICE,
  accountId: 1,
  projectId: 2,
  type: "audio/webm",
  startedAt: 0,
  seconds: 2,
  wave: [],
  discarded: false,
  ...changes,
});

beforeEach(() => void stubIndexedDb());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("countContiguousChunks stops at the first gap", () => {
  const keys = (...indices: number[]) => indices.map((index) => `a:${String(index).padStart(6, "0")}`);
  expect([
    countContiguousChunks("a", keys(0, 1, 2)),
    countContiguousChunks("a", keys(0, 2)),
    countContiguousChunks("a", keys(1, 2)),
    countContiguousChunks("a", []),
  ]).toEqual([3, 1, 0, 0]);
});

test("a recording that an earlier version stored is read with today's names", () => {
  const common = buildMetadata();
  const metadata: RecordingMetadata = { ...common, isSendUndone: true };
  expect(upgradeStoredMetadata({ ...common, takenBack: true } as RecordingMetadata)).toEqual(metadata);
  expect([metadata, common].map(upgradeStoredMetadata)).toEqual([metadata, common]);
});

test("a recording is read with its bytes in order, listed for its service, and removed with them", async () => {
  const storage = createRecordingStorage();
  for (const [index, bytes] of ["one ", "two ", "three"].entries()) await storage.save(buildMetadata({ seconds: index }), { index, bytes: new Blob([bytes]) });
  await storage.save(buildMetadata({ id: "b", service: "https://other.test/" }), { index: 0, bytes: new Blob(["other"]) });
  await storage.save(buildMetadata({ seconds: 3 }), null);
  expect(await (await storage.read("a"))!.bytes.text()).toBe("one two three");
  expect(await storage.listMetadata(SERVICE)).toEqual([buildMetadata({ seconds: 3 })]);
  await storage.remove("a");
  expect(await storage.read("a")).toBeNull();
  expect(await (await storage.read("b"))!.bytes.text()).toBe("other");
});

test("a chunk that the browser cannot store leaves the recording as it was", async () => {
  const storage = createRecordingStorage();
  await storage.save(buildMetadata(), { index: 0, bytes: new Blob(["one"]) });
  const put = IDBObjectStore.prototype.put;
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, value, key) {
    const request = put.call(this, value, key);
    this.transaction.abort();
    return request;
  });
  await expect(storage.save(buildMetadata({ seconds: 9 }), { index: 1, bytes: new Blob(["two"]) })).rejects.toThrow();
  const recording = (await storage.read("a"))!;
  expect([recording.metadata.seconds, await recording.bytes.text()]).toEqual([2, "one"]);
});

test("recordings that an earlier version left in the browser are found", async () => {
  await createEarlierDatabase("talkback.recordings", {
    notes: { keyPath: "id", records: { a: { ...buildMetadata(), takenBack: true } } },
    chunks: { records: { "a:000000": new Blob(["one "]), "a:000001": new Blob(["two"]) } },
  });
  const storage = createRecordingStorage();
  expect(await storage.listMetadata(SERVICE)).toEqual([buildMetadata({ isSendUndone: true })]);
  expect(await (await storage.read("a"))!.bytes.text()).toBe("one two");
});
