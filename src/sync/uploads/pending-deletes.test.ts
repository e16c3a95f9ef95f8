import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPendingDeletes } from "./pending-deletes.ts";
import { buildUpload } from "./upload.fixture.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const deletedFileIds: (number | null)[] = [];
  const stored = new Map<string, boolean | undefined>();
  let isReachable = true;
  const pendingDeletes = createPendingDeletes({
    deleteOnService: async ({ fileId }) => {
      deletedFileIds.push(fileId);
      return isReachable;
    },
    store: { save: async ({ id, isCanceled }) => void stored.set(id, isCanceled), remove: async (id) => void stored.delete(id) },
  });
  return { pendingDeletes, deletedFileIds, stored, online: (isOnline: boolean) => (isReachable = isOnline) };
}

test("the service is asked once, then nothing stays stored and the upload is released", async () => {
  const { pendingDeletes, deletedFileIds, stored } = setUp();
  const release = vi.fn();
  pendingDeletes.add(buildUpload({ state: "done", fileId: 7 }), release);
  expect([...stored]).toEqual([["u1", true]]);
  await vi.advanceTimersByTimeAsync(100_000);
  expect([deletedFileIds, [...stored]]).toEqual([[7], []]);
  await vi.waitFor(() => expect(release).toHaveBeenCalledOnce());
});

test("without a connection the deletion stays stored, and runs again later", async () => {
  const { pendingDeletes, deletedFileIds, stored, online } = setUp();
  online(false);
  pendingDeletes.add(buildUpload({ id: "u1", fileId: 7 }), undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(stored.get("u1")).toBe(true);
  await pendingDeletes.run();
  expect(deletedFileIds).toEqual([7, 7]);
  online(true);
  await pendingDeletes.run();
  expect([deletedFileIds, stored.size]).toEqual([[7, 7, 7], 0]);
  await pendingDeletes.run();
  expect(deletedFileIds).toHaveLength(3);
});

test("a deletion that is added during another one runs too, and another account's deletions are removed", async () => {
  const { pendingDeletes, deletedFileIds, stored, online } = setUp();
  pendingDeletes.add(buildUpload({ id: "u1", fileId: 1 }), undefined);
  pendingDeletes.add(buildUpload({ id: "u2", fileId: 2 }), undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect([deletedFileIds, stored.size]).toEqual([[1, 2], 0]);
  online(false);
  pendingDeletes.add(buildUpload({ id: "u3", accountId: 2, fileId: 3 }), undefined);
  await vi.advanceTimersByTimeAsync(0);
  pendingDeletes.retainAccount(1);
  await pendingDeletes.run();
  expect([deletedFileIds, stored.size]).toEqual([[1, 2, 3], 0]);
});

test("a closed page releases its uploads; their deletes stay stored for the next page", async () => {
  const { pendingDeletes, stored, online } = setUp();
  online(false);
  const release = vi.fn();
  pendingDeletes.add(buildUpload({ fileId: 7 }), release);
  await vi.advanceTimersByTimeAsync(0);
  pendingDeletes.close();
  expect([release.mock.calls.length, stored.get("u1")]).toEqual([1, true]);
});
