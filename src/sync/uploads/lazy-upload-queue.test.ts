import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLazyUploadQueue } from "./lazy-upload-queue.ts";
import { buildUpload } from "./upload.fixture.ts";
import type { UploadQueue } from "./upload.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const recordCalls = () => {
  const calls: unknown[] = [];
  let listener = () => {};
  const queue = new Proxy({} as UploadQueue, {
    get(_, name: string) {
      if (name === "then") return undefined;
      if (name === "uploads") return () => (calls.length > 0 ? [buildUpload()] : []);
      if (name === "onChange") return (callback: () => void) => void (listener = callback);
      return (...all: unknown[]) => void calls.push([name, ...all]);
    },
  });
  return { calls, queue, change: () => listener() };
};

test("calls before the code is loaded run in order afterwards, even when loading is retried", async () => {
  const { calls, queue, change } = recordCalls();
  let tries = 0;
  const lazy = createLazyUploadQueue(async () => {
    tries += 1;
    if (tries < 3) throw new Error("offline");
    return queue;
  });
  const listener = vi.fn<() => void>();
  const removedListener = vi.fn<() => void>();
  lazy.onChange(listener);
  lazy.onChange(removedListener)();
  lazy.add({ accountId: 1, projectId: 1 }, []);
  lazy.claim(["u1"], "m1");
  const belonging = lazy.switchAccount(1);
  expect([lazy.uploads(), lazy.getFile("u1"), calls]).toEqual([[], null, []]);
  await vi.advanceTimersByTimeAsync(4_000);
  await belonging;
  expect(calls).toEqual([
    ["add", { accountId: 1, projectId: 1 }, []],
    ["claim", ["u1"], "m1"],
    ["switchAccount", 1],
  ]);
  lazy.pause("u1");
  expect(calls.at(-1)).toEqual(["pause", "u1"]);
  expect(lazy.uploads()).toHaveLength(1);
  change();
  expect([listener.mock.calls.length, removedListener.mock.calls.length]).toEqual([1, 0]);
});
