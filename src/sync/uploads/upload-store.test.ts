import { openDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEarlierDatabase, stubIndexedDb } from "../../lib/indexed-db.fixture.ts";
import { createUploadStore } from "./upload-store.ts";
import { buildUpload } from "./upload.fixture.ts";

beforeEach(() => void stubIndexedDb());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("uploads are loaded for their account, read with their bytes, and removed with them", async () => {
  const store = createUploadStore("talkback.uploads");
  store.saveAll([buildUpload(), buildUpload({ id: "u2", accountId: 2 })]);
  expect(await store.saveBytes("u1", new Blob(["bytes"]))).toBe(true);
  await store.save(buildUpload({ url: "/u/1" }));
  expect(await store.load(1)).toEqual([buildUpload({ url: "/u/1" })]);
  expect(await (await store.read("u1"))!.file!.text()).toBe("bytes");
  expect(await store.read("u2")).toEqual({ upload: buildUpload({ id: "u2", accountId: 2 }), file: null });
  await store.deleteBytes("u1");
  expect((await store.read("u1"))!.file).toBeNull();
  await store.remove("u1");
  expect([await store.read("u1"), await store.load(1)]).toEqual([null, []]);
});

test("other accounts lose what only their tray showed", async () => {
  const store = createUploadStore("talkback.uploads");
  const target = { kind: "folder" as const, folderId: 1, folderName: "Stems", path: "" };
  const others = [buildUpload({ id: "tray" }), buildUpload({ id: "folder", target }), buildUpload({ id: "message", messageId: "m1" })];
  store.saveAll([...others, buildUpload({ id: "own", accountId: 2 })]);
  void store.removeUnneeded(2);
  await vi.waitFor(async () => expect((await store.load(1)).map(({ id }) => id)).toEqual(["folder", "message"]));
  expect(await store.load(2)).toHaveLength(1);
});

test("uploads that an earlier version left in the browser are found with their bytes", async () => {
  const { error: _, isRetryable: _retryable, isPersisted: _kept, ...common } = buildUpload({ id: "earlier", state: "uploading", url: "/u/1" });
  const names = { fault: null, retryable: false, kept: true, tries: 0, faults: 0, pauseMs: 0 };
  await createEarlierDatabase("talkback.uploads", {
    notes: { keyPath: "id", records: { earlier: { ...common, ...names } } },
    bytes: { records: { earlier: new File(["bytes"], "bounce.wav") } },
  });
  const { upload, file } = (await createUploadStore("talkback.uploads").read("earlier"))!;
  expect(upload).toMatchObject(buildUpload({ id: "earlier", state: "uploading", url: "/u/1", isPersisted: true }));
  expect(await file!.text()).toBe("bytes");
});

test("without storage nothing is loaded or stored, and only loading fails", async () => {
  vi.stubGlobal("indexedDB", {
    open() {
      throw new DOMException("forbidden", "SecurityError");
    },
  });
  const store = createUploadStore("talkback.uploads");
  await expect(store.load(1)).rejects.toThrow("forbidden");
  await store.save(buildUpload());
  expect(await store.saveBytes("u1", new Blob(["bytes"]))).toBe(false);
  await store.remove("u1");
  await store.removeUnneeded(2);
});

test("bytes that a page left when it closed while it removed their upload are deleted by the next page, others stay", async () => {
  const database = await openDB("talkback.uploads", 1, {
    upgrade(created) {
      created.createObjectStore("notes", { keyPath: "id" });
      created.createObjectStore("bytes");
    },
  });
  for (const id of ["u1", "removed"]) await database.put("bytes", new Blob(["bytes"]), id);
  const store = createUploadStore("talkback.uploads");
  await store.save(buildUpload({ accountId: 2, messageId: "m1" }));
  await store.removeUnneeded(1);
  await vi.waitFor(async () => expect(await database.getAllKeys("bytes")).toEqual(["u1"]));
  database.close();
});
