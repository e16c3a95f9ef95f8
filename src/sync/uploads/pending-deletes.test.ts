import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPendingDeletes } from "./pending-deletes.ts";
import { buildUpload } from "./upload.fixture.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const deletedFileIds: (number | null)[] = [];
  const stored = new Map<string, boolean | undefined>();
  let isReachable = true;
  const discards = createPendingDeletes({
    deleteOnService: async ({ fileId }) => {
      deletedFileIds.push(fileId);
      return isReachable;
    },
    store: { save: async ({ id, isCanceled }) => void stored.set(id, isCanceled), remove: async (id) => void stored.delete(id) },
  });
  return { discards, deletedFileIds, stored, online: (isOnline: boolean) => (isReachable = isOnline) };
}

test("the service is asked once, then nothing stays stored and the upload is released", async () => {
  const { discards, deletedFileIds, stored } = setUp();
  const release = vi.fn();
  discards.add(buildUpload({ state: "done", fileId: 7 }), release);
  expect([...stored]).toEqual([["u1", true]]);
  await vi.advanceTimersByTimeAsync(100_000);
  expect([deletedFileIds, [...stored]]).toEqual([[7], []]);
  await vi.waitFor(() => expect(release).toHaveBeenCalledOnce());
});

test("without a connection the deletion stays stored, and runs again later", async () => {
  const { discards, deletedFileIds, stored, online } = setUp();
  online(false);
  discards.add(buildUpload({ id: "u1", fileId: 7 }), undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(stored.get("u1")).toBe(true);
  await discards.run();
  expect(deletedFileIds).toEqual([7, 7]);
  online(true);
  await discards.run();
  expect([deletedFileIds, stored.size]).toEqual([[7, 7, 7], 0]);
  await discards.run();
  expect(deletedFileIds).toHaveLength(3);
});

test("a deletion that is added during another one runs too, and another account's deletions are removed", async () => {
  const { discards, deletedFileIds, stored, online } = setUp();
  discards.add(buildUpload({ id: "u1", fileId: 1 }), undefined);
  discards.add(buildUpload({ id: "u2", fileId: 2 }), undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect([deletedFileIds, stored.size]).toEqual([[1, 2], 0]);
  online(false);
  discards.add(buildUpload({ id: "u3", accountId: 2, fileId: 3 }), undefined);
  await vi.advanceTimersByTimeAsync(0);
  discards.retainAccount(1);
  await discards.run();
  expect([deletedFileIds, stored.size]).toEqual([[1, 2, 3], 0]);
});
