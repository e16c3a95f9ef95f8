import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLocalDisk } from "./local-disk.ts";
import { checkStorage, type RecordedKey, type Storage, UPLOAD_GRACE_MS } from "./storage.ts";

let folder: string;
let storage: Storage;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "talkback-check-"));
  storage = openLocalDisk(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const storeText = async (text: string): Promise<string> => (await storage.put(Readable.from([Buffer.from(text)]), { maxBytes: 100 })).key;
async function* recorded(...keys: string[]): AsyncGenerator<RecordedKey> {
  for (const key of keys) yield { key, description: `original of ${key}` };
}
const absent = "0".repeat(32);

test("reports missing and orphan blobs", async () => {
  const [kept, stray] = [await storeText("kept"), await storeText("stray!")];
  const later = Date.now() + UPLOAD_GRACE_MS + 1_000;
  expect(await checkStorage(storage, recorded(kept, absent), later)).toEqual({
    blobs: 2,
    bytes: 10,
    missing: [{ key: absent, description: `original of ${absent}` }],
    orphans: [{ key: stray, size: 6 }],
  });
});

test("does not report a recent blob as an orphan, because its record may follow", async () => {
  const stray = await storeText("just arrived");
  expect((await checkStorage(storage, recorded(), Date.now())).orphans).toEqual([]);
  const yesterday = new Date(Date.now() - UPLOAD_GRACE_MS - 1_000);
  utimesSync(join(folder, "blobs", stray.slice(0, 2), stray), yesterday, yesterday);
  expect((await checkStorage(storage, recorded(), Date.now())).orphans).toEqual([{ key: stray, size: 12 }]);
});

test("does not report a blob as missing that arrives during the check", async () => {
  let arrivedKey = "";
  const lateStorage: Storage = {
    ...storage,
    async *list() {
      yield* storage.list();
      arrivedKey = await storeText("arrived behind the walk");
    },
  };
  // The blob of the recorded key becomes visible only after the listing.
  const report = await checkStorage({ ...lateStorage, size: (key) => storage.size(key === absent ? arrivedKey : key) }, recorded(absent), Date.now());
  expect(report.missing).toEqual([]);
});
