import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLazyUploads } from "./lazy-uploads.ts";
import { uploadFixture } from "./upload.fixture.ts";
import type { UploadQueue } from "./queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const noted = () => {
  const calls: unknown[] = [];
  let listener = () => {};
  const queue = new Proxy({} as UploadQueue, {
    get(_, name: string) {
      if (name === "then") return undefined;
      if (name === "uploads") return () => (calls.length > 0 ? [uploadFixture()] : []);
      if (name === "onChange") return (heard: () => void) => void (listener = heard);
      return (...all: unknown[]) => void calls.push([name, ...all]);
    },
  });
  return { calls, queue, change: () => listener() };
};

test("what is asked before its code is there is done then, in its order, also where that came late", async () => {
  const { calls, queue, change } = noted();
  let tries = 0;
  const lazy = createLazyUploads(async () => {
    tries += 1;
    if (tries < 3) throw new Error("offline");
    return queue;
  });
  const heard = vi.fn<() => void>();
  const unheard = vi.fn<() => void>();
  lazy.onChange(heard);
  lazy.onChange(unheard)();
  lazy.add({ accountId: 1, projectId: 1 }, []);
  lazy.claim(["u1"], "m1");
  const belonging = lazy.belongTo(1);
  expect([lazy.uploads(), lazy.fileOf("u1"), calls]).toEqual([[], null, []]);
  await vi.advanceTimersByTimeAsync(4_000);
  await belonging;
  expect(calls).toEqual([
    ["add", { accountId: 1, projectId: 1 }, []],
    ["claim", ["u1"], "m1"],
    ["belongTo", 1],
  ]);
  lazy.pause("u1");
  expect(calls.at(-1)).toEqual(["pause", "u1"]);
  expect(lazy.uploads()).toHaveLength(1);
  change();
  expect([heard.mock.calls.length, unheard.mock.calls.length]).toEqual([1, 0]);
});
