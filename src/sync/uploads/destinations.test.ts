import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { shouldCacheBytes } from "./scheduler.ts";
import { createTestQueue } from "./upload-queue.fixture.ts";
import type { UploadTarget } from "./upload.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const intoFolder = (path = "", folderId = 5): UploadTarget => ({ kind: "folder", folderId, folderName: "Stems", path });

describe("uploads to the files view", () => {
  test("send their target, even when they are retried", () => {
    const { addTo, queue, running } = createTestQueue();
    addTo(intoFolder("Drums"), "kick.wav");
    addTo({ kind: "version", fileId: 9, fileName: "mix.wav" }, "mix 2.wav");
    expect(running.map(({ input }) => input.target)).toEqual([intoFolder("Drums"), { kind: "version", fileId: 9, fileName: "mix.wav" }]);
    void running[0]!.listener.created("/u/1");
    running[0]!.listener.failed("Disk full");
    queue.resume("u1");
    expect(running[2]!.input).toMatchObject({ target: intoFolder("Drums"), url: "/u/1" });
  });

  test("run three at a time, and a message's file does not wait for them", () => {
    const { addTo, active, running, queue } = createTestQueue();
    addTo(intoFolder(), ...Array.from({ length: 500 }, (_, index) => `take ${index}.wav`));
    expect(active()).toEqual(["take 0.wav", "take 1.wav", "take 2.wav"]);
    addTo(null, "voice.wav");
    expect(active()).toEqual(["take 0.wav", "take 1.wav", "take 2.wav", "voice.wav"]);
    for (let at = 0; at < running.length; at += 1) running[at]!.listener.done({ fileId: at + 1 });
    expect(queue.uploads().every(({ state }) => state === "done")).toBe(true);
    expect(running).toHaveLength(501);
  });

  test("leave the browser's storage when done, and stay listed until dismissed", async () => {
    const { addTo, running, stored, bytes, lockedIds, queue } = createTestQueue();
    addTo(intoFolder(), "a.wav");
    await vi.advanceTimersByTimeAsync(0);
    expect([stored.size, bytes.size]).toEqual([1, 1]);
    running[0]!.listener.done({ fileId: 7, savedAs: { name: "a (2).wav", folderId: 1, folderName: "Nightdrive" } });
    expect([stored.size, bytes.size]).toEqual([0, 0]);
    // No lock is left that another tab could wait for.
    await vi.advanceTimersByTimeAsync(0);
    expect(lockedIds.size).toBe(0);
    expect(queue.uploads()[0]).toMatchObject({ state: "done", fileId: 7, savedAs: { name: "a (2).wav" } });
    queue.remove(["u1"]);
    expect(queue.uploads()).toEqual([]);
  });

  test("are marked as not persisted when they are too large or the browser refuses them", async () => {
    const withSpace = createTestQueue();
    withSpace.addTo(
      intoFolder(),
      ["small.wav", 1_000],
      ["film.mov", 1_500_000_000],
      ["one.wav", 900_000_000],
      ["two.wav", 900_000_000],
      ["three.wav", 900_000_000],
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(withSpace.queue.uploads().map(({ isPersisted }) => isPersisted)).toEqual([true, false, true, true, false]);
    expect([...withSpace.bytes]).toEqual(["u1", "u3", "u4"]);
    // A finished upload frees space for copies.
    withSpace.running[0]!.listener.done({ fileId: 1 });
    const { addTo, queue } = createTestQueue({ isStorageFull: true });
    addTo(intoFolder(), "a.wav");
    await vi.advanceTimersByTimeAsync(0);
    expect(queue.uploads()[0]!.isPersisted).toBe(false);
  });

  test("of a message are persisted whatever their size", async () => {
    const { addTo, queue } = createTestQueue();
    addTo(null, ["film.mov", 5_000_000_000]);
    await vi.advanceTimersByTimeAsync(0);
    expect(queue.uploads()[0]!.isPersisted).toBe(true);
  });

  test("are not claimed when the outbox is reconciled", () => {
    const { addTo, queue } = createTestQueue();
    addTo(intoFolder(), "a.wav");
    queue.reconcile(new Set());
    expect(queue.uploads()[0]).toMatchObject({ messageId: null, target: intoFolder() });
  });
});

test("bytes are cached up to a limit for each file and in total", () => {
  expect([shouldCacheBytes(1_000_000_000, 0), shouldCacheBytes(1_000_000_001, 0), shouldCacheBytes(1, 2_000_000_000)]).toEqual([true, false, false]);
});
