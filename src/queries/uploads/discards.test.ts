import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDiscards } from "./discards.ts";
import { uploadFixture } from "./upload.fixture.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function lab() {
  const told: (number | null)[] = [];
  const noted = new Map<string, boolean | undefined>();
  let reached = true;
  const discards = createDiscards({
    discard: async ({ fileId }) => {
      told.push(fileId);
      return reached;
    },
    store: { save: ({ id, discarded }) => void noted.set(id, discarded), remove: async (id) => void noted.delete(id) },
  });
  return { discards, told, noted, online: (is: boolean) => (reached = is) };
}

test("the service is told once, then nothing is kept and the upload is let go", async () => {
  const { discards, told, noted } = lab();
  const release = vi.fn();
  discards.add(uploadFixture({ state: "done", fileId: 7 }), release);
  expect([...noted]).toEqual([["u1", true]]);
  await vi.advanceTimersByTimeAsync(100_000);
  expect([told, [...noted]]).toEqual([[7], []]);
  await vi.waitFor(() => expect(release).toHaveBeenCalledOnce());
});

test("while it is not reached the wish is kept, and told by itself later or as soon as woken", async () => {
  const { discards, told, noted, online } = lab();
  online(false);
  discards.add(uploadFixture({ id: "u1", fileId: 7 }), undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(noted.get("u1")).toBe(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(told).toEqual([7, 7]);
  online(true);
  discards.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect([told, noted.size]).toEqual([[7, 7, 7], 0]);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(told).toHaveLength(3);
});

test("one that comes while another is told has its turn too; what others have left is forgotten", async () => {
  const { discards, told, noted, online } = lab();
  discards.add(uploadFixture({ id: "u1", fileId: 1 }), undefined);
  discards.add(uploadFixture({ id: "u2", fileId: 2 }), undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect([told, noted.size]).toEqual([[1, 2], 0]);
  online(false);
  discards.add(uploadFixture({ id: "u3", accountId: 2, fileId: 3 }), undefined);
  await vi.advanceTimersByTimeAsync(0);
  discards.keepOnly(1);
  await vi.advanceTimersByTimeAsync(200_000);
  expect([told, noted.size]).toEqual([[1, 2, 3], 0]);
});
