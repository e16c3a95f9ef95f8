import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { UploadListener, UploadInput } from "../../api/uploads.ts";
import { shouldCacheBytes } from "./scheduler.ts";
import { createUploadQueue } from "./upload-queue.ts";
import type { Upload, UploadTarget } from "./upload.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const intoFolder = (path = "", folderId = 5): UploadTarget => ({ kind: "folder", folderId, folderName: "Stems", path });

function setUp({ full = false } = {}) {
  const running: { input: UploadInput; listener: UploadListener; stopped: boolean }[] = [];
  const stored = new Map<string, Upload>();
  const bytes = new Set<string>();
  const lockedIds = new Set<string>();
  let ids = 0;
  const queue = createUploadQueue({
    start(input, listener) {
      const transfer = { input, listener, stopped: false };
      running.push(transfer);
      return { stop: () => void (transfer.stopped = true) };
    },
    discard: async () => true,
    store: {
      load: async () => [],
      read: async () => null,
      save: async (upload) => void stored.set(upload.id, upload),
      saveAll: (all) => all.forEach((upload) => stored.set(upload.id, upload)),
      saveBytes: async (id) => {
        if (!full) bytes.add(id);
        return !full;
      },
      deleteBytes: (id) => void bytes.delete(id),
      remove: async (id) => void (stored.delete(id), bytes.delete(id)),
      removeOtherAccounts: () => undefined,
    },
    async acquireLock(id) {
      lockedIds.add(id);
      return () => void lockedIds.delete(id);
    },
    validate: () => null,
    newId: () => `u${(ids += 1)}`,
    current: () => ids,
  });
  const sized = (name: string, size: number) => Object.defineProperty(new File([], name), "size", { value: size });
  const add = (target: UploadTarget | null, ...names: (string | [string, number])[]) =>
    queue.add(
      { accountId: 1, projectId: 1 },
      names.map((item) => ({ file: typeof item === "string" ? sized(item, 10) : sized(...item), target })),
    );
  const active = () => running.filter(({ stopped }) => !stopped).map(({ input }) => input.name);
  return { queue, running, stored, bytes, lockedIds, add, active };
}

describe("uploads to the files view", () => {
  test("send their target, even when they are retried", async () => {
    const { add, running } = setUp();
    add(intoFolder("Drums"), "kick.wav");
    add({ kind: "version", fileId: 9, fileName: "mix.wav" }, "mix 2.wav");
    expect(running.map(({ input }) => input.target)).toEqual([intoFolder("Drums"), { kind: "version", fileId: 9, fileName: "mix.wav" }]);
    void running[0]!.listener.created("/u/1");
    running[0]!.listener.failed({ reason: "serverError", message: "Disk" });
    await vi.advanceTimersByTimeAsync(500);
    expect(running[2]!.input).toMatchObject({ target: intoFolder("Drums"), url: "/u/1" });
    // An upload that the service no longer knows starts over with the same target.
    running[2]!.listener.failed({ reason: "missing" });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(running[3]!.input).toMatchObject({ target: intoFolder("Drums"), url: null });
  });

  test("run three at a time, and a message's file does not wait for them", () => {
    const { add, active, running, queue } = setUp();
    add(intoFolder(), ...Array.from({ length: 500 }, (_, index) => `take ${index}.wav`));
    expect(active()).toEqual(["take 0.wav", "take 1.wav", "take 2.wav"]);
    add(null, "voice.wav");
    expect(active()).toEqual(["take 0.wav", "take 1.wav", "take 2.wav", "voice.wav"]);
    for (let at = 0; at < running.length; at += 1) running[at]!.listener.done({ fileId: at + 1 });
    expect(queue.uploads().every(({ state }) => state === "done")).toBe(true);
    expect(running).toHaveLength(501);
  });

  test("leave the browser's storage when done, and stay listed until dismissed", async () => {
    const { add, running, stored, bytes, lockedIds, queue } = setUp();
    add(intoFolder(), "a.wav");
    expect([stored.size, bytes.size]).toEqual([1, 1]);
    running[0]!.listener.done({ fileId: 7, landed: { name: "a (2).wav", folderId: 1, folderName: "Nightdrive" } });
    expect([stored.size, bytes.size]).toEqual([0, 0]);
    // No lock is left that another tab could wait for.
    await vi.advanceTimersByTimeAsync(0);
    expect(lockedIds.size).toBe(0);
    expect(queue.uploads()[0]).toMatchObject({ state: "done", fileId: 7, landed: { name: "a (2).wav" } });
    queue.forget(["u1"]);
    expect(queue.uploads()).toEqual([]);
  });

  test("are marked as not persisted when they are too large or the browser refuses them", async () => {
    const withSpace = setUp();
    withSpace.add(
      intoFolder(),
      ["small.wav", 1_000],
      ["film.mov", 1_500_000_000],
      ["one.wav", 900_000_000],
      ["two.wav", 900_000_000],
      ["three.wav", 900_000_000],
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(withSpace.queue.uploads().map(({ kept }) => kept)).toEqual([true, false, true, true, false]);
    expect([...withSpace.bytes]).toEqual(["u1", "u3", "u4"]);
    // A finished upload frees space for copies.
    withSpace.running[0]!.listener.done({ fileId: 1 });
    const { add, queue } = setUp({ full: true });
    add(intoFolder(), "a.wav");
    await vi.advanceTimersByTimeAsync(0);
    expect(queue.uploads()[0]!.kept).toBe(false);
  });

  test("of a message are persisted whatever their size", async () => {
    const { add, queue } = setUp();
    add(null, ["film.mov", 5_000_000_000]);
    await vi.advanceTimersByTimeAsync(0);
    expect(queue.uploads()[0]!.kept).toBe(true);
  });

  test("are not claimed when the outbox is reconciled", () => {
    const { add, queue } = setUp();
    add(intoFolder(), "a.wav");
    queue.reconcile(new Set());
    expect(queue.uploads()[0]).toMatchObject({ messageId: null, target: intoFolder() });
  });
});

test("bytes are cached up to a limit for each file and in total", () => {
  expect([shouldCacheBytes(1_000_000_000, 0), shouldCacheBytes(1_000_000_001, 0), shouldCacheBytes(1, 2_000_000_000)]).toEqual([true, false, false]);
});
