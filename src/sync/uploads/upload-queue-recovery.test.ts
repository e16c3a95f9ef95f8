import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { buildUpload } from "./upload.fixture.ts";
import { createTestQueue } from "./upload-queue.fixture.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("recovery of uploads", () => {
  test("deletes an upload that an earlier page canceled, without showing it", async () => {
    const { queue, states, deleted, running } = createTestQueue({
      storedUploads: [{ upload: buildUpload({ id: "k1", state: "done", fileId: 9, isCanceled: true }), file: null }],
    });
    await queue.switchAccount(1);
    await vi.advanceTimersByTimeAsync(0);
    expect([states(), deleted, running]).toEqual([[], [9], []]);
  });

  test("repeats a delete that did not reach the service with the next poll, or at once when woken", async () => {
    const { queue, deleted, connection, stored } = createTestQueue({
      storedUploads: [{ upload: buildUpload({ id: "k1", state: "done", fileId: 9, isCanceled: true }), file: null }],
    });
    connection.isOn = false;
    await queue.switchAccount(1);
    expect(deleted).toEqual([9]);
    queue.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect([deleted, stored.get("k1")?.isCanceled]).toEqual([[9, 9], true]);
    connection.isOn = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect([deleted, stored.size]).toEqual([[9, 9, 9], 0]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(deleted).toHaveLength(3);
  });

  test("after a reload resumes uploads with cached bytes, asks for missing bytes, and leaves those of other tabs", async () => {
    const file = new File(["bytes"], "kept");
    const { queue, states, running, lockedIds } = createTestQueue({
      storedUploads: [
        { upload: buildUpload({ id: "k1", name: "kept", bytes: 5, state: "uploading", url: "/u/1" }), file },
        { upload: buildUpload({ id: "k2", name: "gone", bytes: 5, state: "waiting", url: "/u/2" }), file: null },
        { upload: buildUpload({ id: "k3", name: "elsewhere" }), file },
        { upload: buildUpload({ id: "k4", name: "theirs", accountId: 2 }), file },
      ],
    });
    lockedIds.add("k3");
    await queue.switchAccount(1);
    expect(states()).toEqual(["kept uploading", "gone lost"]);
    expect(running[0]!.input).toMatchObject({ url: "/u/1", file });
    expect(queue.provideFile("k2", new File(["other"], "other"))).toBe(false);
    expect(queue.provideFile("k2", new File(["bytes"], "gone"))).toBe(true);
    expect(running[1]!.input).toMatchObject({ url: "/u/2", name: "gone" });
  });

  test("a repeated switch to the same account also resolves after recovery", async () => {
    const { queue } = createTestQueue({ storedUploads: [{ upload: buildUpload({ id: "k1", state: "done", fileId: 7 }), file: null }] });
    void queue.switchAccount(1);
    await queue.switchAccount(1);
    expect(queue.uploads().map(({ id }) => id)).toEqual(["k1"]);
  });

  test("recovers uploads that no tab has as lost, and nothing while storage cannot be read", async () => {
    const readError = { isOn: true };
    const { queue, lockedIds, add, states } = createTestQueue({
      storedUploads: [{ upload: buildUpload({ id: "kept", name: "kept" }), file: null }],
      readError,
    });
    await queue.switchAccount(1);
    add("mine");
    await Promise.resolve();
    lockedIds.add("elsewhere");
    const wantedIds = ["kept", "u1", "elsewhere", "nobody's"];
    await expect(queue.recover(wantedIds)).rejects.toThrow();
    readError.isOn = false;
    await expect(queue.recover(wantedIds)).resolves.toEqual(["nobody's"]);
    expect(lockedIds.has("nobody's")).toBe(false);
    expect(states()).toEqual(["kept lost", "mine uploading"]);
  });

  test("recovers uploads of a tab that closes later", async () => {
    const file = new File(["bytes"], "kept");
    const { queue, states, lockedIds } = createTestQueue({ storedUploads: [{ upload: buildUpload({ id: "k1", name: "kept", bytes: 5 }), file }] });
    lockedIds.add("k1");
    await queue.switchAccount(1);
    expect(states()).toEqual([]);
    lockedIds.delete("k1");
    await vi.advanceTimersByTimeAsync(15_000);
    expect(states()).toEqual(["kept uploading"]);
  });
});
